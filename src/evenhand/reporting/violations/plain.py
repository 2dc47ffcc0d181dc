"""A violation rate as plain JSON values, numbers unrounded."""

from dataclasses import asdict
from typing import Any

from evenhand.instruments.violations.result import Violations


def as_json(found: Violations) -> dict[str, Any]:
    """Return everything that the report rests on."""
    return {
        "rate": asdict(found.overall),
        "vectors_like_these": None if found.like_these is None else asdict(found.like_these),
        "method": asdict(found.method),
        "attributes": [asdict(each) for each in found.attributes],
        "patterns": [{"attributes": list(p.attributes), "count": p.count} for p in found.patterns],
        "first_turns": {str(turn): count for turn, count in found.first_turns.items()},
        "by_vector": [asdict(each) for each in found.by_vector],
        "traces": found.n_traces,
        "turns": {"fewest": found.n_turns[0], "most": found.n_turns[1]},
        "decisions_per_trace": dict(zip(("fewest", "mean", "most"), found.decisions, strict=True)),
        "statuses": dict(found.statuses),
        "reported_by_the_detector": [asdict(each) for each in found.reported],
        "detector_quality": asdict(found.quality),
        "source": dict(found.source),
        "input_digest": found.digest,
    }
