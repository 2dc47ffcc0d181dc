"""``evenhand bbq score``: score answers that were made elsewhere, without a model."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import click

from evenhand.api.questions import intersectional
from evenhand.cli.bbq_results import figure_options, show
from evenhand.cli.options import verbose_option
from evenhand.instruments.intersectional.variants import Variant


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("answers", metavar="ANSWERS", type=click.Path(dir_okay=False))
@click.option(
    "--data",
    multiple=True,
    required=True,
    metavar="FILE|mini",
    help="Items: JSON lines in BBQ's schema, plain or gzipped; may be given again.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the fair references.")
@figure_options
@verbose_option
def score(
    *,
    answers: str,
    data: tuple[str, ...],
    seed: int,
    variant: Variant,
    level: float,
    reports: Mapping[str, Path],
) -> None:
    """Score ANSWERS: CSV, JSON lines or Parquet with the columns category, example_id, answer, and run if there are
    several.

    An answer is the index of an option (0 to 2), its letter (A to C) or its text. What is none of these is counted as
    invalid and shown with its row, never guessed; an item that the data does not hold, or two answers in one run, is an
    error.
    """
    result = intersectional(answers, data, variant=variant, seed=seed, level=level)
    title = f"Intersectional questions, {Path(answers).name}"
    show(result.document(title=title, written=datetime.now(UTC).isoformat(timespec="seconds")), reports)
