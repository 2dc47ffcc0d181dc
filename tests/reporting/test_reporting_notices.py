"""What a reader must know before the numbers."""

from dataclasses import replace

from evenhand.core.types import ModelInfo
from evenhand.reporting import html, markdown

from .conftest import make_card, make_run, untested

SIMULATED = ModelInfo(provider="simulated", name="planted", is_simulated=True)


def test_a_simulated_run_says_so_first_in_every_form() -> None:
    """No one may take a simulation for a model."""
    card = make_card(make_run(model=SIMULATED))
    assert card.notices[0].kind == "simulated"
    for written in (html.render(card), markdown.render(card)):
        assert written.index("Simulated: no model was asked") < written.index("Summary")
    assert card.known_limitations[0].startswith("No model answered")


def test_a_run_that_stopped_early_says_that_complete_replicates_alone_are_used() -> None:
    """Stopped for different reasons, with the same consequence for every number."""
    for status, title in (("running", "Still running"), ("partial", "Partial"), ("interrupted", "Interrupted")):
        notice = make_card(make_run(status=status, manifest={"requested": 90})).notices[0]
        assert notice.title == title
        assert "complete replicates only" in notice.text
        assert notice.text.endswith("60 of 90 planned outputs.")


def test_a_partial_run_says_what_it_left_out() -> None:
    """71 outcomes are stored, 60 of them in complete replicates: 11 were answered and enter nothing."""
    outcomes = {"answered": 68, "empty": 1, "truncated": 4, "blocked": 2, "failed": 1}
    run = make_run(status="partial", manifest={"requested": 90, "outcomes": outcomes})
    assert "60 of 90 planned outputs; 11 more are stored and left out." in make_card(run).notices[0].text
    assert make_card(replace(run, status="complete")).flow.left_out == 11


def test_a_run_that_goes_on_does_not_count_by_its_old_manifest() -> None:
    """What was true when the budget ran out is not true of the run that goes on with it."""
    outcomes = {"answered": 68, "blocked": 2, "failed": 1}
    for status in ("running", "interrupted"):
        card = make_card(make_run(status=status, manifest={"requested": 90, "outcomes": outcomes}))
        assert card.flow.left_out is None
        assert "left out" not in card.notices[0].text


def test_a_run_in_which_every_request_failed_says_so_and_how_to_ask_again() -> None:
    """It did come to its end; it has nothing to measure."""
    notice = make_card(make_run(status="failed")).notices[0]
    assert notice.title == "Failed: no request was answered"
    assert "Each of the 60 planned requests failed" in notice.text
    assert "--resume 20261130T204355-7f3a" in notice.text


def test_skipped_evaluators_are_named() -> None:
    """What was left out on request is not a gap nobody noticed."""
    run = make_run(spec={**make_run().spec, "skipped_evaluators": ["toxicity"]})
    (skipped,) = (notice for notice in make_card(run).notices if notice.kind == "skipped")
    assert skipped.text.startswith("toxicity.")


def test_repeated_answers_of_a_deterministic_model_are_announced() -> None:
    """At temperature 0 a prompt whose replicates are all the same counts once, and the reader is told."""
    run = make_run()
    spec = {**run.spec, "generation": {**run.spec["generation"], "temperature": 0.0}}
    outcomes = {"answered": 118, "blocked": 1, "failed": 1}
    card = make_card(replace(run, spec=spec, manifest={**run.manifest, "requested": 120, "outcomes": outcomes}))
    (notice,) = [n for n in card.notices if n.kind == "repeated"]
    assert "60 answers repeat another answer to the same prompt word for word" in notice.text
    assert "or repeating another answer to the same prompt at temperature 0" in card.flow_text
    assert [n for n in make_card().notices if n.kind == "repeated"] == []


def test_the_uncertainty_notice_goes_when_every_band_has_a_verdict() -> None:
    """It is about bands without a test, and says nothing once all are tested."""
    assert [n for n in make_card().notices if n.kind == "uncertainty"] == []
    untested_card = make_card(make_run(results=untested()))
    assert [n for n in untested_card.notices if n.kind == "uncertainty"] != []
