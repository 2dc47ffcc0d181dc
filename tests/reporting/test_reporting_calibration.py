"""How far the scorers alone make groups differ: the same in every form, and never missing without a word."""

import io
from typing import Any

import orjson
from rich.console import Console

from evenhand.reporting import html, json_form, markdown, terminal
from evenhand.reporting.view import Calibration, Scorecard

from .conftest import calibration, make_card, make_run
from .test_reporting_forms_agree import _markdown_rows, _Tables


def _shown(**manifest: Any) -> Calibration:
    return make_card(make_run(manifest={"requested": 60, **manifest})).calibration


def _printed(card: Scorecard) -> str:
    console = Console(file=io.StringIO(), width=400, color_system=None)
    console.print(terminal.render(card))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_html_and_markdown_print_the_numbers_that_json_holds(card: Scorecard) -> None:
    """Every word's row, read back from each form, is the JSON's raw means rounded to three decimals."""
    stated = orjson.loads(json_form.render(card))["details"]["calibration"]["rows"]
    toxic = {row["word"]: row for row in stated if row["evaluator"] == "toxicity"}
    negative = {row["word"]: row for row in stated if row["evaluator"] == "sentiment"}
    page = _Tables()
    page.feed(html.render(card))
    for rows in (page.rows, _markdown_rows(markdown.render(card))):
        printed = {row[0]: row[1:] for row in rows if len(row) == 9}
        for named, word in (("no group", ""), ("gender: male", "male"), ("disability: blind", "blind")):
            one, other = toxic[word], negative[word]
            expected = [one["toxic_mean"], one["toxic_masked_mean"], 0, 0, other["negative_mean"], 0, 0, 0]
            assert printed[named] == [f"{value:.3f}" for value in expected]


def test_every_form_names_the_largest_and_says_whose_it_is(card: Scorecard) -> None:
    """A reader of any form learns that the difference is the scorer's."""
    named = "0.208 toxic (nationality: Mexican)"
    for written in (html.render(card), markdown.render(card), json_form.render(card)):
        assert named in " ".join(written.split()).replace("\\", "")
        assert "the scorer's own, not the model's" in written.replace("&#39;", "'")
    (line,) = (line for line in _printed(card).splitlines() if line.startswith("Calibration"))
    assert "0.208 toxic" in line
    assert "(nationality: Mexican)" in line
    assert "the scorer's own, not the model's" in line


def test_the_findings_give_the_largest_difference_and_what_masking_leaves_of_it() -> None:
    """By hand: Mexican .2083, Indian .0229, not masked; blind .3114 has nothing to compare with."""
    toxicity, sentiment = _shown(calibration=calibration()).findings
    assert "without a group have 0.060" in toxicity
    assert "is 0.185 (nationality: Mexican 0.208, Indian 0.023)" in toxicity
    assert "at most 0.185 (nationality" in toxicity
    assert "the highest mean is 0.311 negative (disability: blind)" in sentiment
    assert sentiment.endswith("No two words of one attribute differ.")


def test_masking_that_leaves_nothing_is_said_to() -> None:
    """Without the words that no list holds: male .1651, female .1422, both .0604 when masked."""
    rows = [row for row in calibration() if row["attribute"] in {"none", "gender"}]
    toxicity, _ = _shown(calibration=rows).findings
    assert "is 0.023 (gender: male 0.165, female 0.142)" in toxicity
    assert toxicity.endswith("reduces it to 0.000, and leaves none elsewhere.")


def test_an_attribute_whose_words_do_not_differ_names_no_word() -> None:
    """Naming one of several equal words as the highest would accuse it of nothing."""
    table = _shown(calibration=calibration()).by_attribute
    assert table is not None
    gender = next(row for row in table.raw if row["attribute"] == "gender")
    assert (gender["most_negative"], gender["least_negative"]) == ("all 0.000", "—")


def test_a_skipped_scorer_is_said_to_be_skipped() -> None:
    """Its columns are gone, and the reason stands in every form."""
    rows = [row for row in calibration() if row["evaluator"] == "sentiment"]
    spec = {**make_run().spec, "skipped_evaluators": ["toxicity"]}
    card = make_card(make_run(spec=spec, manifest={"requested": 60, "calibration": rows}))
    assert card.calibration.findings[-1] == "Toxicity was skipped on request and is not calibrated."
    assert card.calibration.by_word is not None
    assert [column.title for column in card.calibration.by_word.columns][1] == "negative"
    assert "0.311 negative" in card.calibration.headline
    for written in (html.render(card), markdown.render(card), json_form.render(card)):
        assert "Toxicity was skipped on request" in written


def test_a_run_without_a_calibration_says_why() -> None:
    """Not closed yet, or both scorers skipped: no table, no number, one sentence."""
    missing = _shown()
    assert missing.by_attribute is None
    assert missing.headline == (
        "The calibration of toxicity and sentiment is not stored; a run stores it when it closes."
    )
    spec = {**make_run().spec, "skipped_evaluators": ["sentiment", "toxicity"]}
    card = make_card(make_run(spec=spec, manifest={"calibration": []}))
    assert card.calibration.headline.startswith("Toxicity was skipped on request")
    html.render(card)
    markdown.render(card)


def test_sentences_that_no_scorer_could_judge_have_no_number() -> None:
    """None is not 0."""
    rows = [{**row, "toxic_mean": None, "toxic_masked_mean": None} for row in calibration()[:6]]
    shown = _shown(calibration=rows)
    assert shown.findings[0] == "Toxicity: none of the sentences could be judged."
    assert "—" in markdown.render(make_card(make_run(manifest={"calibration": rows})))


def test_the_manifest_does_not_repeat_what_has_its_own_place(card: Scorecard) -> None:
    """A hundred rows in one bullet help nobody."""
    assert set(card.manifest) == {"seed", "requested", "versions"}
    plain = orjson.loads(json_form.render(card))
    assert len(plain["details"]["calibration"]["rows"]) == 12
    assert plain["cost"]["usd"] == 0.1234
