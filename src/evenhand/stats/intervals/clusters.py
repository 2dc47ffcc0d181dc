"""The interval of a rate whose trials come in clusters: replicates of one prompt resemble each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.core.results import Interval
from evenhand.stats.intervals.by_name import level_of, proportion_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredRate:
    """A pooled rate and what it says about clusters like these.

    Attributes
    ----------
    share
        Successes over trials, pooled, in [0, 1].
    interval
        Of the rate among clusters like these; None where it is not defined.
    n_trials, n_clusters
        What it rests on.
    deff
        Design effect, at least 1; None where it cannot be estimated (nothing varies, or one cluster).
    n_effective
        Independent trials that would say as much; None where there is no interval.
    undefined
        Why there is no interval; empty where there is one.
    """

    share: float
    interval: Interval | None
    n_trials: float
    n_clusters: int
    deff: float | None
    n_effective: float | None
    undefined: str = ""


def korn_graubard(
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    method: str = "corrected-wilson",
    level: float | None = None,
    z: float | None = None,
) -> ClusteredRate:
    """Interval for a rate over clusters, at the effective number of trials.

    Parameters
    ----------
    successes
        Shape (m,), per cluster, each from 0 to its trials.
    trials
        Shape (m,), per cluster, each above 0: a cluster without a judged trial says nothing and is left out before.
    method
        Name of the interval computed at the effective number, one of `intervals.METHODS`.
    level, z
        As for `proportion_interval`.

    Returns
    -------
    ClusteredRate
        Without an interval for one cluster: how much clusters differ cannot be seen in one.

    Raises
    ------
    ValueError
        If there is no cluster, or counts of a cluster are no proportion.

    Notes
    -----
    Korn and Graubard (1998), Survey Methodology 24:193-201: n_eff = n/deff · (t(n − 1)/t(m − 1))², with `design_effect`
    kept at 1 or above, then the named interval at n_eff. Where successes, or failures, occur in at most one cluster the
    design effect estimates nothing, and n_eff = m: every cluster counts as one trial.

    Examples
    --------
    >>> from evenhand.stats.intervals import korn_graubard
    >>> rate = korn_graubard([0, 0, 0, 0, 0], [25, 25, 25, 25, 25])
    >>> rate.n_effective, round(rate.interval.high, 3)
    (5.0, 0.434)
    """
    k, n = _per_cluster(successes, trials)
    share, total, clusters = float(k.sum() / n.sum()), float(n.sum()), len(n)
    deff, coverage = design_effect(k, n), level_of(level=level, z=z)
    if clusters == 1:
        return ClusteredRate(
            share=share, interval=None, n_trials=total, n_clusters=1, deff=None, n_effective=None,
            undefined="one cluster does not show how much clusters differ",
        )  # fmt: skip
    confined = min(int((k > 0).sum()), int((k < n).sum())) <= 1
    if confined or deff is None:
        effective = float(clusters)
    else:
        effective = total / deff * _t_ratio(total - 1, clusters - 1, coverage) ** 2
    at = proportion_interval(share * effective, effective, method=method, level=coverage)
    interval = Interval(
        low=at.low, high=at.high, level=coverage, method=f"korn-graubard, {at.method}", target="prompts like these"
    )
    return ClusteredRate(
        share=share, interval=interval, n_trials=total, n_clusters=clusters, deff=deff, n_effective=effective
    )


def design_effect(successes: ArrayLike, trials: ArrayLike) -> float | None:
    """How many times the variance of a pooled rate exceeds that of independent trials; at least 1.

    Parameters
    ----------
    successes, trials
        Shape (m,), per cluster, as for `korn_graubard`.

    Returns
    -------
    float or None
        At least 1: less would claim that clustering helped. None for one cluster, or where no trial, or every one,
        is a success.

    Raises
    ------
    ValueError
        As `korn_graubard`.

    Notes
    -----
    Kish (1965), Survey Sampling: linearised variance of the ratio Σk/Σn between clusters, over p(1 − p)/(n − 1).
    Clusters of one trial each give exactly 1.
    """
    k, n = _per_cluster(successes, trials)
    total, clusters = float(n.sum()), len(n)
    share = float(k.sum() / total)
    if clusters == 1 or share in (0.0, 1.0):
        return None
    between = clusters / (clusters - 1) * float(((k - share * n) ** 2).sum()) / total**2
    return max(1.0, between / (share * (1 - share) / (total - 1)))


def _per_cluster(successes: ArrayLike, trials: ArrayLike) -> tuple[Floats, Floats]:
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    if k.ndim != 1 or k.shape != n.shape or not len(k):
        raise ValueError(f"clusters need one count of successes and one of trials each, not {k.shape} and {n.shape}")
    if not np.all((n > 0) & (k >= 0) & (k <= n)):
        raise ValueError("every cluster needs at least one trial, and from 0 to that many successes")
    return k, n


def _t_ratio(df: float, clusters_df: float, level: float) -> float:
    from scipy.special import stdtrit  # slow to import, and most commands compute no interval

    tail = (1 + level) / 2
    return float(stdtrit(df, tail) / stdtrit(clusters_df, tail))
