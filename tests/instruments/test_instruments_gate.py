import pytest

from evenhand.core.results import MetricResult, undefined
from evenhand.instruments.audit.gate import Line, gate
from evenhand.metrics.bands import load_profile

PROFILE = load_profile("fairbench-1.0")


def hsi(value: float) -> MetricResult:
    return MetricResult(metric="HSI", value=value)


@pytest.mark.parametrize(
    ("value", "line", "held"),
    [(0.01, "watch", True), (0.07, "watch", False), (0.07, "flag", True), (0.15, "flag", False), (0.5, "fail", False)],
)
def test_the_gate_fails_at_or_beyond_its_line(value: float, line: Line, held: bool) -> None:
    """HSI cuts of fairbench-1.0: .05 watch, .10 flag, .20 fail."""
    assert gate({"HSI": hsi(value)}, PROFILE, line).held is held


def test_what_could_not_be_judged_is_named_and_fails_only_a_strict_gate() -> None:
    """Undefined is neither a pass nor a fail."""
    results = {"HSI": hsi(0.01), "CDS": undefined("CDS", "the evaluator embeddings was skipped on request")}
    lenient, strict = gate(results, PROFILE, "watch"), gate(results, PROFILE, "watch", strict=True)
    assert (lenient.held, strict.held) == (True, False)
    assert dict(lenient.unjudged) == {"CDS": "the evaluator embeddings was skipped on request"}


def test_underrepresentation_is_not_a_pass() -> None:
    """SAR below .80 stops a gate drawn at watch."""
    result = MetricResult(metric="SAR", value=0.5, direction="one_is_best")
    assert dict(gate({"SAR": result}, PROFILE, "watch").beyond) == {"SAR": "under"}
