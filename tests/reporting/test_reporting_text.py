"""Numbers as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.reporting import text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0.000"),
        (0.1467931, "0.147"),
        (0.0005, "0.001"),
        (0.00049, "0.00049"),
        (-0.25, "−0.250"),
        (1234.5, "1,234.500"),
        (3e-9, "3.0e-09"),
        (None, "—"),
    ],
)
def test_a_number_keeps_enough_digits_to_be_told_from_nothing(value: float | None, expected: str) -> None:
    """Three decimals, or two significant digits where three decimals would print 0."""
    assert text.number(value) == expected


@given(st.floats(min_value=-1e6, max_value=1e6, allow_nan=False, allow_subnormal=False))
def test_a_printed_number_is_the_number_to_the_last_printed_digit(value: float) -> None:
    """Parsed back, it differs by half a unit of the last decimal, or 5% where two digits are printed."""
    parsed = float(text.number(value).replace("−", "-").replace(",", ""))
    assert parsed == pytest.approx(value, abs=0.00051, rel=0.051 if abs(value) < 0.0005 else 1e-9)
    assert (parsed == 0) == (value == 0)


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, "0%"), (1.0, "100%"), (0.004, "0.4%"), (0.996, "99.6%"), (0.125, "12%"), (None, "—")]
)
def test_a_share_never_rounds_to_all_or_nothing(share: float | None, expected: str) -> None:
    """0% and 100% are printed only where they are exact."""
    assert text.percent(share) == expected


def test_a_p_value_is_never_printed_as_zero() -> None:
    """A permutation of 999 cannot say 0."""
    assert text.probability(0.0001) == "< 0.001"
    assert text.probability(0.0312) == "0.031"


def test_a_time_is_printed_in_utc() -> None:
    """The zone of the machine plays no part."""
    assert text.moment("2026-11-30T22:04:59+01:00") == "2026-11-30 21:04 UTC"
    assert text.moment("yesterday") == "yesterday"


def test_a_year_stays_a_year_and_a_large_count_gets_commas() -> None:
    """Commas begin at five digits."""
    assert text.count(2024) == "2024"
    assert text.count(15960) == "15,960"
