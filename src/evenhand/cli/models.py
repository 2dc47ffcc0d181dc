"""``evenhand models``: pinned model files, and the providers through which models are reached."""

import click

from evenhand.adapters.registry import known_models
from evenhand.assets.pull import PullEvent, pull_steps
from evenhand.assets.status import status
from evenhand.cli.tables import stdout, table


@click.group()
def models() -> None:
    """List and pull pinned model files; list providers."""


@models.command("list")
@click.option("--verbose", is_flag=True, expose_value=False, help="Show tracebacks of errors.")
def list_() -> None:
    """List providers, and the model files with licence, size and whether they are there."""
    providers = [(row.provider, row.example, row.needs) for row in known_models()]
    files = [
        (e.asset.name, e.state, f"{e.asset.size_bytes / 1e6:.1f}", e.asset.licence, e.asset.purpose) for e in status()
    ]
    console = stdout()
    console.print(table(("provider", "as in", "needs"), providers, title="Providers"))
    console.print()
    console.print(table(("file", "state", "MB", "licence", "for"), files, title="Model files"))


@models.command("pull")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--verbose", is_flag=True, expose_value=False, help="Show tracebacks of errors.")
def pull(*, names: tuple[str, ...]) -> None:
    """Pull model files: those named, or everything that the keyless audit needs.

    Every file is checked against its sha256; what does not match is refused.
    """
    for name in names or ("default",):
        for event in pull_steps(name):
            click.echo(_line(event), err=True)


def _line(event: PullEvent) -> str:
    return f"{event.asset}: {event.step} ({event.size_bytes / 1e6:.1f} MB)"
