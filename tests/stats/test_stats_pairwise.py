"""Means over pairs without pairs: equal to forming every pair."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.stats.divergence import unit_rows
from evenhand.stats.pairwise import absolute_differences, cosine_between, cosine_within, unit_sums

# rows of (stratum, group within it: 0 is the base, number)
rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])), max_size=30
)


@settings(max_examples=60)
@given(rows)
def test_absolute_differences_equal_those_of_every_pair(table):
    """Brute force over pairs is the definition."""
    stratum = np.array([s for s, _, _ in table], dtype=np.int64)
    place = np.array([g for _, g, _ in table], dtype=np.int64)
    x = np.array([v for _, _, v in table])
    group = stratum * 3 + place
    between, within = absolute_differences(x, stratum, place == 0, group, 9)
    for code in range(9):
        own, base = x[group == code], x[group == code - code % 3]
        pairs = [abs(a - b) for a, b in combinations(own, 2)]
        assert within[code] == pytest.approx(np.mean(pairs) if pairs else np.nan, abs=1e-12, nan_ok=True)
        cross = [abs(a - b) for a, b in product(base, own)] if code % 3 else []
        assert between[code] == pytest.approx(np.mean(cross) if cross else np.nan, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("n", [2, 50, 700])
def test_cosine_means_equal_those_of_every_pair(n):
    """Also when the rows need several chunks, and whatever the length of the vectors."""
    rng = np.random.default_rng(n)
    vectors, group = rng.normal(size=(n, 5)).astype(np.float32), rng.integers(0, 2, n)
    group[:2] = [0, 1]
    sizes = np.bincount(group, minlength=3)
    sums = unit_sums(vectors, np.arange(n), group, 3)
    distance = 1 - unit_rows(vectors) @ unit_rows(vectors).T
    between = cosine_between(sums, sizes, np.array([0]), np.array([1]))
    assert between[0] == pytest.approx(distance[np.ix_(group == 0, group == 1)].mean(), abs=1e-9)
    within = cosine_within(sums, sizes)
    for code in (0, 1):
        own = distance[np.ix_(group == code, group == code)]
        expected = own[np.triu_indices(len(own), 1)].mean() if len(own) > 1 else np.nan
        assert within[code] == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert np.isnan(within[2])


def test_a_comparison_with_an_empty_group_is_nan():
    """Nothing to compare is not distance 0."""
    assert np.isnan(cosine_between(np.zeros((2, 3)), np.array([0, 4]), np.array([0]), np.array([1]))[0])
