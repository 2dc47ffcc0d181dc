"""What a scenario file must not contradict: ids, prompts, groups and taxonomies, on plain values of any shape.

The checks look at the plain values rather than at the validated models, so that a file with a mistyped key still
gets all of its problems reported. They pass over whatever has the wrong kind: `shape` reports that.
"""

from collections.abc import Iterator, Mapping, Sequence

from evenhand.metrics.baselines import Baseline
from evenhand.scenarios.checks_references import reference_problems, stereotype_problems
from evenhand.scenarios.document import Path, Plain, Problem
from evenhand.scenarios.loose import entries, mapping, text, texts

Table = Mapping[tuple[str, str], Baseline]


def check_problems(data: Plain, table: Table) -> Iterator[Problem]:
    """Yield every contradiction.

    Parameters
    ----------
    data
        The plain values of a file.
    table
        Every known baseline, by name and attribute.
    """
    file = mapping(data)
    taxonomies = {attribute: texts(categories) for attribute, categories in mapping(file.get("taxonomies")).items()}
    for attribute, categories in taxonomies.items():
        yield from _repeated(categories, ("taxonomies", attribute), "the category")
    scenarios = [(("scenarios", i), scenario) for i, scenario in entries(file.get("scenarios"))]
    ids = [((*path, "id"), text(scenario.get("id"))) for path, scenario in scenarios]
    yield from _again(ids, "the scenario id")
    for path, scenario in scenarios:
        yield from _scenario_problems(scenario, path, taxonomies, table)


def _scenario_problems(
    scenario: Mapping[str, Plain], path: Path, taxonomies: Mapping[str, list[str]], table: Table
) -> Iterator[Problem]:
    yield from reference_problems(scenario, path, taxonomies, table)
    yield from stereotype_problems(scenario, path, taxonomies, table)
    groups = [((*path, "counterfactuals", i), group) for i, group in entries(scenario.get("counterfactuals"))]
    attributes = [((*where, "attribute"), text(group.get("attribute"))) for where, group in groups]
    yield from _again(attributes, "the attribute")
    for where, group in groups:
        yield from _group_problems(group, where, text(scenario.get("prompt")))


def _group_problems(group: Mapping[str, Plain], path: Path, base: str | None) -> Iterator[Problem]:
    variants = [((*path, "variants", i), variant) for i, variant in entries(group.get("variants"))]
    for where, variant in variants:
        yield from _value_problems(variant, where)
    values = [((*where, _value_key(variant)), _value(variant)) for where, variant in variants]
    yield from _again(values, "the value")
    prompts = [((*where, "prompt"), text(variant.get("prompt"))) for where, variant in variants]
    for where, prompt in prompts:
        if prompt is not None and base is not None and prompt.strip() == base.strip() != "":
            yield Problem(path=where, text="the variant's prompt is the base prompt; it must differ from it")
    yield from _again([(where, prompt and prompt.strip()) for where, prompt in prompts], "the prompt")


def _value_problems(variant: Mapping[str, Plain], path: Path) -> Iterator[Problem]:
    value, other = variant.get("value"), variant.get("attribute_value")
    if value is None and other is None:
        yield Problem(path=(*path, "value"), text="the key 'value' is missing")
    elif value is not None and other is not None and value != other:
        yield Problem(
            path=(*path, "attribute_value"),
            text=f"value and attribute_value mean the same and must not differ; value is {value!r}",
            value=other,
        )


def _value(variant: Mapping[str, Plain]) -> str | None:
    """Return what a variant was changed to, under either of the key's two names."""
    return text(variant.get(_value_key(variant)))


def _value_key(variant: Mapping[str, Plain]) -> str:
    return "value" if variant.get("value") is not None else "attribute_value"


def _repeated(names: list[str], path: Path, what: str) -> Iterator[Problem]:
    yield from _again([((*path, i), name) for i, name in enumerate(names)], what)


def _again(found: Sequence[tuple[Path, str | None]], what: str) -> Iterator[Problem]:
    """Yield a problem for each text that stood in the list before."""
    seen: set[str] = set()
    for path, name in found:
        if name in seen:
            yield Problem(path=path, text=f"{what} stands here for the second time", value=name)
        elif name:
            seen.add(name)
