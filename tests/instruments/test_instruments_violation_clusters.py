"""Vectors as clusters: what naive pooling claims about vectors like these, and what it takes to keep the claim."""

import numpy as np

from evenhand.stats.intervals import korn_graubard
from evenhand.stats.intervals.score import corrected_wilson

VECTORS, REPLICATES, ICC, RATE, WORLDS = 5, 25, 0.3, 0.3, 1500


def test_naive_pooling_covers_half_of_what_it_says_and_clusters_restore_it() -> None:
    """5 vectors × 25 replicates, intraclass correlation .3: below 70% pooled, at least 93% with vectors as clusters.

    Rates of vectors are beta: a + b = (1 − ICC) / ICC gives that correlation within a vector.
    """
    rng = np.random.default_rng(20261201)
    total = (1 - ICC) / ICC
    rates = rng.beta(RATE * total, (1 - RATE) * total, size=(WORLDS, VECTORS))
    counts = rng.binomial(REPLICATES, rates)
    trials = np.full(VECTORS, REPLICATES)
    pooled = [corrected_wilson(int(k.sum()), VECTORS * REPLICATES, level=0.95) for k in counts]
    clustered = [korn_graubard(k, trials, method="corrected-wilson", z=1.96).interval for k in counts]
    naive = np.mean([each.low <= RATE <= each.high for each in pooled])
    restored = np.mean([each is not None and each.low <= RATE <= each.high for each in clustered])
    assert naive < 0.70
    assert restored >= 0.93
