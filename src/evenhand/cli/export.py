"""``evenhand export``: every answer of a run as a file for other tools."""

import sys
from pathlib import Path

import click

from evenhand.api.export import Form
from evenhand.api.export import export as write_export
from evenhand.cli.options import run_argument, store_option
from evenhand.errors import UsageError
from evenhand.storage.locate import open_store


@click.command()
@run_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "parquet", "csv"]),
    default="jsonl",
    show_default=True,
    help="JSON lines, Parquet (needs the extra frames), or CSV.",
)
@click.option(
    "--out", "path", metavar="PATH", help="File to write; - is standard output [default: the run's id and the format]."
)
@click.option("--with-embeddings", is_flag=True, help="Also the embeddings, which are most of the volume.")
@store_option
def export(*, run_id: str, form: Form, path: str | None, with_embeddings: bool, store: str | None) -> None:
    """Write every answer of RUN with what the evaluators said about it, one row each.

    RUN is an id, the beginning of one, or "latest" (the default). Texts are written unchanged, so that what is read
    back is what was said. A spreadsheet may take a cell that begins with = + - or @ for a formula: import the columns
    as text.
    """
    with open_store(store) as opened:
        run = opened.get_run(run_id).id
        if path == "-":
            if form == "parquet":
                raise UsageError("Parquet is no text for a terminal or a pipe; give a file: --out PATH")
            write_export(run, to=sys.stdout.buffer, form=form, embeddings=with_embeddings, store=opened)
            return
        target = Path(path or f"{run}.{form}")
        rows = write_export(run, to=target, form=form, embeddings=with_embeddings, store=opened)
    click.echo(f"Wrote {target}: {rows} answers")
