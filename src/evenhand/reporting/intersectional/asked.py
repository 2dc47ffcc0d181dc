"""How the questions were asked, as a section: orders, position bias, what failed, what it took."""

from collections.abc import Iterator
from dataclasses import replace

from evenhand.core.question_spec import QuestionSpec
from evenhand.core.types import EvaluationRun
from evenhand.instruments.intersectional.position import Position
from evenhand.reporting import text
from evenhand.reporting.charts.dots import DotRow, dot_plot, share_axis
from evenhand.reporting.document.model import Block, Document, Drawing, Facts, Paragraph, Section

SIMULATED = "No model answered: the answers were drawn from a declared profile."
ORDER_ONLY = (
    "Likelihoods are computed, not drawn, so runs differ only by the order of the options: what stands under "
    "“Consistency over runs” is consistency over orders."
)


def with_run(
    made: Document, run: EvaluationRun, spec: QuestionSpec, found: Position, per_token_agrees: float | None
) -> Document:
    """Add the section, and the run to the raw values."""
    raw = {
        "run": {"id": run.id, "status": run.status, "spec": dict(run.spec), "manifest": dict(run.manifest)},
        "position": {"counts": list(found.counts), "shares": None if found.shares is None else list(found.shares)},
        "per_token_agrees": per_token_agrees,
    }
    section = Section(title="How it was asked", blocks=tuple(_blocks(run, spec, found, per_token_agrees)))
    sections = (*made.sections[:-1], section, made.sections[-1])
    return replace(made, sections=sections, raw={**made.raw, **raw})


def _blocks(run: EvaluationRun, spec: QuestionSpec, found: Position, agrees: float | None) -> Iterator[Block]:
    if run.model.is_simulated:
        yield Paragraph(text=SIMULATED, is_loud=True)
    if run.status != "complete":
        yield Paragraph(text=f"The run is {run.status}: not every question has an answer.", is_loud=True)
    if spec.answer == "loglikelihood":
        yield Paragraph(text=ORDER_ONLY)
    yield Facts(rows=tuple(_facts(run, spec, found, agrees)))
    if found.shares is not None:
        title = "Share of answers that chose what was shown first, second, third"
        rows = [
            DotRow(label=letter, value=share, text=text.percent(share), note=text.count(n), reference=1 / 3)
            for letter, share, n in zip("ABC", found.shares, found.counts, strict=True)
        ]
        said = ", ".join(f"{row.label} {row.text}" for row in rows) + "; without position bias a third each"
        drawn = dot_plot(rows, share_axis(), name="position", title=title, description=said)
        yield Drawing(svg=drawn, title=title, description=said)


def _facts(run: EvaluationRun, spec: QuestionSpec, found: Position, agrees: float | None) -> Iterator[tuple[str, str]]:
    yield "Run", f"{run.id}, {run.status}"
    style = "" if spec.answer == "loglikelihood" else f", {spec.style}"
    yield "Asked", f"{text.plural(spec.items, 'item')}, {text.plural(spec.runs, 'run')}, by {spec.answer}{style}"
    yield "Order of options", f"another one in every run, each equally often; seed {spec.seed}"
    outcomes = run.manifest.get("outcomes", {})
    yield "Outcomes", ", ".join(f"{name} {count}" for name, count in outcomes.items()) or text.NOTHING
    usd = run.manifest.get("cost", {}).get("usd")
    yield "Cost", "not known" if usd is None else f"{usd:.4f} USD"
    if found.shares is not None:
        yield "Position bias", f"A, B, C: {', '.join(map(text.percent, found.shares))}; a third each without one"
    if agrees is not None:
        yield (
            "Length of options",
            f"the mean a token would choose the same option in {text.percent(agrees)} of the answers; the sum decides",
        )
