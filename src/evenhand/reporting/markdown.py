"""The scorecard as Markdown: the same numbers, compact, safe against pipes, tags and line breaks in any text."""

import re
from collections.abc import Iterable, Iterator, Sequence

from evenhand.reporting import text
from evenhand.reporting.json_form import VERSION
from evenhand.reporting.pivot import exclusions
from evenhand.reporting.view import Answer, Calibration, MetricView, ResultView, Scorecard, TableView

_SPECIAL = re.compile(r"([\\`*_\[\]#|~$])")
ROW_LIMIT = 12


def render(card: Scorecard) -> str:
    """Write the scorecard as GitHub-flavoured Markdown."""
    blocks = (
        *_head(card),
        *_flow(card),
        *_summary(card),
        *(block for metric in card.metrics for block in _metric(metric)),
        *_answers(card),
        *_excluded(card),
        *_evaluators(card),
        *_calibration(card.calibration),
        "## Known limits",
        _bullets(card.known_limitations),
        "## Manifest",
        _bullets(f"{key}: {value}" for key, value in card.manifest.items()),
        f"Scorecard version {VERSION}. Recompute from the stored rows, without a model: "
        f"evenhand score {escaped(card.run.id)}",
    )
    return "\n\n".join(block for block in blocks if block) + "\n"


def escaped(content: object) -> str:
    """Write `content` as one line that Markdown, tables and HTML all leave alone."""
    line = " ".join(str(content).split())
    tagless = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", tagless)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()) -> str:
    """Write a table; every cell is escaped, columns in `right` are set to the right."""
    rule = ["---:" if i in right else "---" for i in range(len(columns))]
    lines = [_line(map(escaped, columns)), _line(rule), *(_line(map(escaped, row)) for row in rows)]
    return "\n".join(lines)


def _head(card: Scorecard) -> Iterator[str]:
    run, model = card.run, card.model
    yield f"# Evenhand scorecard: {escaped(model.name)}"
    for notice in card.notices:
        yield f"> **{escaped(notice.title)}.** {escaped(notice.text)}"
    yield table(
        ("Run", "Model", "Asked", "Replicates", "Seed", "Status", "Spec digest", "Written"),
        [
            (
                f"{run.id} ({run.name})",
                f"{model.provider}/{model.name}" + (" (simulated)" if model.is_simulated else ""),
                run.sets_text,
                text.NOTHING if run.replicates is None else run.replicates,
                text.NOTHING if run.seed is None else run.seed,
                run.status,
                run.spec_digest,
                card.generated_at_text,
            )
        ],
    )


def _flow(card: Scorecard) -> Iterator[str]:
    yield "## What was asked and what came back"
    yield escaped(card.flow_text)
    yield f"Cost: {escaped(card.cost.text)}."
    names = ("stored", "answered", "empty", "blocked", "failed", "refusals")
    rows = [(key, *(text.count(counts[n]) for n in names)) for key, counts in card.flow.by_condition.items()]
    if rows:
        yield table(("Condition", *names), rows, right=range(1, 7))


def _summary(card: Scorecard) -> Iterator[str]:
    yield "## Summary"
    yield f"**{escaped(card.overall.sentence)}**"
    yield f"Bands: {escaped(card.run.bands)}."
    rows = [
        (
            m.name,
            m.overall.value.text,
            m.overall.unit,
            m.overall.interval_text or text.NOTHING,
            m.overall.fair_text or text.NOTHING,
            m.overall.p_adjusted.text,
            m.overall.finding_label,
            m.overall.n_samples_text,
            _why(m),
        )
        for m in card.metrics
    ]
    columns = ("Metric", "Value", "Unit", "Interval", "Fair model", "p (Holm)", "Finding", "n", "Reading")
    yield table(columns, rows, right=(1,))


def _why(metric: MetricView) -> str:
    result = metric.overall
    return " ".join(part for part in (metric.reading, result.reason_text, result.further_text) if part)


def _metric(metric: MetricView) -> Iterator[str]:
    result = metric.overall
    yield f"## {escaped(metric.name)}: {escaped(metric.long_name)}"
    yield _unmarked(escaped(metric.description))
    yield _bullets(_facts(metric))
    if result.numbers:
        yield table(("Quantity", "Value"), result.numbers, right=(1,))
    yield _results("Attribute", metric.by_attribute)
    yield _results("Scenario", metric.by_scenario)


def _facts(metric: MetricView) -> Iterator[str]:
    result = metric.overall
    yield f"Value: {result.value.text} {result.unit}, {result.finding_label}, {result.n_samples_text}"
    if result.band_text:
        yield f"Band: {result.band_text}" + (f". Cuts: {result.band.cuts}" if result.band.cuts else "")
    if result.confidence_interval_text:
        yield f"Interval: {result.confidence_interval_text}"
    if result.limits_text:
        yield f"{result.limits_text[0].upper()}{result.limits_text[1:]}"
    if result.band.action:
        yield f"Advice: {result.band.action}"
    yield from (f"Caveat: {caveat}" for caveat in result.caveats)
    yield f"Formula: {metric.formula}"
    yield f"Source: {metric.source}"
    yield from (f"Does not show: {limit}" for limit in metric.limits)


def _results(heading: str, results: Sequence[ResultView]) -> str:
    if not results:
        return ""
    rows = [
        (
            r.key,
            r.value.text,
            r.interval_text or text.NOTHING,
            r.fair_text or text.NOTHING,
            r.p_value.text,
            r.finding_label,
            r.n_samples,
            " ".join(r.remarks),
        )
        for r in results[:ROW_LIMIT]
    ]
    columns = (heading, "Value", "Interval", "Fair model", "p (exploratory)", "Finding", "n", "Why, or what limits it")
    written = table(columns, rows, right=(1, 6))
    left = len(results) - len(rows)
    return written + (f"\n\n{text.count(left)} more in the JSON and HTML forms." if left else "")


def _answers(card: Scorecard) -> Iterator[str]:
    yield "## Answers, side by side"
    yield escaped(card.answers.omitted)
    for comparison in card.answers.comparisons:
        yield f"**{escaped(comparison.scenario_id)}**"
        yield table(("Condition", "Answer", "Read in it"), [_answer(answer) for answer in comparison.answers])


def _answer(answer: Answer) -> tuple[str, str, str]:
    prefix = "" if answer.outcome == "answered" else f"[{answer.outcome}] "
    return answer.condition, prefix + answer.text, "; ".join(answer.signals)


def _excluded(card: Scorecard) -> Iterator[str]:
    yield "## Excluded, and why"
    names = [metric.name for metric in card.metrics]
    rows = [(text.heading(reason), *counts) for reason, counts in exclusions(card)]
    numbers = range(1, len(names) + 1)
    yield table(("Reason", *names), rows, right=numbers) if rows else "No metric excluded any output."


def _evaluators(card: Scorecard) -> Iterator[str]:
    yield "## Evaluators"
    unjudged = {item.evaluator: item.total for item in card.could_not_judge}
    rows = [
        (e.name, e.version, text.count(unjudged.get(e.name, 0)), " ".join(e.blind_spots) or "none declared")
        for e in card.evaluators
    ]
    yield table(("Evaluator", "Version", "Could not judge", "Blind spots"), rows, right=(2,))
    if card.skipped_evaluators:
        yield f"Skipped on request: {escaped(', '.join(card.skipped_evaluators))}."
    yield escaped(f"Human review: {card.human_review['status']}. {card.human_review['note']}")


def _calibration(found: Calibration) -> Iterator[str]:
    yield "## What the scorers say about plain sentences"
    yield escaped(found.meaning)
    yield from map(escaped, found.findings)
    for written in (found.by_attribute, found.by_word):
        if written is not None:
            yield _table(written)


def _table(written: TableView) -> str:
    rows = [[cell if isinstance(cell, str) else cell.text for cell in row] for row in written.rows]
    numbers = [i for i, column in enumerate(written.columns) if column.is_number]
    return table([column.title for column in written.columns], rows, right=numbers)


def _bullets(items: Iterable[object]) -> str:
    return "\n".join(f"- {_unmarked(escaped(item))}" for item in items)


def _unmarked(line: str) -> str:
    """Escape what would start a list or a rule at the beginning of a line."""
    return re.sub(r"^(\d+)([.])|^([-=+])", lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", line)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
