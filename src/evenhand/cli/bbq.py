"""``evenhand bbq``: the commands by name, each loaded only when it is called."""

from importlib import import_module

import click
from click.shell_completion import CompletionItem

# name → (module, function, one line of help); the help stands here so that `--help` imports no command
_COMMANDS = {
    "run": ("bbq_run", "run", "Put the questions to a model, several times, and score its answers."),
    "score": ("bbq_score", "score", "Score answers, without a model."),
    "fetch": ("bbq_fetch", "fetch", "Download the published items, checked against their sha256."),
}


class BbqGroup(click.Group):
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

            raise UnknownNameError("command of bbq", args[0], list(_COMMANDS))
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
    cls=BbqGroup,
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
