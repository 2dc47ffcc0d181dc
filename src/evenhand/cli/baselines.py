"""``evenhand baselines``: the reference shares that ship, with their sources."""

from collections.abc import Sequence

import click

from evenhand.cli import complete
from evenhand.cli.options import verbose_option
from evenhand.cli.tables import stdout, table
from evenhand.errors import UnknownNameError
from evenhand.metrics.baselines import Baseline, load, sampling_noise_points


@click.command()
@click.argument("name", required=False, metavar="[NAME|WORD]", shell_complete=complete.baselines)
@verbose_option
def baselines(*, name: str | None) -> None:
    """List reference shares; those whose name holds WORD; or one by NAME, with place, year and source."""
    by_name: dict[str, list[Baseline]] = {}
    for entry in load().values():
        by_name.setdefault(entry.reference.name, []).append(entry)
    if name in by_name:
        _show(by_name[str(name)])
        return
    found = {each: entries for each, entries in by_name.items() if name is None or name.lower() in each}
    if not found:
        raise UnknownNameError("baseline", str(name), tuple(by_name))
    for each, entries in found.items():
        click.echo(f"{each}  ({', '.join(entry.reference.attribute for entry in entries)})")


def _show(entries: Sequence[Baseline]) -> None:
    console = stdout()
    for entry in entries:
        reference = entry.reference
        console.print(f"{reference.attribute}: {reference.place}, {reference.year}", markup=False)
        rows = [
            (category, f"{share:.3f}", entry.source_categories[category], entry.marks[category])
            for category, share in reference.shares.items()
        ]
        console.print(table(("category", "share", "source's word", "read as"), rows))
        console.print(f"Source: {reference.source}", markup=False)
        console.print(f"Read at: {entry.url}", markup=False)
        if entry.caveat:
            console.print(entry.caveat, markup=False)
        if reference.total is not None:
            console.print(f"Persons: {reference.total:,}.", markup=False)
        noise = sampling_noise_points(reference.total) if _is_occupation_by_sex(entry) else None
        if noise is not None:
            console.print(f"Sampling noise: {noise}", markup=False)
        console.print()


def _is_occupation_by_sex(entry: Baseline) -> bool:
    # the noise figures were measured on the women's shares of that survey and hold for nothing else
    return entry.reference.name.startswith("us_cps") and entry.reference.attribute == "gender"
