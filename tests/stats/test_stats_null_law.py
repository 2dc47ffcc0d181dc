"""A number against draws of it: mean, quantile, mid-p."""

import numpy as np
import pytest
from scipy.stats import norm

from evenhand.stats.null_law import null_law, null_laws, two_sided_p


def test_mid_p_counts_ties_half():
    """Draws 1, 2, 3, 4 and the observed 3: one above, two equal with itself, of five: (1 + 1) / 5."""
    law = null_law(3, [1, 2, 3, 4])
    assert (law.p_value, law.expected, law.draws) == (pytest.approx(0.4), 2.5, 4)
    assert law.q95 == pytest.approx(np.quantile([1, 2, 3, 4], 0.95))


def test_p_is_never_zero():
    """Beyond all of 99 draws: half of one in a hundred."""
    assert null_law(5, np.zeros(99)).p_value == pytest.approx(0.005)


def test_where_nothing_varies_p_is_one():
    """Nothing could have been seen."""
    assert null_law(0.0, np.zeros(99)).p_value == 1


def test_single_precision_is_no_difference():
    """.1 as float32 is .1."""
    assert null_law(0.1, np.full(9, 0.1, dtype=np.float32)).p_value == 1


def test_undefined_draws_do_not_count():
    """NaN says that the statistic was not defined; if it never was there is no law."""
    law = null_law(2, [1, np.nan, 3])
    assert (law.draws, law.p_value) == (2, pytest.approx(1.5 / 3))
    assert null_laws([1, 2], [[np.nan, np.nan], [1, 1]])[0] is None


def test_a_difference_counts_on_either_side():
    """−2 against −3, 0, 1, 2 (absolute 3, 0, 1, 2): one above and two equal of five."""
    assert two_sided_p(-2.0, np.array([-3.0, 0, 1, 2]), fewest=1) == pytest.approx(0.4)


def test_few_draws_are_read_as_a_normal_law():
    """At four standard deviations, where 99 draws could only say .005."""
    draws = np.where(np.arange(100) % 2, 0.5, -0.5)
    assert two_sided_p(2.0, draws) == pytest.approx(2 * norm.sf(4))
    assert two_sided_p(0.0, np.zeros(99)) == 1
