"""Two samples of labels under one law: enumerated, drawn, and by brute force over rows."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from evenhand.stats.label_divergence import one_law

HALVES = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])


def _brute_force(rows, n):
    """Mean and mid-p over all ways to choose which rows are the base's, with scipy's divergence."""
    everyone = set(range(len(rows)))

    def bits(chosen):
        p, q = (rows[list(side)].sum(axis=0) for side in (chosen, everyone - set(chosen)))
        return jensenshannon(p, q, base=2) ** 2

    values = np.array([bits(chosen) for chosen in combinations(range(len(rows)), n)])
    same = np.abs(values - values[0]) < 1e-9  # the first choice is the first n rows
    p_value = 1.0 if same.all() else ((values > values[0]) & ~same).mean() + same.mean() / 2
    return values.mean(), p_value


@given(st.lists(st.integers(0, 2), min_size=2, max_size=5), st.lists(st.integers(0, 2), min_size=2, max_size=5))
@settings(max_examples=40)
def test_the_law_is_that_of_permuted_rows(base, group):
    """Also where an output shows two people, and counts half for each."""
    counts = [np.bincount(side, minlength=3) for side in (base, group)]
    law = one_law(*counts, HALVES, draws=9, rng=np.random.default_rng(0))
    mean, p_value = _brute_force(HALVES[[*base, *group]], len(base))
    assert law.exact
    assert (law.expected, law.p_value) == (pytest.approx(mean, abs=1e-9), pytest.approx(p_value, abs=1e-9))


def test_the_worked_example_could_not_have_been_otherwise():
    """One A among twenty outputs: .052 bits on either side, so nothing could have been seen."""
    law = one_law(np.array([1, 9]), np.array([0, 10]), np.eye(2), draws=9, rng=np.random.default_rng(0))
    assert law.expected == pytest.approx(0.0519, abs=5e-5)
    assert law.p_value == 1


def test_opposite_samples_are_seen():
    """Ten A against ten B: two of the 184,756 divisions are as far apart, and count half."""
    law = one_law(np.array([10, 0]), np.array([0, 10]), np.eye(2), draws=9, rng=np.random.default_rng(0))
    assert law.p_value == pytest.approx(1 / 184_756)


def test_drawn_divisions_agree_with_enumerated_ones(monkeypatch):
    """To the error of 20,000 draws."""
    base, group, rng = np.array([7, 2, 1]), np.array([3, 4, 3]), np.random.default_rng(0)
    exact = one_law(base, group, np.eye(3), draws=9, rng=rng)
    monkeypatch.setattr("evenhand.stats.label_divergence.MOST_OUTCOMES", 0)
    drawn = one_law(base, group, np.eye(3), draws=20_000, rng=rng)
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.expected == pytest.approx(exact.expected, rel=0.02)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.012)
