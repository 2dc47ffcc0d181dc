"""``evenhand scenarios``: which sets there are, and what is in one."""

from collections.abc import Iterable

import click

from evenhand.cli import complete
from evenhand.cli.options import verbose_option
from evenhand.cli.tables import stdout, table
from evenhand.core.types import Reference, ScenarioSet
from evenhand.metrics.baselines import sampling_noise_points
from evenhand.scenarios.generator import CounterfactualGenerator
from evenhand.scenarios.loader import Described
from evenhand.scenarios.registry import ScenarioRegistry
from evenhand.scenarios.word_lists import WordList

_NOISE = (
    "Moves: points by which the women's share of an occupation of this size changes in a median year, and in one year "
    "out of ten. Do not report smaller gaps."
)


@click.command()
@click.argument("name", required=False, metavar="[SET|FILE]", shell_complete=complete.scenario_sets)
@verbose_option
def scenarios(*, name: str | None) -> None:
    """List the scenario sets, or show every prompt of one (which also checks a file).

    Of one set it shows the prompts as they will be asked, generated ones too; the word lists that they were made
    from; and the references with year, place and sampling noise.
    """
    registry = ScenarioRegistry()
    if name is None:
        _list(registry)
    else:
        _show(registry.describe(name))


def _list(registry: ScenarioRegistry) -> None:
    columns = ("set", "version", "scenarios", "prompts", "attributes", "what it asks")
    rows = [
        (s.name, s.version, str(s.scenarios), str(s.prompts), ", ".join(s.attributes), s.problem or s.description)
        for s in registry.summaries()
    ]
    stdout().print(table(columns, rows))


def _show(described: Described) -> None:
    console, group = stdout(), described.group
    console.print(f"{group.name} {group.version}: {group.description}", markup=False)
    _show_prompts(described)
    for word_list in described.lists:
        console.print(_about(word_list), markup=False)
    _show_references(group)


def _show_prompts(described: Described) -> None:
    is_generated = not set(described.made.values()) <= {"written out"}
    columns = ("scenario", "condition", *(["made by"] if is_generated else []), "prompt")
    rows = []
    for prompt in CounterfactualGenerator().expand(described.group):
        made = described.made.get((prompt.scenario_id, prompt.condition.attribute or ""), "")
        rows.append((prompt.scenario_id, str(prompt.condition), *([made] if is_generated else []), prompt.text))
    stdout().print(table(columns, rows))


def _about(word_list: WordList) -> str:
    values = ", ".join(word_list.values)
    perceived = " These words are only perceived as such: they say nothing about a person." * word_list.is_perceived
    source = f" Source: {word_list.source}." if word_list.source else ""
    return f"List {word_list.name}: {word_list.attribute} ({values}).{perceived}{source}"


def _show_references(group: ScenarioSet) -> None:
    declared = [(scenario.id, reference) for scenario in group.scenarios for reference in scenario.references.values()]
    if not declared:
        return
    console = stdout()
    console.print()
    console.print(table(("scenario", "reference", "shares", "year", "place", "moves"), _reference_rows(declared)))
    if any(_moves(reference) for _, reference in declared):
        console.print(_NOISE, markup=False)


def _reference_rows(declared: Iterable[tuple[str, Reference]]) -> list[tuple[str, ...]]:
    return [
        (
            scenario,
            reference.name,
            ", ".join(f"{category} {share:.3f}" for category, share in reference.shares.items()),
            reference.year,
            reference.place,
            _moves(reference),
        )
        for scenario, reference in declared
    ]


def _moves(reference: Reference) -> str:
    # measured on the women's shares of that survey's occupations: it holds for nothing else
    if not reference.name.startswith("us_cps") or reference.attribute != "gender":
        return ""
    noise = sampling_noise_points(reference.total)
    return "" if noise is None else f"{noise.median:g} / {noise.percentile_90:g}"
