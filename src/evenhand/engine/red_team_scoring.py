"""Stored turns → decisions, and the end of a red-team run. Needs no model, so that anyone can decide again."""

from collections import Counter
from collections.abc import Mapping, Sequence

from evenhand.core.conversations import Trace, Turn
from evenhand.core.detections import Decision
from evenhand.core.outcomes import Failed
from evenhand.core.red_team import RedTeamSpec
from evenhand.core.types import EvaluationRun, RunId, RunStatus
from evenhand.core.vectors import AttackVector
from evenhand.engine.clock import Clock, timestamp
from evenhand.engine.conversing import Conversation, Key, by_conversation, conversations, cost_of_turns, has_ended
from evenhand.engine.loading import count_outcomes
from evenhand.engine.manifest import manifest, summarise
from evenhand.engine.red_team_prepare import PreparedRedTeam, load_detectors
from evenhand.errors import UsageError
from evenhand.evaluation.detectors.base import Detector
from evenhand.storage.base import Store


def red_team_spec(run: EvaluationRun) -> RedTeamSpec:
    """Return what a red-team run was asked to do.

    Raises
    ------
    UsageError
        If it is a run of another kind.
    """
    if run.kind != "red-team":
        raise UsageError(f"run {run.id} is an {run.kind}, without conversations; evenhand scorecard shows what it says")
    return RedTeamSpec.from_json(run.spec)


def read_traces(store: Store, run_id: RunId, spec: RedTeamSpec) -> list[Trace]:
    """Read the traces of complete replicates: those in which every conversation is at its end.

    A replicate in which one conversation is still open is left out as a whole, so that no vector counts more often
    than another.
    """
    held = by_conversation(store.turns(run_id))
    everything = conversations(spec)
    still_open = {talk.replicate for talk in everything if not has_ended(talk, held.get(talk.key, ()))}
    return [
        _trace(vector, replicate, held)
        for replicate in range(1, spec.replicates + 1)
        if replicate not in still_open
        for vector in spec.vectors
    ]


def score_traces(store: Store, run_id: RunId, spec: RedTeamSpec, detectors: Mapping[str, Detector]) -> list[Decision]:
    """Judge every trace of a run, and store the decisions as a new scoring."""
    found = [
        decision
        for trace in read_traces(store, run_id, spec)
        for decision in detectors[spec.paired if trace.vector.is_paired else spec.unpaired].judge(trace)
    ]
    store.save_decisions(run_id, {each.name: each.version for each in detectors.values()}, found)
    return found


def rescore(store: Store, name: str) -> EvaluationRun:
    """Decide on a stored run again, with the detectors as they are installed; no model is called.

    Raises
    ------
    UsageError
        If it is a run of another kind.
    """
    run = store.get_run(name)
    spec = red_team_spec(run)
    store.claim(run.id)
    try:
        detectors = load_detectors(spec.vectors, paired=spec.paired, unpaired=spec.unpaired)
        score_traces(store, run.id, spec, detectors)
    finally:
        store.release(run.id)
    return run


def close_red_team(store: Store, run_id: RunId, prepared: PreparedRedTeam, clock: Clock) -> None:
    """Write the manifest and the final status of a run that was asked to its end, or to the end of its budget."""
    turns = list(store.turns(run_id))
    held, everything = by_conversation(turns), conversations(prepared.spec)
    cost = cost_of_turns(prepared, store.turns(run_id, every_round=True))
    plain = manifest(
        seed=prepared.spec.seed,
        spec_digest=prepared.spec.digest,
        outcomes=count_outcomes(turn.output.outcome for turn in turns),
        usage=summarise(turn.output for turn in turns),
        requested=prepared.calls,
        cost={**cost, "budget_usd": prepared.budget_usd},
        calibration=(),
    )
    plain["conversations"] = _count(everything, held)
    store.set_status(run_id, _status(everything, held, turns), finished_at=timestamp(clock()), manifest=plain)


def _trace(vector: AttackVector, replicate: int, held: Mapping[Key, Sequence[Turn]]) -> Trace:
    sides = {side: tuple(held[vector.id, replicate, side]) for side in vector.sides}
    return Trace(vector=vector, replicate=replicate, sides=sides)


def _count(everything: Sequence[Conversation], held: Mapping[Key, Sequence[Turn]]) -> dict[str, int]:
    counts: Counter[str] = Counter(planned=len(everything), whole=0, cut_short=0)
    for talk in everything:
        turns = held.get(talk.key, ())
        if has_ended(talk, turns):
            counts["cut_short" if turns[-1].reply is None else "whole"] += 1
    return dict(counts)


def _status(everything: Sequence[Conversation], held: Mapping[Key, Sequence[Turn]], turns: Sequence[Turn]) -> RunStatus:
    if all(isinstance(turn.output.outcome, Failed) for turn in turns):
        return "failed"
    return "complete" if all(has_ended(talk, held.get(talk.key, ())) for talk in everything) else "partial"
