"""The scorecard in a terminal: notices, one table, and the reasons below it."""

from typing import TYPE_CHECKING

from evenhand.reporting.text import NOTHING
from evenhand.reporting.view import MetricView, Notice, Scorecard

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

_STYLES = {
    "pass": "green",
    "watch": "yellow",
    "flag": "dark_orange",
    "fail": "bold red",
    "under": "blue",
}
_MARKS = {"pass": "○", "watch": "◔", "flag": "◑", "fail": "●", "under": "▽", "inconclusive": "?"}


def render(card: Scorecard) -> "RenderableType":
    """Build what a rich console prints. Texts are never read as markup."""
    from rich.console import Group
    from rich.text import Text

    return Group(
        Text(f"{card.model.name}, {card.run.sets_text}, run {card.run.id} ({card.run.status})", style="bold"),
        Text(card.flow_text),
        Text(f"Cost: {card.cost.text}"),
        *(_notice(notice) for notice in card.notices),
        Text(card.overall.sentence, style="bold"),
        _table(card),
        *(_reasons(metric) for metric in card.metrics if metric.overall.remarks or metric.overall.band.action),
        Text.assemble(("Calibration  ", "bold"), card.calibration.headline),
    )


def _notice(notice: Notice) -> "Text":
    from rich.text import Text

    loud = "bold white on red" if notice.kind in {"simulated", "incomplete"} else "bold"
    return Text.assemble(
        (f" {notice.title.upper()} " if "white" in loud else notice.title + ".", loud), " ", notice.text
    )


def _table(card: Scorecard) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Metric", no_wrap=True)
    table.add_column("Value", justify="right", no_wrap=True)
    table.add_column("Interval", justify="right")
    table.add_column("Fair model", justify="right")
    table.add_column("p (Holm)", justify="right", no_wrap=True)
    table.add_column("Finding", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("Excl.", justify="right")
    for metric in card.metrics:
        result = metric.overall
        style = _STYLES.get(result.finding, "dim")
        table.add_row(
            Text.assemble((metric.name, "bold"), " ", (metric.long_name, "dim")),
            Text(result.value.text),
            Text(result.interval_text or NOTHING),
            Text(result.fair_text or NOTHING),
            Text(result.p_adjusted.text),
            Text(f"{_MARKS.get(result.finding, '–')} {result.finding_label}", style=style),
            Text(str(result.n_samples)),
            Text(str(result.n_excluded)),
        )
    return table


def _reasons(metric: MetricView) -> "Text":
    from rich.text import Text

    lines = [*metric.overall.remarks]
    if metric.overall.band.action:
        lines.append(metric.overall.band.action)
    return Text.assemble((f"{metric.name}  ", "bold"), " ".join(lines))
