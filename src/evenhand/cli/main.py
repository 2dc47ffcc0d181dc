"""``evenhand``: the commands by name, each loaded only when it is called."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from evenhand.cli.errors import reporting_errors
from evenhand.cli.offline import is_wanted, stay_offline

# name → (module, function, one line of help); the help stands here so that `--help` imports no command
_COMMANDS = {
    "init": ("init", "init", "Write a commented benchmark spec to start from."),
    "plan": ("plan", "plan", "Say how many replicates an audit needs, and what it costs."),
    "run": ("run", "run", "Audit a model with a scenario set or a benchmark spec."),
    "scorecard": ("scorecard", "scorecard", "Print what a run says; write it as HTML, Markdown, JSON, JUnit."),
    "score": ("score", "score", "Compute a run's metrics again from what is stored."),
    "compare": ("compare", "compare", "Say what moved beyond noise between runs of one plan."),
    "show": ("show", "show", "Show what was asked in a run and what came back."),
    "export": ("export", "export", "Write every answer of a run as JSON lines, CSV or Parquet."),
    "violations": ("violations", "violations", "Violation rate of a detector; red-team runs."),
    "bbq": ("bbq", "bbq", "Intersectional questions about two people: ask, score, fetch."),
    "runs": ("runs", "runs", "List stored runs."),
    "scenarios": ("scenarios", "scenarios", "List scenario sets, or show one."),
    "metrics": ("metrics", "metrics", "List the metrics, or explain one."),
    "baselines": ("baselines", "baselines", "List reference shares, or show one with its source."),
    "adapters": ("adapters", "adapters", "List the providers of models, and what each can do."),
    "models": ("models", "models", "List and pull pinned model files."),
    "doctor": ("doctor", "doctor", "Say what is installed, what is missing, and how to get it."),
    "completion": ("completion", "completion", "Print the script that lets a shell complete names."),
}


class LazyGroup(click.Group):
    """A group that imports a command when it is called or asked for its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order in which a new user needs them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in _COMMANDS:
            return None
        module, function, _ = _COMMANDS[cmd_name]
        with _nothing_to_collect():
            command: click.Command = getattr(import_module(f"evenhand.cli.{module}"), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say which command was probably meant."""
        is_unknown = args[0] not in _COMMANDS and not args[0].startswith("-")
        if is_unknown and not ctx.resilient_parsing:  # a shell that completes is not told about errors
            from evenhand.errors import UnknownNameError

            raise UnknownNameError("command", args[0], list(_COMMANDS))
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
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="evenhand", message="evenhand %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Measure whether a generative model treats people evenly.

    Start with:  evenhand run gender_occupation --model local/smollm2-135m

    Exit codes: 0 done and the gate held, 1 the gate failed, 2 bad input, 3 the model failed for every request,
    4 partial, 130 interrupted.
    """
    if is_wanted():
        stay_offline(ctx)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    """Look for no garbage among modules: they live until the end, and going through them again and again takes time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


def main() -> None:
    """Entry point: run a command; turn our own errors into one clear paragraph and an exit code."""
    with reporting_errors():
        cli.main(prog_name="evenhand", standalone_mode=False)
