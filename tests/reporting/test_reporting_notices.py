"""What a reader must know before the numbers."""

from dataclasses import replace

from evenhand.core.types import ModelInfo
from evenhand.reporting import html, markdown

from .conftest import make_card, make_run, results

SIMULATED = ModelInfo(provider="simulated", name="planted", is_simulated=True)


def test_a_simulated_run_says_so_first_in_every_form() -> None:
    """No one may take a simulation for a model."""
    card = make_card(make_run(model=SIMULATED))
    assert card.notices[0].kind == "simulated"
    for written in (html.render(card), markdown.render(card)):
        assert written.index("Simulated: no model was asked") < written.index("Summary")
    assert card.known_limitations[0].startswith("No model answered")


def test_a_partial_and_an_interrupted_run_say_how_much_they_have() -> None:
    """Both stopped early, for different reasons."""
    for status, title in (("partial", "Partial"), ("interrupted", "Interrupted")):
        notice = make_card(make_run(status=status, manifest={"requested": 90})).notices[0]
        assert notice.title == title
        assert "60 of 90 planned outputs" in notice.text


def test_skipped_evaluators_are_named() -> None:
    """What was left out on request is not a gap nobody noticed."""
    run = make_run(spec={**make_run().spec, "skipped_evaluators": ["toxicity"]})
    (skipped,) = (notice for notice in make_card(run).notices if notice.kind == "skipped")
    assert skipped.text.startswith("toxicity.")


def test_the_uncertainty_notice_goes_when_every_band_has_a_verdict() -> None:
    """It is about bands without a test, and says nothing once all are tested."""
    tested = {name: r if r.value is None else replace(r, verdict="pass") for name, r in results().items()}
    assert [n for n in make_card(make_run(results=tested)).notices if n.kind == "uncertainty"] == []
    assert [n for n in make_card().notices if n.kind == "uncertainty"] != []
