"""Vectors that are asked about different attributes, in one matrix."""

from evenhand.core.detections import Decision
from evenhand.instruments.violations.collapse import collapse
from evenhand.instruments.violations.result import violations


def a_decision(vector: str, trace: int, attribute: str, *, fires: bool = False) -> Decision:
    return Decision(trace=f"{vector}/{trace}", turn=1, attribute=attribute, decision=fires, vector=vector)


def test_what_another_vector_is_asked_about_is_not_missing() -> None:
    """Credit is about age, housing about race: no trace lacks a decision, so nothing can move the rate."""
    found = [a_decision("credit", n, "age", fires=n == 0) for n in range(4)]
    found += [a_decision("housing", n, "race") for n in range(4)]
    result = violations(collapse(found))
    assert result.overall.is_complete
    assert (result.overall.k, result.overall.n) == (1, 8)
    assert dict(result.statuses) == {"judged": 8}


def test_a_trace_that_lacks_what_its_vector_is_asked_about_is_undetermined() -> None:
    """The other traces of the vector show that it was asked."""
    found = [a_decision("credit", 0, "age"), a_decision("credit", 0, "gender"), a_decision("credit", 1, "age")]
    result = violations(collapse(found))
    assert result.overall.undetermined == 1
    assert dict(result.statuses) == {"judged": 3, "absent": 1}
