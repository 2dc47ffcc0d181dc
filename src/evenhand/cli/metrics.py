"""``evenhand metrics``: which metrics there are, and what one says."""

import click

from evenhand.cli import complete
from evenhand.cli.options import verbose_option
from evenhand.cli.tables import stdout, table
from evenhand.metrics.base import Metric
from evenhand.metrics.registry import registry


@click.command()
@click.argument("name", required=False, metavar="[METRIC]", shell_complete=complete.metrics)
@verbose_option
def metrics(*, name: str | None) -> None:
    """List the metrics, or explain one."""
    known = registry()
    if name is None:
        all_known = [known.get(each)() for each in known.names()]
        rows = [(metric.name, metric.long_name, metric.description) for metric in all_known]
        stdout().print(table(("metric", "name", "what it says"), rows))
    else:
        _explain(known.get(name.upper() if name.upper() in known else name)())


def _explain(metric: Metric) -> None:
    lines = [
        f"{metric.name}: {metric.long_name}",
        metric.description,
        "",
        f"Formula  {metric.formula}",
        f"Source   {metric.source}",
        f"Needs    {', '.join(metric.requires) or 'answers alone'}",
        *(f"Limit    {limit}" for limit in metric.limits),
    ]
    for line in lines:
        stdout().print(line, markup=False)
