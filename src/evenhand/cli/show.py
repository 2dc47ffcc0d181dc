"""``evenhand show``: what a run is: what was asked, of whom, what came back; every answer on request."""

from collections.abc import Iterator

import click

from evenhand.api.answers import answer_rows
from evenhand.cli.options import run_argument, store_option
from evenhand.cli.violations_conversations import stored_lines, turn_lines
from evenhand.core.spec import AuditSpec
from evenhand.core.types import EvaluationRun
from evenhand.engine import FairBenchEngine
from evenhand.engine.red_team_scoring import red_team_spec
from evenhand.errors import UsageError
from evenhand.storage.records import Counts


@click.command()
@run_argument
@click.option("--answers", is_flag=True, help="Print every answer with its evaluations, one JSON object a line.")
@click.option("--scenario", metavar="ID", help="With --answers: of this scenario, or attack vector, alone.")
@store_option
def show(*, run_id: str, answers: bool, scenario: str | None, store: str | None) -> None:
    """Show what was asked in RUN, of which model, and what came back; with --answers, every answer.

    RUN is an id, the beginning of one, or "latest" (the default). `evenhand scorecard` shows what the answers amount
    to.
    """
    if scenario and not answers:
        raise UsageError("--scenario chooses among answers; give --answers too")
    engine = FairBenchEngine(store)
    try:
        run = engine.get_run(run_id)
        if run.kind == "red-team":
            lines = _conversations(engine, run, answers=answers, vector=scenario)
        elif answers:
            lines = answer_rows(engine.outputs(run.id), scenario=scenario)
        else:
            lines = _lines(run, engine.store.counts(run.id))
        for line in lines:
            click.echo(line)
    finally:
        engine.close()


def _conversations(engine: FairBenchEngine, run: EvaluationRun, *, answers: bool, vector: str | None) -> Iterator[str]:
    decisions = engine.store.decisions(run.id)
    if answers:
        return turn_lines(list(engine.store.turns(run.id)), decisions, vector=vector)
    return stored_lines(run, red_team_spec(run), decisions)


def _lines(run: EvaluationRun, counts: Counts) -> Iterator[str]:
    spec = AuditSpec.from_json(run.spec)
    sampling = {
        "max tokens": spec.generation.max_tokens,
        "temperature": spec.generation.temperature,
        "top p": spec.generation.top_p,
        "system": spec.generation.system,
    }
    yield f"Run         {run.id} ({run.status})"
    yield f"Begun       {run.created_at}" + (f", ended {run.finished_at}" if run.finished_at else "")
    yield f"Model       {spec.model}" + (" (simulated: no model answered)" if run.model.is_simulated else "")
    for name, value in run.model.details.items():
        if isinstance(value, (str, int, float)):  # longer declarations are in the JSON report's manifest
            yield f"            {name.replace('_', ' ')}: {value}"
    for group in spec.scenario_sets:
        yield f"Asked       {' '.join(part for part in (group.name, group.version) if part)}: " + (
            f"{len(group.scenarios)} scenarios, {spec.replicates} replicates of each prompt"
        )
    yield f"Sampling    {', '.join(f'{name} {value}' for name, value in sampling.items() if value is not None)}"
    yield f"Seed        {spec.seed}"
    yield f"Came back   {counts.answered} answered, {counts.blocked} blocked, {counts.failed} failed"
    for name, judged in counts.evaluations.items():
        yield f"Evaluated   {name} {judged.version}: {judged.judged} judged, {judged.could_not_judge} could not be"
    if spec.skipped_evaluators:
        yield f"Skipped     {', '.join(spec.skipped_evaluators)}"
    yield f"Metrics     {', '.join(spec.metrics)}; bands {spec.bands}"
    yield f"Spec        {run.spec_digest}"
