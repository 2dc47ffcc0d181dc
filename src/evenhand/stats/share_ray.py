"""Distributions from a reference through observed shares and beyond: the ray that intervals of share metrics follow."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FARTHEST = 60.0
"""Largest difference of log odds that is followed; further out a category is as good as absent."""


def shares_along_ray(origin: Floats, counts: Floats, steps: Floats) -> Floats:
    """Return distributions at steps along rays.

    Parameters
    ----------
    origin
        (C, K) shares where every ray starts, at step 0. A category of share 0 stays at 0.
    counts
        (C, K) counts whose shares every ray passes near, at step 1.
    steps
        (T,), from 0.

    Returns
    -------
    ndarray
        (T, C, K) shares.

    Notes
    -----
    The exponential path p ∝ q·(p̂/q)^t, along which any divergence from q grows, up to a corner of the simplex. The
    observed shares are shrunk by one output's weight towards the origin, so that a category without an output does not
    fix the direction.
    """
    n = counts.sum(axis=1, keepdims=True)
    near = (counts + origin) / (n + 1)
    present = origin > 0
    near = np.where(present, near, 0.0)
    near /= near.sum(axis=1, keepdims=True)
    log_q = np.log(np.where(present, origin, 1.0))
    turn = np.where(present, np.log(np.where(present, near, 1.0)) - log_q, 0.0)
    turn = _somewhere(turn, origin)
    logits = log_q[None] + np.clip(steps[:, None, None] * turn[None], -FARTHEST, FARTHEST)
    logits = np.where(present[None], logits, -np.inf)
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    shares: Floats = weights / weights.sum(axis=2, keepdims=True)
    return shares


def _somewhere(turn: Floats, origin: Floats) -> Floats:
    """Give a ray without a direction one: towards its rarest category, slowly."""
    still = np.abs(turn).max(axis=1) < 1e-3
    if not still.any():
        return turn
    turned = turn.copy()
    rarest = np.argmin(np.where(origin > 0, origin, np.inf), axis=1)
    turned[still, rarest[still]] += 0.05
    return turned
