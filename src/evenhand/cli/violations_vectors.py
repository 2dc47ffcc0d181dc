"""``evenhand violations vectors``: which attack vectors there are, and what is said in one."""

from pathlib import Path

import click

from evenhand.cli.options import verbose_option
from evenhand.cli.tables import stdout, table
from evenhand.core.vectors import VectorSet
from evenhand.scenarios.vectors.registry import vector_set, vector_set_names


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("name", required=False, metavar="[SET|FILE]")
@verbose_option
def vectors(*, name: str | None) -> None:
    """List the attack vectors of the built-in sets, or show every turn of one set (which also checks a file)."""
    if name is None:
        for each in vector_set_names():
            _list(vector_set(each))
    else:
        _show(vector_set(Path(name) if Path(name).is_file() else name))


def _list(group: VectorSet) -> None:
    console = stdout()
    console.print(f"{group.name} {group.version}: {group.description}", markup=False)
    rows = [
        (v.id, ", ".join(v.attributes), "paired" if v.is_paired else "single", str(len(v.turns)), v.description)
        for v in group.vectors
    ]
    console.print(table(("vector", "attributes", "sides", "turns", "what happens"), rows))


def _show(group: VectorSet) -> None:
    _list(group)
    console = stdout()
    for vector in group.vectors:
        figures = ", ".join(f"{name} ({direction.replace('_', ' ')})" for name, direction in vector.figures.items())
        console.print(f"\n{vector.id}", style="bold", markup=False)
        if vector.system is not None:
            console.print(f"  system: {vector.system_of(vector.sides[0])}", markup=False)
        for number, turn in enumerate(vector.said(vector.sides[0]), start=1):
            console.print(f"  {number}. {turn}", markup=False)
        if vector.pair is not None:
            sides = f"{vector.label('treated')} | {vector.label('comparison')}"
            console.print(f"  swapped from turn {vector.reveal} on: {sides}", markup=False)
        if figures:
            console.print(f"  figures compared: {figures}", markup=False)
