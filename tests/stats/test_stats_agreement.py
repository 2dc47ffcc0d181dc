"""Agreement: published examples, statsmodels, and a second implementation of alpha from its definition."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from evenhand.stats.agreement import agreement_table, cohen_kappa, krippendorff_alpha

NAN = float("nan")


def ratings(*raters: str) -> np.ndarray:
    """Parse one line per rater, a point where there is no rating, into (units, raters)."""
    labels = sorted({mark for rater in raters for mark in rater.split()} - {"."})
    code = {mark: float(mark) if mark.isdigit() else float(at) for at, mark in enumerate(labels)} | {".": NAN}
    return np.array([[code[mark] for mark in rater.split()] for rater in raters]).T


FOUR_OBSERVERS = ratings(
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


@pytest.mark.parametrize(("measurement", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_four_observers_with_missing_ratings_have_the_published_alpha(measurement, alpha):
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, sections C and D; 40 pairable values."""
    result = krippendorff_alpha(FOUR_OBSERVERS, measurement=measurement)
    assert result.value == pytest.approx(alpha, abs=5e-4)
    assert (result.n_units, result.n_ratings) == (11, 40)


def test_two_observers_have_the_published_alpha():
    """Krippendorff (2011), sections A (binary, .095) and B (nominal, .692)."""
    binary = ratings("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
    nominal = ratings("a a b b d c c c e d d a", "b a b b b c c c e d d d")
    assert krippendorff_alpha(binary).value == pytest.approx(0.095, abs=5e-4)
    assert krippendorff_alpha(nominal).value == pytest.approx(0.692, abs=5e-4)


def test_three_coders_have_the_widely_used_values():
    """The encyclopaedia's example: nominal .691, interval .811."""
    coders = ratings(
        ". . . . . 3 4 1 2 1 1 3 3 . 3",
        "1 . 2 1 3 3 4 3 . . . . . . .",
        ". . 2 1 3 4 4 . 2 1 1 3 3 . 4",
    )
    assert krippendorff_alpha(coders).value == pytest.approx(0.691, abs=5e-4)
    assert krippendorff_alpha(coders, measurement="interval").value == pytest.approx(0.811, abs=5e-4)


def literal_alpha(data: np.ndarray, measurement: str) -> float | None:
    """Alpha by its sentence: disagreement of pairs within units over that of all pairs, term by term."""
    units = [[v for v in row if not np.isnan(v)] for row in data]
    units = [unit for unit in units if len(unit) > 1]
    pool = [v for unit in units for v in unit]

    def apart(c: float, k: float) -> float:
        if measurement == "nominal":
            return float(c != k)
        if measurement == "interval":
            return (c - k) ** 2
        low, high = min(c, k), max(c, k)
        return (sum(low <= g <= high for g in pool) - (pool.count(c) + pool.count(k)) / 2) ** 2 if c != k else 0.0

    within = sum(sum(apart(c, k) for c, k in itertools.permutations(u, 2)) / (len(u) - 1) for u in units)
    overall = sum(apart(c, k) for c, k in itertools.permutations(pool, 2))
    return None if overall == 0 else 1 - (within / len(pool)) / (overall / (len(pool) * (len(pool) - 1)))


GRIDS = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([NAN, 0.0, 1.0, 2.0, 5.0]), min_size=raters, max_size=raters), min_size=1, max_size=8
    )
)


@given(GRIDS, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_agrees_with_its_definition_term_by_term(rows, measurement):
    """Also where units have one rating or none, and where nothing varies."""
    ours, expected = krippendorff_alpha(rows, measurement=measurement), literal_alpha(np.array(rows), measurement)
    if expected is None:
        assert ours.value is None
    else:
        assert ours.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [([[1, 1], [1, 1]], "one value"), ([[1, NAN], [NAN, 2]], "two ratings"), (np.empty((0, 2)), "two ratings")],
)
def test_alpha_without_variation_is_undefined_with_a_reason(rows, reason):
    """Never 1 and never 0: there was nothing to agree about."""
    result = krippendorff_alpha(rows, rng=np.random.default_rng(0))
    assert (result.value, result.interval) == (None, None)
    assert reason in result.undefined


def test_the_bootstrap_is_reproducible_and_holds_the_value():
    """Same stream, same limits."""
    one, other = (
        krippendorff_alpha(FOUR_OBSERVERS, measurement="ordinal", rng=np.random.default_rng(5), draws=300).interval
        for _ in range(2)
    )
    assert one == other
    assert one.low < 0.815 < one.high <= 1
    assert not one.approximate


def test_perfect_agreement_has_an_interval_that_admits_to_be_approximate():
    """Resampling agreeing units gives agreement only."""
    interval = krippendorff_alpha([[0, 0], [1, 1], [0, 0], [1, 1], [0, 0]], rng=np.random.default_rng(1)).interval
    assert (interval.low, interval.high, interval.approximate) == (1, 1, True)


def test_alpha_refuses_what_is_no_grid_of_ratings():
    """One dimension, an infinity, an unknown measurement."""
    for rows in ([1, 2, 3], [[1, float("inf")]]):
        with pytest.raises(ValueError, match="ratings must be"):
            krippendorff_alpha(rows)
    with pytest.raises(ValueError, match="measurement"):
        krippendorff_alpha([[1, 2]], measurement="ratio")


TABLES = st.integers(2, 4).flatmap(
    lambda c: st.lists(st.lists(st.integers(0, 30), min_size=c, max_size=c), min_size=c, max_size=c)
)


def test_kappa_by_hand():
    """20, 5, 10, 15: agreement .7, by chance .5, kappa .4."""
    result = cohen_kappa([[20, 5], [10, 15]])
    assert result.value == pytest.approx(0.4)
    assert (result.observed, result.expected) == pytest.approx((0.3, 0.5))
    assert (result.n_units, result.n_ratings) == (50, 100)


@given(TABLES, st.sampled_from([("unweighted", None), ("linear", "linear"), ("quadratic", "quadratic")]))
def test_kappa_and_its_error_agree_with_statsmodels(table, weights):
    """For every weighting, wherever kappa is defined."""
    ours = cohen_kappa(table, weights=weights[0])
    if ours.value is None:
        assert sum(map(sum, table)) == 0 or "throughout" in ours.undefined
        return
    theirs = cohens_kappa(np.array(table), wt=weights[1])
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-9)
    # both take the root of a difference that rounding moves by about 1e-16 when it should be 0
    assert ours.standard_error == pytest.approx(theirs.std_kappa if theirs.var_kappa > 1e-15 else 0, abs=1e-5)


@given(TABLES)
def test_swapping_the_raters_leaves_kappa(table):
    """Neither rater is the truth."""
    one, other = cohen_kappa(table, weights="linear"), cohen_kappa(np.array(table).T, weights="linear")
    assert one.value == other.value or one.value == pytest.approx(other.value, abs=1e-12)


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], [[7, 0], [0, 0]]])
def test_kappa_without_variation_is_undefined_with_a_reason(table):
    """No unit, or one category throughout."""
    result = cohen_kappa(table)
    assert result.value is None
    assert result.undefined


def test_perfect_agreement_on_few_units_promises_no_certainty():
    """Ten of ten agreeing, half in each category: Wilson's .7225 for the share, 1 − .2775/.5 = .445 for kappa."""
    interval = cohen_kappa([[5, 0], [0, 5]]).interval
    assert (interval.low, interval.high, interval.approximate) == (pytest.approx(0.445, abs=5e-4), 1.0, True)


def test_labels_are_counted_in_the_order_of_the_categories():
    """A label outside them is named, not dropped."""
    table = agreement_table(["no", "yes", "yes"], ["no", "no", "yes"], categories=["yes", "no"])
    assert table.tolist() == [[1, 1], [0, 1]]
    with pytest.raises(ValueError, match="maybe"):
        agreement_table(["maybe"], ["yes"], categories=["yes", "no"])


@pytest.mark.parametrize("table", [[[1, 2, 3]], [[1, -1], [0, 2]], [1, 2]])
def test_kappa_refuses_what_is_no_table(table):
    """Not square, negative, one-dimensional."""
    with pytest.raises(ValueError, match="square table"):
        cohen_kappa(table)
