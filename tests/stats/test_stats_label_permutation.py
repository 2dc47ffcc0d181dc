"""Labels permuted within blocks: moments of the permutation law, what stays together, what stays apart."""

import numpy as np
import pytest
from scipy.stats import hypergeom

from evenhand.stats.label_permutation import permuted_sums


def sums(columns, cell, *, shape, draws, seed=0):
    """All batches as one array (blocks, 1 + draws, groups, columns)."""
    x = np.asarray(columns, dtype=np.float32)
    found = np.full((shape[0], draws + 1, shape[1], x.shape[1]), np.nan)
    for batch in permuted_sums(x, np.asarray(cell), shape=shape, draws=draws, rng=np.random.default_rng(seed)):
        found[batch.blocks] = batch.sums
    return found


def test_the_first_draw_is_what_was_observed():
    """Two blocks of unequal sizes, rows in any order."""
    found = sums([[1], [2], [4], [8], [16]], [1, 0, 3, 2, 0], shape=(2, 2), draws=3)
    assert found[:, 0, :, 0].tolist() == [[18, 1], [8, 4]]


def test_refusals_among_groups_follow_the_hypergeometric_law():
    """6 refusals among 4 + 8 + 12 outputs: the first group's number is hypergeometric (scipy)."""
    refused = np.array([[1.0]] * 6 + [[0.0]] * 18)
    cell = np.repeat([0, 1, 2], [4, 8, 12])
    drawn = sums(refused, cell, shape=(1, 3), draws=20_000)[0, 1:, 0, 0]
    law = hypergeom(24, 6, 4)
    for k in range(5):
        share, expected = (drawn == k).mean(), law.pmf(k)
        assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / 20_000) + 1e-9


def test_variance_of_a_group_sum_is_that_of_sampling_without_replacement():
    """n_g (N − n_g) / N times the variance with ddof 1."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 1))
    drawn = sums(x, np.repeat([0, 1], [10, 20]), shape=(1, 2), draws=20_000)[0, 1:, 0, 0]
    assert drawn.var() == pytest.approx(10 * 20 / 30 * x.var(ddof=1), rel=0.05)


def test_blocks_never_exchange_rows():
    """Sums of a block are the same in every draw."""
    x = np.arange(12.0)[:, None]
    found = sums(x, [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 5], shape=(3, 2), draws=50)
    assert np.ptp(found.sum(axis=2), axis=1).max() == 0


def test_what_belongs_to_a_row_stays_together():
    """A column that is twice another stays twice the other."""
    x = np.arange(10.0)
    found = sums(np.stack([x, 2 * x], axis=1), np.repeat([0, 1], 5), shape=(1, 2), draws=50)
    assert np.array_equal(found[..., 1], 2 * found[..., 0])
    assert np.ptp(found[0, :, 0, 0]) > 0


def test_blocks_are_independent():
    """Two equal blocks are not permuted alike."""
    x = np.tile(np.arange(8.0), 2)[:, None]
    drawn = sums(x, np.repeat([0, 1, 2, 3], 4), shape=(2, 2), draws=4_000)[:, 1:, 0, 0]
    assert abs(np.corrcoef(drawn)[0, 1]) < 0.06


def test_a_block_without_rows_comes_in_no_batch():
    """Its sums stay unknown."""
    found = sums([[1.0], [2.0]], [2, 3], shape=(2, 2), draws=2)
    assert np.isnan(found[0]).all()
    assert not np.isnan(found[1]).any()
