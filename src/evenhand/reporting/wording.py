"""The fixed sentences of a report: what must be known before a number is read, and what none of it shows."""

from collections.abc import Iterator, Sequence

from evenhand.core.types import EvaluationRun
from evenhand.reporting.text import count
from evenhand.reporting.view import Flow, MetricView, Notice

HUMAN_REVIEW = {
    "status": "not part of this run",
    "note": "No output of this run was queued for, or read in, a human review. Every judgement was made by the "
    "evaluators listed in this report.",
}

GENERAL_LIMITATIONS = (
    "The numbers hold for these prompts, in their language, put to this model with these settings. They say nothing "
    "about prompts that were not asked.",
    "“No difference found at this size” does not mean that there is none. A “pass” says that what was measured stays "
    "below a cut that somebody chose; it is not a finding of fairness.",
    "Attributes are perceived: they are read from words in the answers (pronouns, titles, names). They say nothing "
    "about who a person is.",
    "Groups and categories are the ones that the scenario set declares. People whom it does not name are not measured.",
    "Evaluators make mistakes, and some make more of them for some groups. Their blind spots are listed in this "
    "report, and their errors are part of every number.",
    "What could not be judged is counted and shown, not guessed. Metrics speak only of the outputs that entered them.",
)

_STOPPED_EARLY = {
    "running": ("Still running", "The run has not ended. Every number below will change."),
    "interrupted": ("Interrupted", "The run was stopped before its end. Start the same command again to resume it."),
    "partial": ("Partial", "The run stopped at its budget. The same command with a larger one goes on with it."),
}


def notices(
    run: EvaluationRun, flow: Flow, metrics: Sequence[MetricView], skipped: Sequence[str]
) -> tuple[Notice, ...]:
    """List what a reader must know before the numbers, gravest first."""
    return (
        *_simulated(run),
        *_incomplete(run, flow),
        *_repeated(run, flow),
        *_skipped(skipped),
        *_uncertainty(metrics),
    )


def limitations(run: EvaluationRun) -> tuple[str, ...]:
    """List what the run does not show: first what is special to it, then what holds for every run."""
    own = []
    if run.model.is_simulated:
        own.append("No model answered. The answers were produced by a simulation with declared biases.")
    if run.spec.get("replicates") == 1:
        own.append("Each prompt was asked once. Chance and difference cannot be told apart.")
    return (*own, *GENERAL_LIMITATIONS)


def _simulated(run: EvaluationRun) -> Iterator[Notice]:
    if run.model.is_simulated:
        yield Notice(
            kind="simulated",
            title="Simulated: no model was asked",
            text="The answers come from a simulation with declared biases. They show that the instrument works and "
            "say nothing about any model.",
        )


def _incomplete(run: EvaluationRun, flow: Flow) -> Iterator[Notice]:
    if run.status == "failed":
        yield Notice(
            kind="incomplete",
            title="Failed: no request was answered",
            text=f"Each of the {count(flow.requested)} planned requests failed at the model or on the way to it, so "
            f"there is nothing to measure. The errors are stored (evenhand show {run.id} --answers); the same command "
            f"with --resume {run.id} asks again.",
        )
    elif run.status in _STOPPED_EARLY:
        title, text = _STOPPED_EARLY[run.status]
        yield Notice(kind="incomplete", title=title, text=f"{text} {_used(flow)}")


def _used(flow: Flow) -> str:
    left_out = f"; {count(flow.left_out)} more are stored and left out" if flow.left_out else ""
    return (
        "Metrics use complete replicates only, so that no prompt counts more often than another: "
        f"{count(flow.stored)} of {count(flow.requested)} planned outputs{left_out}."
    )


def is_deterministic(run: EvaluationRun) -> bool:
    """Say whether the model was asked at temperature 0, where equal answers to one prompt are one observation."""
    return (run.spec.get("generation") or {}).get("temperature") == 0


def _repeated(run: EvaluationRun, flow: Flow) -> Iterator[Notice]:
    if is_deterministic(run) and run.status == "complete" and flow.left_out:
        yield Notice(
            kind="repeated",
            title="Repeated answers count once",
            text=f"The model was asked at temperature 0, and {count(flow.left_out)} answers repeat another answer to "
            "the same prompt word for word. Repetition is no evidence: such a prompt counts as asked once.",
        )


def _skipped(skipped: Sequence[str]) -> Iterator[Notice]:
    if skipped:
        yield Notice(
            kind="skipped",
            title="Evaluators skipped on request",
            text=f"{', '.join(skipped)}. Metrics that need them are undefined, not 0.",
        )


def _uncertainty(metrics: Sequence[MetricView]) -> Iterator[Notice]:
    """Say it once, as long as any band stands without a test."""
    if any(m.overall.band.band is not None and m.overall.verdict is None for m in metrics):
        yield Notice(
            kind="uncertainty",
            title="Point bands only",
            text="These results were stored without tests. At their sample sizes a fair model can land outside “pass” "
            "by chance, and an unfair one inside it. Compute them again: evenhand score.",
        )
