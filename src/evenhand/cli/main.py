"""``evenhand``: the commands by name, each loaded only when it is called."""

import click

from evenhand.cli.errors import reporting_errors
from evenhand.cli.lazy_group import LazyGroup
from evenhand.cli.offline import is_wanted, stay_offline

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


@click.group(
    cls=LazyGroup,
    table=_COMMANDS,
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


def main() -> None:
    """Entry point: run a command; turn our own errors into one clear paragraph and an exit code."""
    with reporting_errors():
        cli.main(prog_name="evenhand", standalone_mode=False)
