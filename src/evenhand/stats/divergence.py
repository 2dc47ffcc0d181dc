"""How far apart, how spread out. Distributions or vectors in, numbers out; bits throughout."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def jsd_bits(p: ArrayLike, q: ArrayLike) -> Floats:
    """Jensen–Shannon divergence along the last axis, in bits.

    Parameters
    ----------
    p, q
        Counts or shares, shape (..., K), broadcast against each other; each row is divided by its sum.

    Returns
    -------
    ndarray
        Shape (...), in [0, 1] bits: 0 for equal distributions, 1 for disjoint ones.

    Raises
    ------
    ValueError
        If an entry is negative or not finite, or a row has sum 0: no distribution, so no divergence.

    Notes
    -----
    Lin (1991), IEEE Trans. Inf. Theory 37:145-151, with equal weights:
    ``H((P+Q)/2) − (H(P)+H(Q))/2``. The divergence itself, not its square root, which is a distance and larger.

    Examples
    --------
    >>> from evenhand.stats.divergence import jsd_bits
    >>> round(float(jsd_bits([9, 1], [0.5, 0.5])), 6)
    0.146793
    """
    p, q = _distributions(p), _distributions(q)
    middle = (p + q) / 2
    # the sum of two Kullback-Leibler terms loses less to cancellation than the difference of entropies
    divergence = (_relative_bits(p, middle) + _relative_bits(q, middle)) / 2
    return _in_unit_range(divergence)


def max_jsd_bits(q: ArrayLike) -> Floats:
    """Largest Jensen–Shannon divergence that any distribution reaches against `q`, in bits.

    Parameters
    ----------
    q
        Reference counts or shares, shape (..., K).

    Returns
    -------
    ndarray
        Shape (...), in [0, 1]; 1 as soon as `q` has a zero, 0 for a single category.

    Raises
    ------
    ValueError
        As `jsd_bits`.

    Notes
    -----
    The divergence is convex in its first argument, so the maximum lies in a corner of the simplex; among the
    corners it falls with the reference's share there, so it is the corner of the rarest category.

    Examples
    --------
    >>> from evenhand.stats.divergence import max_jsd_bits
    >>> [round(float(max_jsd_bits([1] * k)), 4) for k in (2, 3, 5)]
    [0.3113, 0.4591, 0.61]
    """
    rarest = _distributions(q).min(axis=-1)
    at_corner = np.log2(2 / (1 + rarest)) + _x_log2(rarest, 2 * rarest / (1 + rarest)) + (1 - rarest)
    return _in_unit_range(at_corner / 2)


def normalised_jsd(p: ArrayLike, q: ArrayLike) -> Floats:
    """Divergence as a share of the largest one that can be reached against `q`, in [0, 1].

    Raises
    ------
    ValueError
        As `jsd_bits`, and for a reference with one category, against which nothing can diverge.
    """
    largest = max_jsd_bits(q)
    if np.any(largest == 0):
        raise ValueError("a reference with one category leaves no room to diverge")
    return _in_unit_range(jsd_bits(p, q) / largest)


def entropy_bits(counts: ArrayLike) -> Floats:
    """Shannon entropy along the last axis, in bits, in [0, log2 K].

    Raises
    ------
    ValueError
        As `jsd_bits`.
    """
    p = _distributions(counts)
    bits: Floats = np.abs(_x_log2(p, p).sum(axis=-1))  # the sum is −H; abs also avoids printing −0
    return bits


def normalised_entropy(counts: ArrayLike, k: int) -> Floats:
    """Entropy as a share of the largest one over `k` declared categories, in [0, 1].

    Parameters
    ----------
    counts
        Counts or shares, shape (..., up to k); a category that is not listed has count 0.
    k
        Categories that are possible, whether or not they appeared.

    Raises
    ------
    ValueError
        As `jsd_bits`; also if `k` is below 2 or more than `k` categories are listed.

    Examples
    --------
    >>> from evenhand.stats.divergence import normalised_entropy
    >>> round(float(normalised_entropy([50, 50, 0], 3)), 3), round(float(normalised_entropy([5, 5], 5)), 3)
    (0.631, 0.431)
    """
    if k < 2:
        raise ValueError(f"diversity needs at least two possible categories, not {k}")
    if np.shape(counts)[-1] > k:
        raise ValueError(f"{np.shape(counts)[-1]} categories are listed, but only {k} are declared")
    return _in_unit_range(entropy_bits(counts) / np.log2(k))


def vendi_score(embeddings: ArrayLike) -> float:
    """Effective number of distinct vectors as a share of their number, in [1/n, 1].

    Parameters
    ----------
    embeddings
        Shape (n, d), n ≥ 1; rows of any non-zero length, compared by cosine.

    Raises
    ------
    ValueError
        If there is no row, a row is zero, or an entry is not finite.

    Notes
    -----
    Friedman and Dieng (2023), TMLR: ``exp`` of the entropy of the eigenvalues of the similarity matrix over n,
    here divided by n. ``U Uᵀ`` and ``Uᵀ U`` share their non-zero eigenvalues, so the smaller of the two is solved.
    A few equal rows already score low by construction: n equal rows score 1/n.
    """
    unit = unit_rows(embeddings)
    n, d = unit.shape
    if n == 0:
        raise ValueError("no vectors, so no diversity")
    gram = unit.T @ unit if n > d else unit @ unit.T
    eigenvalues = np.clip(np.linalg.eigvalsh(gram / n), 0.0, None)
    entropy_nats = float(entropy_bits(eigenvalues)) * np.log(2)
    return float(np.clip(np.exp(entropy_nats) / n, 1 / n, 1.0))


def unit_rows(vectors: ArrayLike) -> Floats:
    """Scale each row of (n, d) to length 1.

    Raises
    ------
    ValueError
        If a row is zero or not finite: it has no direction.
    """
    rows: Floats = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"expected vectors as rows of a matrix, not an array with {rows.ndim} axes")
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    if not np.all(np.isfinite(length) & (length > 0)):
        raise ValueError("a vector that is zero or not finite has no direction")
    scaled: Floats = rows / length[:, None]
    return scaled


def _distributions(weights: ArrayLike) -> Floats:
    w = np.asarray(weights, dtype=np.float64)
    if w.ndim == 0 or w.shape[-1] == 0:
        raise ValueError("a distribution needs at least one category")
    if not np.all(np.isfinite(w)) or np.any(w < 0):
        raise ValueError("counts and shares must be finite and not negative")
    total = w.sum(axis=-1, keepdims=True)
    if np.any(total == 0):
        raise ValueError("all counts are zero: no distribution")
    shares: Floats = w / total
    return shares


def _relative_bits(p: Floats, middle: Floats) -> Floats:
    # the middle is zero only where p is: the ratio there counts nothing, whatever it is
    ratio = np.divide(p, middle, out=np.ones(np.broadcast_shapes(p.shape, middle.shape)), where=middle > 0)
    total: Floats = _x_log2(p, ratio).sum(axis=-1)
    return total


def _x_log2(x: Floats, y: Floats) -> Floats:
    """Return x·log2(y), 0 where x is 0."""
    product: Floats = x * np.log2(np.where(x > 0, y, 1.0))
    return product


def _in_unit_range(x: Floats) -> Floats:
    """Clip what rounding pushed out of [0, 1]."""
    clipped: Floats = np.clip(x, 0.0, 1.0)
    return clipped
