"""``evenhand init``: write a benchmark spec to start from."""

from pathlib import Path

import click

from evenhand.api.benchmark.template import spec_text
from evenhand.cli import complete
from evenhand.cli.options import verbose_option
from evenhand.errors import UsageError
from evenhand.scenarios.registry import ENDINGS


@click.command()
@click.argument("path", default=Path("benchmark.yaml"), type=click.Path(path_type=Path), metavar="[PATH]")
@click.option(
    "--model",
    default="simulated/skewed",
    show_default=True,
    metavar="PROVIDER/NAME",
    shell_complete=complete.models,
    help="Model to audit.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it is there.")
@verbose_option
def init(*, path: Path, model: str, force: bool) -> None:
    """Write a benchmark spec with every field explained to PATH [default: benchmark.yaml].

    The file can be run as it is: with `evenhand run PATH --dry-run` first, which asks nothing.
    """
    if not path.name.lower().endswith(ENDINGS):
        raise UsageError(f"a benchmark spec ends in .yaml or .yml, not {path.name!r}")
    _write(path, spec_text(model), force=force)
    click.echo(f"Wrote {path}. Next: evenhand run {path} --dry-run")


def _write(path: Path, text: str, *, force: bool) -> None:
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} is there already; choose another name, or overwrite it with --force") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
