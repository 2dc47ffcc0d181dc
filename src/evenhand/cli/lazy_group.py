"""A group of commands by name, each loaded only when it is called."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

Table = Mapping[str, tuple[str, str, str]]
"""Name to module, function, one line of help; the help stands there so that `--help` imports no command."""


class LazyGroup(click.Group):
    """A group that imports a command when it is called or asked for its own help.

    Parameters
    ----------
    table
        Its commands, in the order in which a new user needs them.
    what
        What an unknown name should have been: ``"command"``, ``"command of bbq"``.
    """

    def __init__(self, *args: Any, table: Table, what: str = "command", **settings: Any) -> None:  # Any: click's own
        super().__init__(*args, **settings)
        self._table, self._what = table, what

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order in which a new user needs them."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self._table:
            return None
        module, function, _ = self._table[cmd_name]
        with _nothing_to_collect():
            command: click.Command = getattr(import_module(f"evenhand.cli.{module}"), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say which command was probably meant."""
        is_unknown = args[0] not in self._table and not args[0].startswith("-")
        if is_unknown and not ctx.resilient_parsing:  # a shell that completes is not told about errors
            from evenhand.errors import UnknownNameError

            raise UnknownNameError(self._what, args[0], list(self._table))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands without importing them."""
        commands = [
            CompletionItem(name, help=text) for name, (_, _, text) in self._table.items() if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in self._table.items()])


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    """Look for no garbage among modules: they live until the end, and going through them again and again takes time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()
