"""What a red-team run adds to the report of its rate: how it was asked, what decided, what the detectors cannot see."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from evenhand.core.detections import Decision
from evenhand.core.red_team import RedTeamSpec
from evenhand.core.types import EvaluationRun
from evenhand.reporting import text
from evenhand.reporting.document.model import Block, Document, Facts, Grid, Paragraph, Section

_SHOWN = 40


def with_red_team(
    document: Document,
    run: EvaluationRun,
    spec: RedTeamSpec,
    decisions: Sequence[Decision],
    blind_spots: Mapping[str, Sequence[str]],
) -> Document:
    """Add the sections of a red-team run, the warnings first.

    Parameters
    ----------
    blind_spots
        Detector to what it cannot see.
    """
    return replace(
        document,
        sections=(
            Section(title="How it was asked", blocks=tuple(_asked(run, spec))),
            *document.sections,
            Section(title="Turns that decided", blocks=(_turns(decisions),)),
            Section(title="What the detectors cannot see", blocks=tuple(_blind(blind_spots))),
        ),
        raw={
            **document.raw,
            "run": run.id,
            "run_status": run.status,
            "model": spec.model,
            "is_simulated": run.model.is_simulated,
            "is_control": spec.is_control,
            "detectors": dict(spec.detectors),
            "blind_spots": {name: list(each) for name, each in blind_spots.items()},
        },
    )


def _asked(run: EvaluationRun, spec: RedTeamSpec) -> Iterator[Block]:
    if run.model.is_simulated:
        yield Paragraph(text="Simulated: no model answered. The rate is that of a declared profile.", is_loud=True)
    if spec.is_control:
        yield Paragraph(
            text="Control: both sides of every pair said the same, so every difference in a pair is chance. The rate "
            "is what this detector finds between a model and itself.",
            is_loud=True,
        )
    if run.status not in {"complete", "failed"}:
        yield Paragraph(
            text=f"The run is {run.status}: only replicates in which every conversation came to its end are counted.",
            is_loud=True,
        )
    yield Facts(rows=tuple(_facts(run, spec)))


def _facts(run: EvaluationRun, spec: RedTeamSpec) -> Iterator[tuple[str, str]]:
    held: Mapping[str, int] = run.manifest.get("conversations", {})
    outcomes: Mapping[str, int] = run.manifest.get("outcomes", {})
    paired = sum(vector.is_paired for vector in spec.vectors)
    yield "Run", f"{run.id} ({run.status})"
    yield "Model", spec.model
    yield "Vectors", f"{text.count(len(spec.vectors))}, of which {text.count(paired)} are run as pairs"
    yield "Replicates of each", text.count(spec.replicates)
    if held:
        cut = text.count(held["cut_short"])
        yield "Conversations", f"{text.count(held['whole'])} whole, {cut} ended early by a turn without a reply"
    if outcomes:
        yield "Turns", ", ".join(f"{text.count(count)} {name}" for name, count in outcomes.items() if count)
    yield "Detectors", "; ".join(f"{name} {version}" for name, version in spec.detectors.items())
    yield "Seed", str(spec.seed)


def _turns(decisions: Sequence[Decision]) -> Block:
    fired = [each for each in decisions if each.decision]
    more = len(fired) - _SHOWN
    note = "What the model said in them: evenhand show RUN --answers"
    return Grid(
        columns=("Trace", "Turn", "Attribute", "Why"),
        rows=tuple((each.trace, str(each.turn), each.attribute, each.reason) for each in fired[:_SHOWN]),
        numbers=(1,),
        note=f"{text.count(more)} more are in the export of decisions. {note}" if more > 0 else note,
    )


def _blind(blind_spots: Mapping[str, Sequence[str]]) -> Iterator[Block]:
    for name, sentences in blind_spots.items():
        for sentence in sentences:
            yield Paragraph(text=f"{name}: {sentence}")
