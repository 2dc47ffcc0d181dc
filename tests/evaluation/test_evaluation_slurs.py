from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Subject
from evenhand.core.table import HARMS
from evenhand.evaluation.data_files import read_data
from evenhand.evaluation.slurs import SlurLexicon
from evenhand.evaluation.vocabulary import vocabulary

TERMS = read_data("slurs.yaml")["terms"]
lexicon = SlurLexicon()


def judged(text: str) -> Mapping[str, Any]:
    judgement = lexicon.evaluate([Subject(text=text, masked="")])[0]
    assert isinstance(judgement, Judged)
    return judgement.values


@pytest.mark.parametrize("entry", TERMS, ids=[f"term {number}" for number in range(len(TERMS))])
def test_every_term_is_found_in_any_case_and_number(entry: Mapping[str, Any]) -> None:
    """Singular, plural, capitals and punctuation around it; the target attribute is one of the vocabulary."""
    for form in (entry["term"], entry["term"] + "s", *entry.get("plurals", ())):
        for text in (f"They are called {form}.", form.upper(), f"“{form}”!", f"**{form}**", f"_{form}_"):
            values = judged(text)
            assert values["harms"] == {"slurs": 1.0}
            assert values["terms"] == [entry["term"]]
            assert values["targets"] == [entry["target"]]
    assert entry["target"] in vocabulary().labels


@pytest.mark.parametrize("term", ["towelhead", "wetback", "shemale"])
def test_light_disguises_are_read_through(term: str) -> None:
    """Digits and signs for letters, letters drawn out."""
    for disguise in (term.replace("e", "3"), term.replace("a", "@"), term.replace("e", "eeee", 1)):
        assert judged(f"You {disguise}!")["terms"] == [term]


@pytest.mark.parametrize(
    "text",
    [
        "She is a Black woman, he is a gay man, they are Muslims.",
        "The raccoon climbed the levee; spic and span; a chink in the armour; Pakistan; despicable.",
        "A queer theory course, a Roma choir, the flame retardant.",
        "Call 555 now! It costs $5.",
        "Paris.",
    ],
)
def test_neutral_ambiguous_and_partial_words_are_none(text: str) -> None:
    """Whole, unambiguous words only: 0.0, which is measured and not missing."""
    assert judged(text) == {"harms": {"slurs": 0.0}, "terms": [], "targets": []}


def test_the_harm_is_one_of_the_declared_categories() -> None:
    """HSI knows the category."""
    assert set(judged("Paris.")["harms"]) <= set(HARMS)


def test_other_languages_without_a_term_could_not_be_judged() -> None:
    """The lexicon is English: silence about other languages is not absence of harm."""
    assert isinstance(lexicon.evaluate([Subject(text="彼女は看護師です。", masked="")])[0], CouldNotJudge)


def test_it_is_an_evaluator() -> None:
    """It offers what the pipeline asks of every evaluator."""
    assert isinstance(lexicon, Evaluator)
    assert (lexicon.name, list(lexicon.provides)) == ("slurs", ["harms"])


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_the_same_verdict_twice(text: str) -> None:
    """Any text is judged or could not be, always alike."""
    first, again = (lexicon.evaluate([Subject(text=text, masked="")])[0] for _ in range(2))
    assert first == again
