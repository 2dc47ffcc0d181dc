"""Counts of what was asked and what came back."""

from evenhand.core.table import OutputTable
from evenhand.reporting.drilldown import Bounds, drill_down
from evenhand.reporting.flow import could_not_judge, flow
from evenhand.reporting.view import Scorecard

from .conftest import make_card, make_run, outputs


def test_every_output_is_counted_as_exactly_one_of_answered_blocked_failed(card: Scorecard) -> None:
    """60 were stored: one blocked, one failed, and of the 58 answers one is empty."""
    counts = card.flow
    assert (counts.stored, counts.answered, counts.blocked, counts.failed) == (60, 58, 1, 1)
    assert counts.answered + counts.blocked + counts.failed == counts.stored
    assert counts.empty == 1
    assert (counts.refusals, counts.refusals_judged) == (3, 57)


def test_the_conditions_add_up_to_the_whole(card: Scorecard) -> None:
    """Base and three groups, 15 outputs each."""
    by_condition = card.flow.by_condition
    assert list(by_condition) == ["base", "gender = female", "gender = male", "gender = nonbinary"]
    assert [counts["stored"] for counts in by_condition.values()] == [15, 15, 15, 15]
    for name, total in (("answered", 58), ("empty", 1), ("blocked", 1), ("failed", 1), ("refusals", 3)):
        assert sum(counts[name] for counts in by_condition.values()) == total


def test_a_run_that_stopped_early_says_how_much_is_missing() -> None:
    """Requested comes from the plan, not from what is there."""
    counts = flow(make_run(status="partial", manifest={"requested": 90}), OutputTable.of(outputs()))
    assert (counts.requested, counts.not_used) == (90, 30)


def test_without_a_manifest_the_plan_is_counted_from_the_spec() -> None:
    """5 scenarios × (1 base + 3 variants) × 3 replicates = 60."""
    assert flow(make_run(manifest={}), OutputTable.of(outputs())).requested == 60


def test_refusals_that_nobody_judged_are_not_zero() -> None:
    """No output of a run without a refusal evaluator counts as willing."""
    counts = flow(make_run(), OutputTable.of([]))
    assert counts.refusals is None
    assert counts.refusals_judged == 0


def test_what_an_evaluator_could_not_judge_is_counted_by_reason() -> None:
    """Places 0, 9, 18, 27, 36, 45 and 54 of the fixture."""
    (only,) = could_not_judge(OutputTable.of(outputs()))
    assert (only.evaluator, only.total) == ("sentiment", 7)


def test_the_drill_down_puts_the_base_answer_first_and_takes_the_first_replicate() -> None:
    """One answer per prompt, base before variants."""
    shown = drill_down(OutputTable.of(outputs()), run_id="r", bounds=Bounds())
    first = shown.comparisons[0]
    assert first.answers[0].condition == "base"
    assert {answer.replicate for comparison in shown.comparisons for answer in comparison.answers} == {1}


def test_the_drill_down_is_bounded_and_says_what_it_leaves_out() -> None:
    """2 scenarios of 3 answers of 20 characters; the command for the rest is named."""
    shown = drill_down(
        OutputTable.of(outputs()), run_id="R7", bounds=Bounds(scenarios=2, answers_per_scenario=3, characters=20)
    )
    assert (len(shown.comparisons), shown.shown, shown.stored) == (2, 6, 60)
    assert all(len(answer.text) <= 20 for comparison in shown.comparisons for answer in comparison.answers)
    assert "6 of 60 outputs are shown" in shown.omitted
    assert "evenhand show R7 --answers" in shown.omitted


def test_an_answer_cut_short_says_by_how_much() -> None:
    """Shown and omitted characters add up to the answer."""
    table = OutputTable.of(outputs())
    short = drill_down(table, run_id="r", bounds=Bounds(characters=20)).comparisons[0].answers[0]
    whole = drill_down(table, run_id="r", bounds=Bounds(characters=10_000)).comparisons[0].answers[0]
    assert len(short.text.rstrip("…")) + short.omitted_characters == len(whole.text)
    assert whole.omitted_characters == 0


def test_a_metric_without_a_result_is_undefined_with_a_reason() -> None:
    """A run that was stopped before scoring still has a scorecard."""
    overall = make_card(make_run(results={}, status="interrupted")).metrics[0].overall
    assert overall.finding == "undefined"
    assert overall.reason == "the run holds no result for it"


def test_an_evaluator_that_nobody_described_is_still_listed_with_what_it_could_not_judge() -> None:
    """A reason that was left must not go unseen."""
    listed = make_card(evaluators=()).evaluators
    assert [(evaluator.name, evaluator.version) for evaluator in listed] == [("sentiment", "not stated")]
