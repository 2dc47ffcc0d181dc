"""Wilson's interval: published figures, scipy, and the edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evenhand.stats.intervals import wilson


def test_eleven_of_twenty_five_has_the_worked_limits():
    """Worked in the definition of the metrics."""
    interval = wilson(11, 25)
    assert (interval.low, interval.high) == pytest.approx((0.266654, 0.629330), abs=5e-6)  # worked with z = 1.96
    assert (interval.level, interval.method) == (0.95, "wilson")


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_limits_agree_with_scipy(counts, level):
    """scipy computes the same method."""
    k, n = counts
    theirs = binomtest(k, n).proportion_ci(confidence_level=level, method="wilson")
    ours = wilson(k, n, level=level)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.floats(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_stays_in_the_unit_range(counts):
    """Also for fractions of an output."""
    k, n = counts
    interval = wilson(k, n)
    assert 0 <= interval.low <= k / n + 1e-12
    assert k / n - 1e-12 <= interval.high <= 1


def test_no_success_starts_at_zero_and_no_failure_ends_at_one():
    """Exactly, without a rounding residue."""
    assert wilson(0, 7).low == 0.0
    assert wilson(7, 7).high == 1.0


@pytest.mark.parametrize(("k", "n", "level"), [(0, 0, 0.95), (3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0)])
def test_what_is_no_proportion_is_refused(k, n, level):
    """No trials, more successes than trials, a level that is no probability."""
    with pytest.raises(ValueError):
        wilson(k, n, level=level)
