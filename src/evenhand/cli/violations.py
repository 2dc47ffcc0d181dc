"""``evenhand violations``: the commands by name, each loaded only when it is called."""

from importlib import import_module

import click
from click.shell_completion import CompletionItem

# name → (module, function, one line of help); the help stands here so that `--help` imports no command
_COMMANDS = {
    "score": ("violations_score", "score", "Violation rate of decisions that a detector has made already."),
    "run": ("violations_run", "run", "Put attack vectors to a model, and print the violation rate."),
    "rescore": ("violations_rescore", "rescore", "Decide on a stored red-team run again, without a model."),
    "vectors": ("violations_vectors", "vectors", "List the attack vectors, or show what is said in a set."),
}


class ViolationsGroup(click.Group):
    """A group that imports a command when it is called or asked for its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order in which a new user needs them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in _COMMANDS:
            return None
        module, function, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"evenhand.cli.{module}"), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say which command was probably meant."""
        if args[0] not in _COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from evenhand.errors import UnknownNameError

            raise UnknownNameError("command of violations", args[0], list(_COMMANDS))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands without importing them."""
        commands = [
            CompletionItem(name, help=text) for name, (_, _, text) in _COMMANDS.items() if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in _COMMANDS.items()])


@click.group(
    cls=ViolationsGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.pass_context
def violations(ctx: click.Context) -> None:
    """Turn a bias detector's yes and no per turn and attribute into one violation rate with its interval."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
