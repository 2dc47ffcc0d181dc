"""The scorecard as one HTML file: no script, nothing loaded, every text escaped."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import orjson

from evenhand.reporting import text
from evenhand.reporting.charts.dots import dot_plot
from evenhand.reporting.charts.strip import band_strip
from evenhand.reporting.json_form import VERSION, as_json
from evenhand.reporting.page import environment, source_hash, style
from evenhand.reporting.pivot import exclusions
from evenhand.reporting.view import Flow, MetricView, Scorecard

if TYPE_CHECKING:
    from markupsafe import Markup

ROW_LIMIT = 60


def render(card: Scorecard) -> str:
    """Write the page."""
    css = style()
    return (
        environment()
        .get_template("scorecard.html.j2")
        .render(
            card=card,
            version=VERSION,
            style=_markup(css),
            style_hash=source_hash(css),
            facts=tuple(_facts(card)),
            flow=tuple(_flow(card.flow)),
            legend=_legend(card),
            strips=tuple(_strip(metric, i) for i, metric in enumerate(card.metrics)),
            figures=tuple(_figures(card)),
            excluded=exclusions(card),
            evaluators=tuple(_evaluators(card)),
            manifest=orjson.dumps(as_json(card)["manifest"], option=orjson.OPT_INDENT_2).decode(),
            row_limit=ROW_LIMIT,
        )
    )


def _facts(card: Scorecard) -> Iterator[tuple[str, str]]:
    run = card.run
    yield "Run", run.id
    if run.name:
        yield "Name", run.name
    yield "Provider", card.model.provider
    yield "Scenario set", run.sets_text
    yield "Replicates", text.NOTHING if run.replicates is None else text.count(run.replicates)
    yield "Seed", text.NOTHING if run.seed is None else str(run.seed)
    yield from ((text.heading(name).capitalize(), text.setting(value)) for name, value in run.generation.items())
    yield "Started", text.moment(run.created_at)
    yield "Finished", text.NOTHING if run.finished_at is None else text.moment(run.finished_at)
    yield "Spec digest", run.spec_digest[:16]


def _flow(flow: Flow) -> Iterator[tuple[str, str, str, bool]]:
    yield "requested", text.count(flow.requested), "", False
    if flow.not_used:
        yield "not used", text.count(flow.not_used), "", False
    yield "answered", text.count(flow.answered), _share(flow.answered, flow.stored), False
    yield "blocked", text.count(flow.blocked), "", False
    yield "failed", text.count(flow.failed), "", False
    yield "of answers: empty", text.count(flow.empty), "", True
    yield "cut by the limit", text.count(flow.truncated), _share(flow.truncated, flow.answered), True
    if flow.refusals is None:
        yield "refusals", text.NOTHING, "not judged", True
    else:
        yield "refusals", text.count(flow.refusals), f"of {text.count(flow.refusals_judged)} judged", True


def _share(part: int, whole: int) -> str:
    return text.percent(part / whole) if whole else ""


def _legend(card: Scorecard) -> str:
    if any(metric.overall.band.zones for metric in card.metrics):
        return (
            "Each strip shows the cuts of its metric, where the point value falls, and the one-sided 95% limits by "
            "which the verdict is reached. p is the chance that a perfectly fair model would score like this, adjusted "
            "for the number of metrics."
        )
    return ""


def _strip(metric: MetricView, index: int) -> "Markup":
    result, band, limits = metric.overall, metric.overall.band, metric.overall.limits
    if band.number.raw is None or not band.zones:
        return _markup("")
    return _markup(
        band_strip(
            band.zones,
            band.number.raw,
            name=f"strip-{index}",
            title=f"{metric.name}: {result.finding_label}",
            description=". ".join(part for part in (band.basis, f"Cuts: {band.cuts}", result.limits_text) if part),
            limits=None if limits is None else (limits["low"], limits["high"]),
        )
    )


def _figures(card: Scorecard) -> Iterator[tuple[object, list[tuple[object, "Markup"]]]]:
    for figure in card.figures:
        panels: list[tuple[object, Markup]] = []
        for i, panel in enumerate(figure.panels):
            drawn = dot_plot(
                panel.rows,
                panel.axis,
                name=f"{figure.name}-{i}",
                title=f"{figure.title}: {panel.title}",
                description=panel.description,
            )
            panels.append((panel, _markup(drawn)))
        yield figure, panels


def _evaluators(card: Scorecard) -> Iterator[tuple[object, list[tuple[str, int]]]]:
    unjudged = {item.evaluator: list(item.reasons.items()) for item in card.could_not_judge}
    for evaluator in card.evaluators:
        yield evaluator, unjudged.get(evaluator.name, [])


def _markup(content: str) -> "Markup":
    """Mark our own CSS or SVG as safe; the chart functions escape every text they are given."""
    from markupsafe import Markup

    return Markup(content)
