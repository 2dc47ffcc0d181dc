"""Excess distances and their permutation law: by brute force, and by hand."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.stats.energy import label_means, null_scale, permuted_excess, projections
from evenhand.stats.null_law import null_law
from evenhand.stats.pairwise import absolute_to_labels, cosine_to_labels

numbers = st.lists(st.integers(0, 20), min_size=4, max_size=9)


def _absolute(x):
    x = np.asarray(x, dtype=np.float32)
    return np.abs(x[:, None] - x[None])


def _excess(base, group):
    """The definition: mean over pairs between, less half the means over pairs within."""
    within = [np.mean([abs(a - b) for a, b in combinations(side, 2)]) for side in (base, group)]
    return np.mean([abs(a - b) for a, b in product(base, group)]) - sum(within) / 2


@given(numbers, numbers)
@settings(max_examples=40)
def test_the_excess_is_that_of_every_pair(base, group):
    """As a mean of projections, and as the first row of the permutations."""
    label = np.repeat([0, 1], [len(base), len(group)])
    distance = _absolute([*base, *group])
    found = projections(label_means(distance, label, 1), label)
    assert found.excess[0] == pytest.approx(_excess(base, group), abs=1e-5)
    assert found.between[0] == pytest.approx(np.mean([abs(a - b) for a, b in product(base, group)]), abs=1e-5)
    drawn = permuted_excess(distance, label, 1, draws=3, rng=np.random.default_rng(0))
    assert drawn[0, 0] == pytest.approx(_excess(base, group), abs=1e-5)


def test_permutations_are_all_divisions_equally_often():
    """Six numbers in two threes: the twenty divisions, each in a twentieth of the draws, and the exact p."""
    x = np.array([0, 1, 3, 4, 9, 12])
    exact = []
    for chosen in combinations(range(6), 3):
        rest = [i for i in range(6) if i not in chosen]
        exact.append(_excess(x[list(chosen)], x[rest]))
    label = np.array([0, 0, 0, 1, 1, 1])
    drawn = permuted_excess(_absolute(x), label, 1, draws=20_000, rng=np.random.default_rng(1))[:, 0]
    values, times = np.unique(np.round(drawn[1:], 4), return_counts=True)
    expected, ways = np.unique(np.round(exact, 4), return_counts=True)
    assert values == pytest.approx(expected, abs=2e-4)
    assert times / 20_000 == pytest.approx(ways / 20, abs=0.012)
    exact_p = sum(e > exact[0] + 1e-9 for e in exact) / 20 + sum(abs(e - exact[0]) < 1e-9 for e in exact) / 40
    assert null_law(float(drawn[0]), drawn[1:]).p_value == pytest.approx(exact_p, abs=0.01)


def test_exchangeable_rows_have_no_excess_on_average():
    """The mean over all divisions is 0: the distance between is half of those within, whatever the rows."""
    x = np.array([0, 0, 1, 7, 7, 7.5, 30])
    divisions = [_excess(x[list(c)], x[[i for i in range(7) if i not in c]]) for c in combinations(range(7), 3)]
    assert np.mean(divisions) == pytest.approx(0, abs=1e-12)


def test_groups_of_one_block_share_their_base():
    """A base far from everything moves all groups together."""
    rng = np.random.default_rng(3)
    label = np.repeat([0, 1, 2], 6)
    drawn = permuted_excess(_absolute(rng.normal(size=18)), label, 2, draws=4_000, rng=rng)[1:]
    assert np.corrcoef(drawn.T)[0, 1] > 0.2


def test_the_scatter_without_effect_shrinks_as_stated():
    """Twice the rows, about half the scatter: as in draws."""
    rng = np.random.default_rng(4)
    few, many = (
        [
            permuted_excess(_absolute(rng.normal(size=2 * n)), np.repeat([0, 1], n), 1, draws=400, rng=rng)[1:]
            for _ in range(30)
        ]
        for n in (6, 12)
    )
    seen = np.sqrt(np.mean([d.var() for d in many]) / np.mean([d.var() for d in few]))
    assert null_scale(np.array([12, 12]), np.array([6, 6]))[0] == pytest.approx(seen, rel=0.08)
    assert null_scale(np.array([5, 9]), np.array([5, 9]))[0] == 1


def test_variances_are_those_of_what_each_row_adds():
    """A base row adds its mean distances to both groups, weighted; numpy's variance of that, per row."""
    rng = np.random.default_rng(5)
    label, weights = np.repeat([0, 1, 2], [4, 5, 6]), np.array([0.7, 0.3])
    distance = _absolute(rng.normal(size=15))
    found = projections(label_means(distance, label, 2), label)
    to = [distance[:, label == g].sum(axis=1) / ((label == g).sum() - (label == g)) for g in range(3)]
    adds = (0.7 * to[1] + 0.3 * to[2])[label == 0]
    assert weights @ found.base_between @ weights == pytest.approx(np.var(adds, ddof=1) / 4, rel=1e-5)
    over = (adds - to[0][label == 0]).var(ddof=1) / 4
    assert weights @ found.base_excess @ weights == pytest.approx(over, rel=1e-5)
    assert found.own_between[1] == pytest.approx(to[0][label == 2].var(ddof=1) / 6, rel=1e-5)
    assert found.own_excess[0] == pytest.approx((to[0] - to[1])[label == 1].var(ddof=1) / 5, rel=1e-5)


def test_sums_over_labels_equal_those_of_every_pair():
    """With numbers that repeat, and labels without rows."""
    rng = np.random.default_rng(6)
    x, label = rng.integers(0, 5, 30) / 4, rng.integers(0, 3, 30)
    unit = rng.normal(size=(30, 4))
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    one_hot = np.eye(4)[label]
    assert absolute_to_labels(x, label, 4) == pytest.approx(np.abs(x[:, None] - x) @ one_hot, abs=1e-12)
    assert cosine_to_labels(unit, label, 4) == pytest.approx((1 - unit @ unit.T) @ one_hot, abs=1e-12)
