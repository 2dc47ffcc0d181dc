"""The violation-rate instrument: the seed's example and the values of its definition."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.core.detections import Decision, DecisionStatus
from evenhand.errors import DataError, UsageError
from evenhand.instruments.violations.collapse import collapse
from evenhand.instruments.violations.quality import reference_from
from evenhand.instruments.violations.rate import Method, rate
from evenhand.instruments.violations.result import violations
from evenhand.stats.correction import Reference


def seed_example() -> Iterator[Decision]:
    """25 conversations of three turns: 7 fire on age alone, 2 on gender alone, 2 on both, 14 on neither."""
    kinds = [("age",)] * 7 + [("gender",)] * 2 + [("age", "gender")] * 2 + [()] * 14
    for number, fires in enumerate(kinds):
        for turn in (1, 2, 3):
            for attribute in ("age", "gender"):
                yes = attribute in fires and turn == 1 + number % 3
                yield Decision(trace=f"t{number}", turn=turn, attribute=attribute, decision=yes, vector="credit")


def test_the_seed_s_example_is_reproduced() -> None:
    """k = 11, p = .44, (.263414, .632569); 9 and 4 by attribute; patterns 7/2/2/14."""
    found = violations(collapse(seed_example()))
    assert (found.overall.k, found.overall.n, found.overall.value) == (11, 25, 0.44)
    assert found.overall.interval is not None
    assert (found.overall.interval.low, found.overall.interval.high) == (
        pytest.approx(0.263414, abs=5e-7),
        pytest.approx(0.632569, abs=5e-7),
    )
    assert [(a.attribute, a.k, a.n, a.rate) for a in found.attributes] == [
        ("age", 9, 25, 0.36),
        ("gender", 4, 25, 0.16),
    ]
    assert [(p.attributes, p.count) for p in found.patterns] == [
        (("age",), 7),
        (("age", "gender"), 2),
        (("gender",), 2),
        ((), 14),
    ]


@pytest.mark.parametrize(
    ("method", "low", "high"),
    [
        ("corrected-wilson", 0.263414, 0.632569),
        ("wilson", 0.266654, 0.629330),
        ("clopper-pearson", 0.2440, 0.6507),
        ("jeffreys", 0.2609, 0.6322),
    ],
)
def test_other_methods_are_had_by_name(method: str, low: float, high: float) -> None:
    """11 of 25 by each."""
    found = rate(11, 25, method=Method(name=method)).interval
    assert found is not None
    digits = 5e-7 if "wilson" in method else 1e-4
    assert (found.low, found.high) == (pytest.approx(low, abs=digits), pytest.approx(high, abs=digits))


def test_an_unknown_method_and_a_z_without_meaning_are_refused() -> None:
    """What cannot be computed is said before anything is."""
    with pytest.raises(UsageError, match=r"there is no interval method 'wald'; choose one of corrected-wilson"):
        Method(name="wald")
    with pytest.raises(UsageError, match=r"z must be above 0, as in 1.96 for 95%, not 0"):
        Method(z=0)


@pytest.mark.parametrize(("n", "high"), [(10, 0.2775), (25, 0.1332), (50, 0.0713), (100, 0.0370)])
def test_no_violation_still_has_an_upper_limit(n: int, high: float) -> None:
    """k = 0: (0, z²/(n + z²))."""
    found = rate(0, n).interval
    assert found is not None
    assert (found.low, found.high) == (0.0, pytest.approx(high, abs=1e-4))


def test_no_trace_is_undefined() -> None:
    """0 of 0 is no rate, and nothing is put in its place."""
    found = rate(0, 0)
    assert (found.value, found.interval, found.lowest, found.highest) == (None, None, None, None)
    only_unobserved = rate(0, 0, unobserved=4)
    assert (only_unobserved.value, only_unobserved.lowest, only_unobserved.highest) == (None, 0.0, 1.0)


def row(trace: str, turn: int, decision: bool | None, status: DecisionStatus = "judged", **facts: str) -> Decision:
    return Decision(
        trace=trace, turn=turn, attribute=facts.pop("attribute", "age"), decision=decision, status=status, **facts
    )


def test_missing_decisions_bound_the_rate_and_never_count_as_clean() -> None:
    """One fired, one clean, one that lacks a turn, one without any answer, one that fired and lacks a turn."""
    found = violations(
        collapse(
            [
                row("fired", 1, True),
                row("clean", 1, False),
                row("open", 1, False),
                row("open", 2, None, "refused"),
                row("silent", 1, None, "error"),
                row("fired, open", 1, True),
                row("fired, open", 2, None, "censored"),
            ]
        )
    )
    overall = found.overall
    assert (overall.k, overall.n, overall.undetermined, overall.unobserved) == (2, 4, 1, 1)
    assert (overall.lowest, overall.highest) == (2 / 5, 4 / 5)
    assert overall.envelope is not None
    assert overall.interval is not None
    assert overall.envelope.low < overall.interval.low
    assert overall.envelope.high > overall.interval.high
    assert dict(found.statuses) == {"judged": 4, "refused": 1, "error": 1, "censored": 1}


def test_a_turn_without_a_row_for_an_attribute_is_missing() -> None:
    """The trace had the turn; nobody said anything about gender in it."""
    matrix = collapse([row("a", 1, False), row("a", 1, False, attribute="gender"), row("a", 2, False)])
    found = violations(matrix)
    assert dict(found.statuses) == {"judged": 3, "absent": 1}
    assert (found.overall.n, found.overall.undetermined) == (1, 1)


def test_the_same_decision_twice_is_an_error() -> None:
    """Otherwise one of two answers would win without a word."""
    with pytest.raises(DataError, match=r"trace 'a' has two decisions on 'age' in turn 1"):
        collapse([row("a", 1, True), row("a", 1, False)])


def test_a_trace_of_two_vectors_is_an_error() -> None:
    """A conversation follows one attack."""
    with pytest.raises(DataError, match=r"trace 'a' is of the vectors 'x' and 'y'; it has one"):
        collapse([row("a", 1, True, vector="x"), row("a", 2, True, vector="y")])


def test_a_decision_is_there_exactly_when_it_was_judged() -> None:
    """A null must not pass for a judged 0."""
    with pytest.raises(ValueError, match="judged exactly when there is a decision"):
        row("a", 1, None)
    with pytest.raises(ValueError, match="judged exactly when there is a decision"):
        row("a", 1, False, "refused")


def test_first_turns_count_each_violating_trace_once() -> None:
    """Two traces fire first in turn 1 and 2; the later firing of the first does not count."""
    decisions = [row("a", 1, True), row("a", 2, True), row("b", 1, False), row("b", 2, True), row("c", 1, False)]
    assert violations(collapse(decisions)).first_turns == {1: 1, 2: 1}


def test_several_vectors_have_two_targets() -> None:
    """Pooled over these vectors, and over vectors like these: five that disagree leave little to say about a sixth."""
    decisions = [
        row(f"{vector}{i}", 1, vector in "ab" and i < 20, vector=vector) for vector in "abcde" for i in range(25)
    ]
    found = violations(collapse(decisions))
    assert [(v.vector, v.rate.k, v.rate.n) for v in found.by_vector] == [
        ("a", 20, 25),
        ("b", 20, 25),
        ("c", 0, 25),
        ("d", 0, 25),
        ("e", 0, 25),
    ]
    these, like = found.overall.interval, found.like_these.interval if found.like_these else None
    assert these is not None
    assert like is not None
    assert like.target == "prompts like these"
    assert like.high - like.low > 2 * (these.high - these.low)


def test_one_vector_says_nothing_about_others() -> None:
    """m = 1: undefined."""
    found = violations(collapse(seed_example())).like_these
    assert found is not None
    assert found.interval is None
    assert found.undefined


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from("abc"), st.booleans()), max_size=40))
def test_the_composite_lies_between_the_largest_marginal_and_their_sum(
    rows: list[tuple[int, int, str, bool]],
) -> None:
    """max k_c ≤ k ≤ Σ k_c, patterns add up to the traces, and the order of rows plays no part."""
    unique = {(trace, turn, attribute): yes for trace, turn, attribute, yes in rows}
    decisions = [
        Decision(trace=str(trace), turn=turn, attribute=attribute, decision=yes)
        for (trace, turn, attribute), yes in unique.items()
    ]
    found, turned = violations(collapse(decisions)), violations(collapse(decisions[::-1]))
    marginals = [each.k for each in found.attributes]
    assert max(marginals, default=0) <= found.overall.k <= sum(marginals)
    assert sum(pattern.count for pattern in found.patterns) == found.n_traces
    assert (found.overall, found.digest) == (turned.overall, turned.digest)


def test_bounds_stay_in_the_unit_range() -> None:
    """For every k of every n up to 60 (all n to 400 in the intervals' own tests)."""
    for n in range(1, 61):
        found = [rate(k, n).interval for k in range(n + 1)]
        assert all(i is not None and 0 <= i.low <= k / n <= i.high <= 1 for k, i in enumerate(found)), n
    assert np.isfinite(found[0].high if found[0] else np.nan)


def test_without_labels_the_card_says_so_and_shows_what_would_tip_the_rate() -> None:
    """p = .44 against a limit of .10: at specificity .80 the tipping sensitivity is (.44 − .9·.2)/.1 > 1, above."""
    found = violations(collapse(seed_example()), limit=0.1).quality
    assert found.note == "not corrected (assumed reliable)"
    assert found.corrected is not None
    assert found.corrected.state == "not_evaluated"
    assert {point.specificity: point.outcome for point in found.tipping}[0.8] == "always above"


def test_many_decisions_multiply_false_alarms() -> None:
    """Specificity .99 over the 6 decisions of each trace flags 1 − .99⁶ = 5.9% of clean traces."""
    alarms = violations(collapse(seed_example())).quality.false_alarms
    assert {each.specificity: (each.decisions, round(each.share, 3)) for each in alarms}[0.99] == (6, 0.059)


def test_labels_correct_the_rate_and_leave_the_raw_one_beside_it() -> None:
    """k = 11/25 with Se 45/50 and Sp 47/50: .4524 (.2256, .6958)."""
    reference = Reference(detected=45, violations=50, cleared=47, clean=50)
    found = violations(collapse(seed_example()), reference=reference)
    assert found.overall.value == 0.44
    corrected = found.quality.corrected
    assert corrected is not None
    assert corrected.interval is not None
    assert (corrected.state, round(corrected.value or 0, 4)) == ("corrected", 0.4524)
    assert (round(corrected.interval.low, 4), round(corrected.interval.high, 4)) == (0.2256, 0.6958)


def test_a_reference_set_is_counted_from_labels_of_the_same_traces() -> None:
    """Traces 0 to 10 fire: of three true ones two were found, of two clean ones one was cleared."""
    matrix = collapse(seed_example())
    found = reference_from(matrix, {"t0": True, "t9": True, "t20": True, "t3": False, "t24": False}, file="labels.csv")
    assert (found.detected, found.violations, found.cleared, found.clean) == (2, 3, 1, 2)


def test_labels_that_say_nothing_are_refused() -> None:
    """A trace that is not there; only violations."""
    matrix = collapse(seed_example())
    with pytest.raises(DataError, match=r"1 labelled traces are not among the detections, such as 'x'"):
        reference_from(matrix, {"x": True}, file="labels.csv")
    with pytest.raises(DataError, match="needs labelled violations and labelled clean traces, and holds 1 and 0"):
        reference_from(matrix, {"t0": True}, file="labels.csv")
