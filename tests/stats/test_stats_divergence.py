"""Divergence, entropy and diversity: worked values, bounds, undefined inputs, and scipy as an oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from evenhand.stats.divergence import (
    entropy_bits,
    jsd_bits,
    max_jsd_bits,
    normalised_entropy,
    normalised_jsd,
    unit_rows,
    vendi_score,
)

counts = st.integers(2, 6).flatmap(
    lambda k: st.tuples(*[arrays(float, k, elements=st.floats(0.0, 1000.0)).filter(lambda w: w.sum() > 0.001)] * 2)
)


@pytest.mark.parametrize(
    ("p", "q", "bits"),
    [([1, 0], [0, 1], 1.0), ([100, 0], [0.5, 0.5], 0.3113), ([90, 10], [0.5, 0.5], 0.1468), ([1, 9], [0, 10], 0.0519)],
)
def test_divergence_has_the_worked_values(p, q, bits):
    """Disjoint is 1 bit; the others are worked in the definition of the metrics."""
    assert jsd_bits(p, q) == pytest.approx(bits, abs=5e-5)


@given(counts)
def test_divergence_is_the_square_of_scipys_base_two_distance(pair):
    """scipy returns the square root."""
    p, q = pair
    assert jsd_bits(p, q) == pytest.approx(jensenshannon(p, q, base=2) ** 2, abs=1e-9)


@given(counts)
def test_divergence_is_symmetric_and_at_most_the_reachable_maximum(pair):
    """Swapping changes nothing; no distribution beats the corner of the rarest category."""
    p, q = pair
    assert jsd_bits(p, q) == pytest.approx(float(jsd_bits(q, p)), abs=1e-12)
    assert 0 <= jsd_bits(p, q) <= max_jsd_bits(q) + 1e-12


@given(counts, st.randoms())
def test_divergence_ignores_the_order_of_categories(pair, random):
    """Relabelling both distributions alike leaves it unchanged."""
    p, q = pair
    order = list(range(len(p)))
    random.shuffle(order)
    assert jsd_bits(p[order], q[order]) == pytest.approx(float(jsd_bits(p, q)), abs=1e-12)


@given(arrays(float, 4, elements=st.floats(0.0, 100.0)).filter(lambda w: w.sum() > 0.01))
def test_the_reachable_maximum_is_the_best_corner(q):
    """The divergence is convex, so trying every corner finds the maximum."""
    assert max_jsd_bits(q) == pytest.approx(max(float(jsd_bits(corner, q)) for corner in np.eye(4)), abs=1e-12)


@pytest.mark.parametrize(("k", "bits"), [(2, 0.3113), (3, 0.4591), (5, 0.6100)])
def test_the_maximum_against_uniform_has_the_worked_values(k, bits):
    """Worked for two, three and five categories."""
    assert max_jsd_bits([1] * k) == pytest.approx(bits, abs=5e-5)


def test_rows_are_computed_together():
    """A matrix gives what its rows give one by one."""
    p, q = np.array([[1, 0, 0], [2, 3, 5], [0, 1, 1]]), np.array([[1, 1, 1], [0.2, 0.3, 0.5], [1, 0, 0]])
    assert jsd_bits(p, q) == pytest.approx([float(jsd_bits(a, b)) for a, b in zip(p, q, strict=True)])
    assert max_jsd_bits(q) == pytest.approx([float(max_jsd_bits(b)) for b in q])
    assert normalised_jsd(p, q) == pytest.approx(jsd_bits(p, q) / max_jsd_bits(q))


@pytest.mark.parametrize("bad", [[0, 0], [1, -1], [np.nan, 1], [np.inf, 1], []])
def test_what_is_no_distribution_is_refused(bad):
    """No counts, negative counts, not finite, no categories: never a number."""
    for call in (lambda: jsd_bits(bad, [1, 1]), lambda: max_jsd_bits(bad), lambda: entropy_bits(bad)):
        with pytest.raises(ValueError):
            call()


def test_one_category_has_no_normalised_divergence():
    """Nothing can diverge from a certainty with one category: 0/0, not 0."""
    with pytest.raises(ValueError, match="one category"):
        normalised_jsd([3], [1])


@given(arrays(float, 5, elements=st.floats(0.0, 1000.0)).filter(lambda w: w.sum() > 0.001))
def test_entropy_agrees_with_scipy(w):
    """Same counts, base 2."""
    assert entropy_bits(w) == pytest.approx(entropy(w, base=2), abs=1e-9)


@pytest.mark.parametrize(
    ("w", "k", "share"), [([50, 50, 0], 3, 0.631), ([5, 5], 5, 0.431), ([7], 2, 0.0), ([3, 3, 3], 3, 1.0)]
)
def test_normalised_entropy_divides_by_what_is_declared(w, k, share):
    """An erased category counts in K."""
    assert normalised_entropy(w, k) == pytest.approx(share, abs=5e-4)


def test_normalised_entropy_refuses_impossible_declarations():
    """One category has no diversity; more listed than declared is a contradiction."""
    with pytest.raises(ValueError, match="at least two"):
        normalised_entropy([3], 1)
    with pytest.raises(ValueError, match="declared"):
        normalised_entropy([1, 1, 1], 2)


def test_vendi_of_orthogonal_vectors_is_one_and_of_equal_ones_one_over_n():
    """n distinct things count n; n copies count 1."""
    assert vendi_score(np.eye(6)) == pytest.approx(1.0)
    assert vendi_score(np.ones((8, 3))) == pytest.approx(1 / 8)


def test_vendi_of_two_pairs_is_two_of_four():
    """Two copies each of two orthogonal vectors: eigenvalues ½ and ½, so two effective vectors."""
    assert vendi_score(np.array([[1, 0], [1, 0], [0, 1], [0, 3]])) == pytest.approx(0.5)


def test_vendi_is_the_same_from_either_gram_matrix():
    """More vectors than dimensions uses the small matrix; the full one is the definition."""
    unit = unit_rows(np.random.default_rng(3).normal(size=(40, 7)))
    eigenvalues = np.linalg.eigvalsh(unit @ unit.T / 40)
    expected = np.exp(entropy(np.clip(eigenvalues, 0, None))) / 40
    assert vendi_score(unit) == pytest.approx(expected)


def test_vectors_without_a_direction_are_refused():
    """A zero row, a NaN row and no row at all."""
    for bad in (np.zeros((2, 3)), np.full((2, 3), np.nan), np.zeros((0, 3)), np.zeros(3)):
        with pytest.raises(ValueError):
            vendi_score(bad)
