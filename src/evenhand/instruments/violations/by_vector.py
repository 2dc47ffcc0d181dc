"""Several attack vectors: each by itself, and the two things that all of them together can speak about."""

from dataclasses import dataclass

import numpy as np

from evenhand.core.detections import DetectionMatrix
from evenhand.instruments.violations.rate import Method, Rate, rate
from evenhand.stats.intervals import ClusteredRate, korn_graubard


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorRate:
    """The rate of one vector, over its replicates."""

    vector: str
    rate: Rate


def overall_rate(matrix: DetectionMatrix, method: Method) -> Rate:
    """Compute the rate over all traces; it speaks about these vectors."""
    return _rate(matrix, np.ones(len(matrix), dtype=bool), method)


def vector_rates(matrix: DetectionMatrix, method: Method) -> tuple[VectorRate, ...]:
    """Compute each vector's rate, in the order of the matrix."""
    return tuple(
        VectorRate(vector=name, rate=_rate(matrix, matrix.vector == code, method))
        for code, name in enumerate(matrix.vectors)
    )


def vectors_like_these(matrix: DetectionMatrix, method: Method) -> ClusteredRate | None:
    """Compute the rate among vectors like these, with the vectors as clusters; None without an observed trace.

    A vector without an observed trace says nothing and is left out.
    """
    observed, fired = matrix.observed, matrix.composite & matrix.observed
    trials = np.bincount(matrix.vector[observed], minlength=len(matrix.vectors))
    successes = np.bincount(matrix.vector[fired], minlength=len(matrix.vectors))
    asked = trials > 0
    if not asked.any():
        return None
    return korn_graubard(successes[asked], trials[asked], method=method.name, z=method.z)


def _rate(matrix: DetectionMatrix, rows: np.ndarray, method: Method) -> Rate:
    observed = matrix.observed & rows
    return rate(
        int((matrix.composite & observed).sum()),
        int(observed.sum()),
        undetermined=int((matrix.undetermined & observed).sum()),
        unobserved=int((rows & ~matrix.observed).sum()),
        method=method,
    )
