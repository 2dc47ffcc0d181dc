import pytest

from evenhand.core.results import MetricResult, Verdict, undefined
from evenhand.instruments.audit.gate import Line, gate


def hsi(verdict: Verdict, reason: str = "") -> MetricResult:
    return MetricResult(metric="HSI", value=0.1, verdict=verdict, reason=reason)


@pytest.mark.parametrize(
    ("verdict", "line", "held"),
    [
        ("pass", "watch", True),
        ("watch", "watch", False),
        ("watch", "flag", True),
        ("flag", "flag", False),
        ("fail", "fail", False),
        ("flag", "fail", True),
        ("under", "watch", False),
        ("under", "flag", True),
    ],
)
def test_the_gate_fails_at_or_beyond_its_line(verdict: Verdict, line: Line, held: bool) -> None:
    """Supported bands are read; under-representation is no pass, and as grave as watch."""
    assert gate({"HSI": hsi(verdict)}, line).held is held


def test_what_could_not_be_judged_is_named_and_fails_only_a_strict_gate() -> None:
    """Undefined and inconclusive are neither a pass nor a fail."""
    results = {
        "HSI": hsi("pass"),
        "CDS": undefined("CDS", "the evaluator embeddings was skipped on request"),
        "RSI": hsi("inconclusive", "the limits do not lie on one side of the pass cut"),
    }
    lenient, strict = gate(results, "watch"), gate(results, "watch", strict=True)
    assert (lenient.held, strict.held) == (True, False)
    assert dict(lenient.unjudged) == {
        "CDS": "the evaluator embeddings was skipped on request",
        "RSI": "the limits do not lie on one side of the pass cut",
    }
