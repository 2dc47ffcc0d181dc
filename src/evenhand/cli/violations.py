"""``evenhand violations``: the commands by name, each loaded only when it is called."""

import click

from evenhand.cli.lazy_group import LazyGroup

_COMMANDS = {
    "score": ("violations_score", "score", "Violation rate of decisions that a detector has made already."),
    "run": ("violations_run", "run", "Put attack vectors to a model, and print the violation rate."),
    "rescore": ("violations_rescore", "rescore", "Decide on a stored red-team run again, without a model."),
    "vectors": ("violations_vectors", "vectors", "List the attack vectors, or show what is said in a set."),
}


@click.group(
    cls=LazyGroup,
    table=_COMMANDS,
    what="command of violations",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.pass_context
def violations(ctx: click.Context) -> None:
    """Turn a bias detector's yes and no per turn and attribute into one violation rate with its interval."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
