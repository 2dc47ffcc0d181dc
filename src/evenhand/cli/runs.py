"""``evenhand runs``: what is stored."""

import click

from evenhand.cli.options import store_option
from evenhand.cli.tables import stdout, table
from evenhand.engine import FairBenchEngine


@click.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Newest runs to list.")
@store_option
def runs(*, limit: int, store: str | None) -> None:
    """List stored runs, newest first."""
    engine = FairBenchEngine(store)
    try:
        stored = engine.store.list_runs(limit=limit)
    finally:
        engine.close()
    if not stored:
        click.echo("No runs are stored yet. Start one with: evenhand run SET --model PROVIDER/NAME")
        return
    rows = [
        (r.id, r.kind, r.status, str(r.spec.get("model", "")), r.name, str(r.spec.get("replicates", "")), r.created_at)
        for r in stored
    ]
    stdout().print(table(("run", "kind", "status", "model", "asked", "replicates", "begun"), rows))
