"""What a run ran with and what came of it: enough to doubt it, and to repeat it."""

import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from evenhand.core.results import Row
from evenhand.core.types import GeneratedOutput

# the packages whose versions can move a number
_PACKAGES = ("evenhand", "numpy", "scipy", "onnxruntime", "tokenizers", "xllamacpp", "vaderSentiment", "openai")


def versions() -> dict[str, str]:
    """Versions of Python and of every package that can move a number; only those installed."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def summarise(outputs: Iterable[GeneratedOutput]) -> dict[str, Any]:
    """Count model snapshots, tokens and tries."""
    snapshots: Counter[str] = Counter()
    totals = Counter({"input_tokens": 0, "output_tokens": 0, "attempts": 0, "retried_requests": 0})
    for output in outputs:
        snapshots[output.model or "not stated"] += 1
        totals["input_tokens"] += output.usage.input_tokens or 0
        totals["output_tokens"] += output.usage.output_tokens or 0
        totals["attempts"] += len(output.attempts)
        totals["retried_requests"] += len(output.attempts) > 1
    return {"model_snapshots": dict(snapshots), **totals}


def manifest(
    *,
    seed: int,
    spec_digest: str,
    outcomes: Mapping[str, int],
    usage: Mapping[str, Any],
    requested: int,
    cost: Mapping[str, Any],
    calibration: Sequence[Row],
) -> dict[str, Any]:
    """Put the closing manifest of a run together."""
    return {
        "versions": versions(),
        "platform": f"{platform.system()} {platform.machine()}",
        "seed": seed,
        "spec_digest": spec_digest,
        "requested": requested,
        "outcomes": dict(outcomes),
        "cost": dict(cost),
        "calibration": [dict(row) for row in calibration],
        **usage,
    }
