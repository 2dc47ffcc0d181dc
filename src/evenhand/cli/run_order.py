"""What ``evenhand run`` is asked for: from flags, or from a benchmark spec with the few flags that may change it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from evenhand.adapters.base import ModelAdapter, default_config
from evenhand.adapters.registry import open_adapter
from evenhand.api.benchmark import benchmark_from, kind_of_file
from evenhand.engine.prepare import Audit
from evenhand.errors import UsageError

# parameter of the command → field of the spec that says it already
SAID_BY_SPEC: Mapping[str, str] = {
    "model": "model_under_test.provider and model_under_test.model",
    "options": "model_under_test.options",
    "base_url": "model_under_test.base_url",
    "metrics": "metrics",
    "max_tokens": "model_under_test.max_tokens",
    "temperature": "model_under_test.temperature",
    "top_p": "model_under_test.top_p",
    "system": "model_under_test.system",
    "skip_evaluator": "evaluators.skip",
    "bands": "bands",
    "target": "target",
}
# what one may want otherwise for once, without another file; the rest says how to run, not what
OVERRIDES = frozenset({"replicates", "seed", "concurrency", "budget_usd"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to run.

    Attributes
    ----------
    heading
        What the spec says about itself; empty if there is none.
    reports
        Report form to file, as the spec says.
    """

    adapter: ModelAdapter
    audit: Audit
    concurrency: int
    heading: str
    reports: Mapping[str, Path]


def order(ctx: click.Context) -> Order:
    """Read what the command line asks for.

    Raises
    ------
    UsageError, DataError
        If it does not fit together, or a file or name in it cannot be used.
    """
    given = ctx.params
    spec = _spec_among(given["scenarios"], given["model"])
    return _from_flags(given) if spec is None else _from_spec(spec, ctx)


def _spec_among(arguments: Sequence[str], model: str | None) -> str | None:
    kinds = {argument: kind_of_file(argument) for argument in arguments}
    specs = [argument for argument, kind in kinds.items() if kind == "benchmark"]
    if specs and len(arguments) > 1:
        raise UsageError(f"{specs[0]} is a benchmark spec, which names its own scenarios; give it alone")
    if specs:
        return specs[0]
    if model is not None:
        return None
    first = arguments[0]
    if kinds[first] == "unreadable":
        return first  # with no model beside it, it was meant as a spec, and the reader will say what is wrong
    if Path(first).is_file():
        raise UsageError(
            f"{first} has no model_under_test, so it is no benchmark spec. Give --model PROVIDER/NAME to ask the "
            "scenarios in it, or write a spec with: evenhand init"
        )
    raise UsageError(
        "which model? Give --model PROVIDER/NAME, as in --model local/smollm2-135m, or a benchmark spec that names one "
        "(evenhand init writes it)"
    )


def _from_flags(given: Mapping[str, Any]) -> Order:  # Any: click knows the types
    adapter = open_adapter(given["model"], settings(given["options"], given["base_url"]))
    sampling = {n: given[n] for n in ("max_tokens", "temperature", "top_p", "system") if given[n] is not None}
    audit = Audit(
        model=adapter,
        scenarios=list(given["scenarios"]),
        metrics=_names(given["metrics"]),
        generation_config=replace(default_config(adapter), **sampling),
        replicates=given["replicates"],
        seed=given["seed"],
        skip_evaluators=given["skip_evaluator"],
        bands=given["bands"],
        target=given["target"],
        budget_usd=given["budget_usd"],
    )
    return Order(adapter=adapter, audit=audit, concurrency=given["concurrency"], heading="", reports={})


def _from_spec(path: str, ctx: click.Context) -> Order:
    typed = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    _refuse(path, [name for name in typed if name in SAID_BY_SPEC], ctx)
    benchmark = benchmark_from(path)
    changed = {name: ctx.params[name] for name in typed if name in OVERRIDES}
    concurrency = changed.pop("concurrency", benchmark.concurrency)
    said = [text for text in (benchmark.name, benchmark.description) if text]
    return Order(
        adapter=benchmark.adapter,
        audit=replace(benchmark.audit, **changed),
        concurrency=concurrency,
        heading=": ".join(said),
        reports=benchmark.reports,
    )


def _refuse(path: str, names: Sequence[str], ctx: click.Context) -> None:
    if not names:
        return
    flags = {param.name: param.opts[0] for param in ctx.command.params}
    said = "; ".join(f"{flags[name]} is {SAID_BY_SPEC[name]}" for name in names)
    raise UsageError(
        f"{path} is a benchmark spec and says this itself: {said}. Change it there, or leave the flag out."
    )


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def settings(options: Sequence[str], base_url: str | None) -> dict[str, str]:
    """Read the settings of a provider, as ``--option KEY=VALUE`` and ``--base-url`` give them.

    Raises
    ------
    UsageError
        If an option is not written so.
    """
    settings = {} if base_url is None else {"base_url": base_url}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise UsageError(f"--option takes KEY=VALUE, not {option!r}")
        settings[key] = value
    return settings
