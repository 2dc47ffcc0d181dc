"""``evenhand violations rescore``: decide on a stored red-team run again, without a model."""

import click

from evenhand.api.red_team import load_red_team
from evenhand.cli.options import run_argument, store_option
from evenhand.cli.violations_results import Wanted, result_options, show_result


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@run_argument
@result_options
@store_option
def rescore(*, run_id: str, wanted: Wanted, store: str | None) -> None:
    """Decide on every stored turn of RUN again, with the detectors as they are installed. No model is called.

    RUN is an id, the beginning of one, or "latest" (the default). The new decisions are stored beside the old ones.
    """
    show_result(load_red_team(run_id, store=store, again=True), wanted)
