"""``evenhand models``: pinned model files."""

import click

from evenhand.assets.pull import PullEvent, pull_steps
from evenhand.assets.status import status
from evenhand.cli import complete
from evenhand.cli.options import verbose_option
from evenhand.cli.tables import stdout, table


@click.group(invoke_without_command=True)
@click.pass_context
def models(ctx: click.Context) -> None:
    """List and pull pinned model files."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@models.command("list", short_help="List them: licence, size, state.")
@verbose_option
def list_() -> None:
    """List the model files with licence and size, and whether they are there.

    Where models are reached, `evenhand adapters` says.
    """
    files = [
        (e.asset.name, e.state, f"{e.asset.size_bytes / 1e6:.1f}", e.asset.licence, e.asset.purpose) for e in status()
    ]
    stdout().print(table(("file", "state", "MB", "licence", "for"), files))


@models.command("pull", short_help="Pull them, checked against their sha256.")
@click.argument("names", nargs=-1, metavar="[NAME...]", shell_complete=complete.assets)
@verbose_option
def pull(*, names: tuple[str, ...]) -> None:
    """Pull model files: those named, or everything that the keyless audit needs.

    Every file is checked against its sha256; what does not match is refused.
    """
    for name in names or ("default",):
        for event in pull_steps(name):
            click.echo(_line(event), err=True)


def _line(event: PullEvent) -> str:
    return f"{event.asset}: {event.step} ({event.size_bytes / 1e6:.1f} MB)"
