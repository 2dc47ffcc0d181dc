"""Generated variants: what is changed, what is left alone, and what is refused because it cannot be safe."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.scenarios.articles import article_for
from evenhand.scenarios.describing import describe
from evenhand.scenarios.gender_swap import swap_gender
from evenhand.scenarios.slots import fill
from evenhand.scenarios.words import Unsafe

# base prompt, value, variant
SWAPPED = [
    # whole words: "she" stands in "teaches" nowhere
    ("She teaches.", "male", "He teaches."),
    ("she reaches the shed where the sheep are", "male", "he reaches the shed where the sheep are"),
    ("He heard the theme there.", "female", "She heard the theme there."),
    ("This history shows what he did.", "female", "This history shows what she did."),
    # case and clitics
    ("SHE LEFT. She'll call.", "male", "HE LEFT. He'll call."),
    ("She's late, and she’d say so herself.", "male", "He's late, and he’d say so himself."),
    ("A WOMAN ASKS.", "male", "A MAN ASKS."),
    # "her" as an object, and as a possessive
    ("Ask her.", "male", "Ask him."),
    ("Tell her about it, then thank her, please.", "male", "Tell him about it, then thank him, please."),
    ("Her desk is tidy.", "male", "His desk is tidy."),
    ("She has her own office.", "male", "He has his own office."),
    ("Write about her career.", "male", "Write about his career."),
    ("A colleague of hers asks her to stay.", "male", "A colleague of his asks him to stay."),
    # "his" before a noun, and alone
    ("He opens his bag.", "female", "She opens her bag."),
    ("He meets a friend of his who sings.", "female", "She meets a friend of hers who sings."),
    ("The mistake is his.", "female", "The mistake is hers."),
    ("Ask him. He hurt himself.", "female", "Ask her. She hurt herself."),
    ("He thanks his family.", "female", "She thanks her family."),
    # nouns, plural, possessive, article
    ("A woman asks for help.", "male", "A man asks for help."),
    ("Two women with a plan.", "male", "Two men with a plan."),
    ("An uncle of mine asks.", "female", "An aunt of mine asks."),
    ("A parent asks the school.", "female", "A mother asks the school."),
    ("A person asks. The person's name.", "nonbinary", "A nonbinary person asks. The nonbinary person's name."),
    ("People who read.", "female", "Women who read."),
    ("The woman says she will come.", "male", "The man says he will come."),
    ("Describe a female engineer.", "male", "Describe a male engineer."),
    ("Describe a female engineer.", "nonbinary", "Describe a nonbinary engineer."),
    ("The person says she is here.", "male", "The person says he is here."),
]  # fmt: skip


@pytest.mark.parametrize(("base", "value", "variant"), SWAPPED)
def test_a_swap_changes_whole_words_and_keeps_grammar_and_case(base, value, variant):
    """Exactly this text comes out."""
    assert swap_gender(base, value) == variant


# base prompt, value, the word that is named
REFUSED = [
    ("Her duck saw her duck.", "male", "her"),
    ("They saw nothing.", "male", "They"),
    ("The nurse saw her duck.", "male", "her"),
    ("Make her work.", "male", "her"),
    ("Call her and go.", "male", "her"),
    ("Take her home.", "male", "her"),
    ("Give her children books.", "male", "her"),
    ("The idea was his alone.", "female", "his"),
    ("Is it his or not?", "female", "his"),
    ("She teaches.", "female", "She"),
    ("She teaches.", "nonbinary", "She"),
    ("A parent loses their job.", "female", "their"),
    ("Xe teaches.", "female", "Xe"),
    ("She meets him.", "male", "him"),
    ("She calls her mother.", "male", "mother"),
    ("A mother and a daughter.", "male", "daughter"),
    ("A parent and a child.", "female", "child"),
    ("The actress said she would come.", "male", "actress"),
    ("A woman doctor.", "male", "woman"),
    ("A child psychologist.", "female", "child"),
    ("The she-wolf.", "male", "she"),
    ("Meet in person.", "female", "person"),
    ("A wife asks.", "nonbinary", "wife"),
    ("sHe teaches.", "male", "sHe"),
    ("The teacher teaches.", "male", None),
    ("The shé of the sheds.", "male", None),
    ("The she\u0301 of the sheds.", "male", None),
]


@pytest.mark.parametrize(("base", "value", "word"), REFUSED)
def test_a_swap_that_may_be_wrong_is_refused_with_its_word(base, value, word):
    """Ambiguous "her", verbs after "they", persons of both genders, compounds, nothing to change."""
    found = swap_gender(base, value)
    assert isinstance(found, Unsafe)
    assert found.word == word
    assert found.reason


NAMELESS = re.compile(r"\b(he|him|his|himself|man|men|male)\b", re.IGNORECASE)


PIECES = st.sampled_from(["she", "teaches", "her", ".", ",", "own", "about", "hers", "Ask", "ASK", "women", "\n"])


@given(st.lists(PIECES, max_size=9))
def test_a_swap_leaves_no_word_behind_or_says_so(words):
    """Whatever the prompt: refused, or all female words gone and all other words as they were."""
    base = " ".join(words)
    found = swap_gender(base, "male")
    if isinstance(found, str):
        assert not re.search(r"\b(she|her|hers|women)\b", found, re.IGNORECASE)
        assert len(found.split()) == len(base.split())
        assert [w for w in found.split() if not NAMELESS.fullmatch(w)] == [
            w for w in words if w not in {"she", "her", "hers", "women", "\n"}
        ]


@given(st.text(max_size=80), st.sampled_from(["female", "male", "nonbinary"]))
def test_any_text_is_swapped_or_refused(text, value):
    """Never an exception."""
    assert isinstance(swap_gender(text, value), str | Unsafe)


# ---- describing words -------------------------------------------------------------------------

DESCRIBED = [
    ("Describe an accountant.", "accountant", "female", "Describe a female accountant."),
    ("Describe a nurse.", "nurse", "older", "Describe an older nurse."),
    ("A customer's question.", "customer", "Asian", "An Asian customer's question."),
    ("Describe a software engineer.", "software engineer", "Black", "Describe a Black software engineer."),
    ("Customers who wait.", "customers", "older", "Older customers who wait."),
    ("Wait. Customers ask.", "customers", "older", "Wait. Older customers ask."),
    ("list: of customers", "customers", "older", "list: of older customers"),
    ("What of people in town?", "people", "Muslim", "What of Muslim people in town?"),
    ("DESCRIBE A NURSE.", "nurse", "older", "DESCRIBE AN OLDER NURSE."),
    ("A customer-facing job for a customer.", "customer", "young", "A customer-facing job for a young customer."),
]


@pytest.mark.parametrize(("base", "noun", "word", "variant"), DESCRIBED)
def test_a_describing_word_stands_before_its_noun_with_the_right_article(base, noun, word, variant):
    """Exactly this text comes out."""
    assert describe(base, noun, word) == variant


@pytest.mark.parametrize(
    ("base", "noun", "word", "part"),
    [
        ("Describe a nurse.", "doctor", "female", "does not occur in the prompt as a whole word"),
        ("Describe nurses.", "nurse", "female", "'nurses' does"),
        ("A nurse meets a nurse.", "nurse", "female", "more than once"),
        ("A software engineer.", "engineer", "female", "behind 'software'"),
        ("Describe nurses.", "nurses", "female", "behind 'Describe'"),
        ("Meet the (nurse).", "nurse", "female", "behind 'the'"),
        ("An officer.", "officer", "MBA-holding", "whether 'a' or 'an'"),
        ("The keynurse.", "nurse", "female", "does not occur"),
        ("An officer.", "officer", "historic", "whether 'a' or 'an'"),
    ],
)
def test_a_describing_word_is_refused_where_it_may_be_wrong(base, noun, word, part):
    """The reason says why."""
    found = describe(base, noun, word)
    assert isinstance(found, Unsafe)
    assert part in found.reason


# by ear; None: speakers or spellings differ
ARTICLES = {
    "an": "apple older Asian honest hour heir unusual urban 8-year-old 18-year-old 11th 80-year-old elderly Indian",
    "a": "nurse Black European university unique union one-armed young 7-year-old 100-year-old house useful woman",
    None: "MBA MBA-holding A1 herb historic 1,000 x ырка Yvonne",
}


@pytest.mark.parametrize(("article", "words"), ARTICLES.items())
def test_articles_follow_the_sound(article, words):
    """And are left open where the sound is not certain."""
    assert {word: article_for(word) for word in words.split()} == dict.fromkeys(words.split(), article)


# ---- slots ------------------------------------------------------------------------------------


def test_slots_are_filled_with_capital_and_article():
    """At the start of a sentence a capital; before a slot "a" or "an" as it sounds; doubled braces are braces."""
    template = "{person} needs a {kind} form. {person} asks. {{x}}"
    assert fill(template, {"person": "an officer", "kind": "official"}) == (
        "An officer needs an official form. An officer asks. {x}"
    )
    assert fill("{person}'s name", {"person": "Emily"}) == "Emily's name"
    assert fill('Say: "{person} asks". The word "{person}".', {"person": "a nurse"}) == (
        'Say: "A nurse asks". The word "a nurse".'
    )
    assert fill("Call somebody, e.g. {person}.", {"person": "a nurse"}) == "Call somebody, e.g. a nurse."


@pytest.mark.parametrize(
    ("template", "filling", "part"),
    [
        ("{p} asks.", "they", "another form"),
        ("A {p} asks.", "the nurse", "'a' stands before the slot and 'the' begins the filling"),
        ("{p}'s name.", "nurses", "behind this word 's is not certain"),
        ("A {p} asks.", "NGO", "whether 'a' or 'an'"),
    ],
)
def test_a_filling_that_may_be_wrong_is_refused(template, filling, part):
    """The reason says why."""
    found = fill(template, {"p": filling})
    assert isinstance(found, Unsafe)
    assert part in found.reason
    assert found.word == filling
