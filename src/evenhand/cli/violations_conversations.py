"""What a red-team run would ask, and what a stored one asked and got: lines for the terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from evenhand.core.conversations import Turn
from evenhand.core.detections import Decision
from evenhand.core.outcomes import Answered, Blocked
from evenhand.core.red_team import RedTeamSpec
from evenhand.core.types import EvaluationRun
from evenhand.engine.red_team_prepare import PreparedRedTeam


def lines(prepared: PreparedRedTeam) -> Iterator[str]:
    """Say what would be asked, and what it would take at most."""
    spec, price = prepared.spec, prepared.pricing.price
    yield f"Model       {spec.model}"
    yield from _vectors(spec)
    yield f"Turns       {prepared.calls:,} at most (retries come on top; a turn without a reply ends its conversation)"
    sent, limit = _sent_characters(spec), spec.generation.max_tokens
    replies = "the replies sent along have no limit" if limit is None else f"with replies of {limit} tokens sent along"
    yield f"Tokens      about {(sent // 4 + _sent_replies(spec) * (limit or 0)):,} in at most, {replies}"
    if price is None:
        yield "Cost        not known: there is no price for this model"
    elif price.is_free:
        yield "Cost        none"
    else:
        received = prepared.calls * (limit or 0)
        usd = ((sent // 4 + _sent_replies(spec) * (limit or 0)) * price.input_usd + received * price.output_usd) / 1e6
        yield f"Cost        up to about {usd:,.4f} USD (price of {price.as_of})" if limit else "Cost        no limit"
    yield f"Detectors   {', '.join(f'{name} {version}' for name, version in spec.detectors.items())}"
    yield f"Seeds       from {spec.seed}; this adapter's support: {prepared.adapter.capabilities.seeds}"
    yield f"Spec        {spec.digest}"
    yield "Nothing was asked."


def stored_lines(run: EvaluationRun, spec: RedTeamSpec, decisions: Sequence[Decision]) -> Iterator[str]:
    """Say what a stored run asked, of whom, and what came back."""
    sampling: dict[str, object] = {"max tokens": spec.generation.max_tokens, "temperature": spec.generation.temperature}
    sampling |= {"top p": spec.generation.top_p, "system": spec.generation.system}
    yield f"Run         {run.id} ({run.status}), red-team" + (" control" if spec.is_control else "")
    yield f"Begun       {run.created_at}" + (f", ended {run.finished_at}" if run.finished_at else "")
    yield f"Model       {spec.model}" + (" (simulated: no model answered)" if run.model.is_simulated else "")
    yield from _vectors(spec)
    yield f"Sampling    {', '.join(f'{name} {value}' for name, value in sampling.items() if value is not None)}"
    yield f"Seed        {spec.seed}"
    counted = {name: sum(each.status == name for each in decisions) for name in {each.status for each in decisions}}
    yield f"Decisions   {', '.join(f'{count} {name}' for name, count in sorted(counted.items())) or 'none'}"
    yield f"Detectors   {', '.join(f'{name} {version}' for name, version in spec.detectors.items())}"
    yield f"Spec        {run.spec_digest}"


def turn_lines(turns: Sequence[Turn], decisions: Sequence[Decision], *, vector: str | None) -> Iterator[str]:
    """Write every turn as one JSON object a line, with what was decided on it."""
    decided: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for each in decisions:
        said = {"attribute": each.attribute, "decision": each.decision, "status": each.status, "reason": each.reason}
        decided.setdefault((each.vector, each.replicate, each.turn), []).append(said)
    for turn in sorted(turns, key=lambda turn: (turn.vector, turn.replicate, turn.number, turn.side)):
        if vector is None or turn.vector == vector:
            plain = {
                "vector": turn.vector,
                "replicate": turn.replicate,
                "side": turn.side,
                "turn": turn.number,
                "said": turn.said,
                **_outcome(turn),
                "decisions": decided.get((turn.vector, turn.replicate, turn.number), []),
            }
            yield orjson.dumps(plain).decode()


def _outcome(turn: Turn) -> dict[str, str]:
    match turn.output.outcome:
        case Answered(text=text):
            return {"outcome": "answered", "reply": text}
        case Blocked(reason=reason):
            return {"outcome": "blocked", "why_not": reason}
        case failed:
            return {"outcome": "failed", "why_not": failed.error}


def _vectors(spec: RedTeamSpec) -> Iterator[str]:
    paired = sum(vector.is_paired for vector in spec.vectors)
    yield f"Vectors     {len(spec.vectors)}, of which {paired} are run as pairs; {spec.replicates} replicates of each"
    for vector in spec.vectors:
        yield f"            {vector.id}: {len(vector.turns)} turns, {', '.join(vector.attributes)}"


def _sent_characters(spec: RedTeamSpec) -> int:
    """Count what the user and the system say, each time that it is sent."""
    total = 0
    for vector in spec.vectors:
        for side in vector.sides:
            system = len(vector.system_of(side) or "") + len(spec.generation.system or "")
            lengths = [len(text) for text in vector.said(side)]
            total += sum(system + sum(lengths[: number + 1]) for number in range(len(lengths)))
    return total * spec.replicates


def _sent_replies(spec: RedTeamSpec) -> int:
    """Count how many replies are sent along: in turn n, the n − 1 before it."""
    return spec.replicates * sum(len(v.sides) * len(v.turns) * (len(v.turns) - 1) // 2 for v in spec.vectors)
