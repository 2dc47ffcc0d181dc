"""``evenhand bbq``: the commands by name, each loaded only when it is called."""

import click

from evenhand.cli.lazy_group import LazyGroup

_COMMANDS = {
    "run": ("bbq_run", "run", "Put the questions to a model, several times, and score its answers."),
    "score": ("bbq_score", "score", "Score answers, without a model."),
    "fetch": ("bbq_fetch", "fetch", "Download the published items, checked against their sha256."),
}


@click.group(
    cls=LazyGroup,
    table=_COMMANDS,
    what="command of bbq",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.pass_context
def bbq(ctx: click.Context) -> None:
    """Questions about two people, in the schema of BBQ: does a model follow stereotypes where the text says nothing,
    and where it says the opposite?
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
