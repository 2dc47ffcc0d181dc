"""Answers to read: for each scenario the base prompt's answer beside those of its variants, within bounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evenhand.core.outcomes import Answered, Blocked, Failed, Outcome
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluatedOutput
from evenhand.reporting.flow import condition_name
from evenhand.reporting.text import count, percent, shorten
from evenhand.reporting.view import Answer, Comparison, DrillDown


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much of the outputs a report carries, so that its size does not grow with the run."""

    scenarios: int = 20
    answers_per_scenario: int = 9
    characters: int = 700


def drill_down(outputs: OutputTable, *, run_id: str, bounds: Bounds) -> DrillDown:
    """Take the first stored replicate of each prompt, base first, up to `bounds`."""
    chosen = [(scenario, rows[: bounds.answers_per_scenario]) for scenario, rows in _first_replicates(outputs)]
    comparisons = tuple(
        Comparison(scenario_id=scenario, answers=tuple(_answer(outputs[row], bounds) for row in rows))
        for scenario, rows in chosen[: bounds.scenarios]
    )
    shown = sum(len(comparison.answers) for comparison in comparisons)
    return DrillDown(
        comparisons=comparisons,
        shown=shown,
        stored=len(outputs),
        omitted=_omitted(shown, len(outputs), run_id, bounds),
    )


def _first_replicates(outputs: OutputTable) -> Iterator[tuple[str, list[int]]]:
    for code, scenario in enumerate(outputs.scenario_ids):
        first: dict[tuple[int, int], int] = {}
        for row in (outputs.scenario == code).nonzero()[0].tolist():
            key = (int(outputs.attribute[row]), int(outputs.value[row]))
            if key not in first or outputs.replicate[row] < outputs.replicate[first[key]]:
                first[key] = row
        yield scenario, [first[key] for key in sorted(first)]


def _answer(output: EvaluatedOutput, bounds: Bounds) -> Answer:
    kind, text = _outcome(output.outcome)
    shown = shorten(text, bounds.characters)
    return Answer(
        condition=condition_name(output.attribute, output.counterfactual_value),
        replicate=output.replicate,
        prompt=shorten(output.prompt, bounds.characters),
        outcome=kind,
        text=shown,
        signals=_signals(output),
        omitted_characters=0 if shown == text else len(text) - len(shown) + 1,
    )


def _outcome(outcome: Outcome) -> tuple[str, str]:
    match outcome:
        case Answered() if outcome.is_empty:
            return "empty", "The model answered with nothing but white space."
        case Answered(text=text):
            return "answered", text
        case Blocked(reason=reason):
            return "blocked", reason
        case Failed(error=error):
            return "failed", error


def _signals(output: EvaluatedOutput) -> tuple[str, ...]:
    found = []
    if output.is_refusal:
        found.append("refusal")
    if isinstance(output.outcome, Answered) and output.outcome.finish_reason == "length":
        found.append("cut by the token limit")
    found += [f"perceived {attribute}: {_weights(w)}" for attribute, w in (output.detected_entities or {}).items()]
    found += [f"{name} could not judge: {reason}" for name, reason in output.could_not_judge.items()]
    return tuple(found)


def _weights(weights: Mapping[str, float]) -> str:
    if len(weights) == 1:
        return next(iter(weights))
    return ", ".join(f"{label} {percent(weight)}" for label, weight in weights.items())


def _omitted(shown: int, stored: int, run_id: str, bounds: Bounds) -> str:
    if shown == stored:
        return ""
    return (
        f"{count(shown)} of {count(stored)} outputs are shown: the first replicate of each prompt, for at most "
        f"{bounds.scenarios} scenarios and {bounds.answers_per_scenario} prompts of each, cut at {bounds.characters} "
        f"characters. Every output, whole: evenhand show {run_id} --answers"
    )
