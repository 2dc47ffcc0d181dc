"""Adjusted p-values: worked by hand, and statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evenhand.stats.multiplicity import benjamini_hochberg, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_both_adjustments_by_hand():
    """.01, .04, .03, .005 → Holm .03, .06, .06, .02; Benjamini-Hochberg .02, .04, .04, .02."""
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p) == pytest.approx(np.array([0.03, 0.06, 0.06, 0.02]))
    assert benjamini_hochberg(p) == pytest.approx(np.array([0.02, 0.04, 0.04, 0.02]))


@pytest.mark.parametrize(("ours", "theirs"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
@pytest.mark.parametrize("m", [1, 2, 5, 20, 60])
def test_adjustments_agree_with_statsmodels(ours, theirs, m):
    """Same order, ties, zeros and ones included. Few cases: statsmodels collects garbage on every call to Holm's."""
    p = np.round(np.random.default_rng(m).beta(0.4, 1, m), 2)
    assert ours(p) == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-12)


@given(P_VALUES)
def test_adjusting_never_lowers_a_p_value(p):
    """And Holm, which promises more, never adjusts less."""
    step_up = benjamini_hochberg(p)
    assert np.all(step_up >= np.array(p) - 1e-15)
    assert np.all(holm(p) >= step_up - 1e-12)


def test_no_tests_need_no_adjustment():
    """Empty in, empty out."""
    assert holm([]).tolist() == benjamini_hochberg([]).tolist() == []


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("p", [[0.1, float("nan")], [1.1], [-0.1]])
def test_what_is_no_p_value_is_refused(adjust, p):
    """NaN is a test that was not made, and must not count as one."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust(p)
