"""``evenhand doctor``: what is installed, what is missing, and the command that brings it."""

import sys
from collections.abc import Iterator
from dataclasses import asdict

import click
import orjson
from rich.console import Console

from evenhand.cli.diagnosis import KEYLESS_MODEL, Diagnosis, Place, diagnose
from evenhand.cli.offline import VARIABLE
from evenhand.cli.options import store_option
from evenhand.cli.tables import stdout, table

NOT_READY = 1


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@store_option
def doctor(*, as_json: bool, store: str | None) -> None:
    """Say what is installed, which model files are there, which keys are set (never what they hold), whether store
    and cache can be written, and what is missing for which provider, evaluator or extra.

    Exit code 0 if the keyless audit can run, 1 if not. Nothing is sent, made or changed.
    """
    found = diagnose(store)
    if as_json:
        plain = {**asdict(found), "is_ready": found.is_ready}
        click.echo(orjson.dumps(plain, option=orjson.OPT_INDENT_2).decode())
    else:
        _print(found, stdout())
    if not found.is_ready:
        sys.exit(NOT_READY)


def _print(found: Diagnosis, console: Console) -> None:
    for line in _lines(found):
        console.print(line, markup=False, soft_wrap=True)
    packages = [(p.name, p.version or "not installed", p.extra) for p in found.packages]
    keys = [(k.variable, "set" if k.is_set else "not set", ", ".join(k.providers)) for k in found.keys]
    for title, columns, rows in (
        ("Packages", ("package", "version", "extra"), packages),
        ("Model files", ("file", "state"), list(found.assets.items())),
        ("Keys", ("variable", "state", "for"), keys),
        ("Missing", ("needed for", "missing", "what brings it"), _gaps(found)),
    ):
        if rows:
            console.print()
            console.print(table(columns, rows, title=title))


def _lines(found: Diagnosis) -> Iterator[str]:
    ready = "can run" if found.is_ready else "cannot run yet; see below"
    yield f"Evenhand       {found.version}, Python {found.python}, {found.system}"
    yield f"Keyless audit  {ready} (evenhand run gender_occupation --model {KEYLESS_MODEL})"
    yield f"Store          {_place(found.store)}"
    yield f"Cache          {_place(found.cache)}"
    network = f"refused to every command (${VARIABLE} is set)" if found.is_offline else "allowed; --offline refuses it"
    yield f"Network        {network}"


def _place(place: Place) -> str:
    return f"{place.path}: " + (f"cannot be written: {place.problem}" if place.problem else "can be written")


def _gaps(found: Diagnosis) -> list[tuple[str, str, str]]:
    return [(gap.needed_for, gap.missing, gap.command) for gap in found.gaps]
