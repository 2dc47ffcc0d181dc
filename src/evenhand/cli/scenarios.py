"""``evenhand scenarios``: which sets there are, and what is in one."""

import click

from evenhand.cli.tables import stdout, table
from evenhand.core.types import ScenarioSet
from evenhand.scenarios.generator import CounterfactualGenerator
from evenhand.scenarios.registry import ScenarioRegistry


@click.command()
@click.argument("name", required=False, metavar="[SET|FILE]")
@click.option("--verbose", is_flag=True, expose_value=False, help="Show tracebacks of errors.")
def scenarios(*, name: str | None) -> None:
    """List the scenario sets, or show every prompt of one (which also checks a file)."""
    registry = ScenarioRegistry()
    if name is None:
        _list(registry)
    else:
        _show(registry.get(name))


def _list(registry: ScenarioRegistry) -> None:
    columns = ("set", "version", "scenarios", "prompts", "attributes", "what it asks")
    rows = [
        (s.name, s.version, str(s.scenarios), str(s.prompts), ", ".join(s.attributes), s.problem or s.description)
        for s in registry.summaries()
    ]
    stdout().print(table(columns, rows))


def _show(group: ScenarioSet) -> None:
    console = stdout()
    console.print(f"{group.name} {group.version}: {group.description}", markup=False)
    rows = [(p.scenario_id, str(p.condition), p.text) for p in CounterfactualGenerator().expand(group)]
    console.print(table(("scenario", "condition", "prompt"), rows))
