"""``evenhand adapters``: the providers of models, and what each can do."""

import click

from evenhand.adapters.capability_table import family_rows
from evenhand.adapters.listing_rows import CapabilityRow, FamilyRow
from evenhand.adapters.registry import capability_rows, known_models
from evenhand.cli.options import verbose_option
from evenhand.cli.tables import stdout, table

_PROVIDER_COLUMNS = ("provider", "parameters", "seeds", "conversations", "option likelihoods", "key", "as of", "note")
_FAMILY_COLUMNS = ("provider", "models", "parameters", "more", "thinking", "as of", "note")


@click.command()
@click.option("--families", is_flag=True, help="List what the families of models of hosted providers take.")
@verbose_option
def adapters(*, families: bool) -> None:
    """List the providers, what each can do, and how a model of each is written.

    A parameter that a model does not take is refused, never dropped. Those in brackets are taken by some models of the
    provider; --families lists which. Listings that were looked up carry the day of the look-up.
    """
    console = stdout()
    if families:
        console.print(table(_FAMILY_COLUMNS, [_family(row) for row in family_rows()]))
        return
    console.print(table(_PROVIDER_COLUMNS, [_provider(row) for row in capability_rows()], title="Providers"))
    console.print()
    examples = [(row.example, row.needs) for row in known_models()]
    console.print(table(("model, as in", "needs"), examples, title="Models"))


def _provider(row: CapabilityRow) -> tuple[str, ...]:
    some = f"[{', '.join(row.by_model)}]" if row.by_model else ""
    return (
        row.provider,
        ", ".join(filter(None, (*row.parameters, some))) or "none",
        row.seeds,
        _yes(row.converse),
        _yes(row.score_options),
        " or ".join(row.key_variables) or "none",
        row.as_of,
        row.note,
    )


def _family(row: FamilyRow) -> tuple[str, ...]:
    return row.provider, ", ".join(row.models), ", ".join(row.parameters), row.more, row.thinking, row.as_of, row.note


def _yes(value: bool) -> str:
    return "yes" if value else "no"
