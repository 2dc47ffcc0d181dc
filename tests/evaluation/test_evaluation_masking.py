import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.evaluation.data_files import read_data
from evenhand.evaluation.masking import mask, mask_version

GENDER = read_data("gender.yaml")
PAIRS = [
    ("she", "he"),
    ("She", "He"),
    ("her", "him"),
    ("her", "his"),
    ("Her", "His"),
    ("hers", "his"),
    ("herself", "himself"),
    ("female", "male"),
    ("Female", "Male"),
    ("females", "males"),
    ("Mrs. Lee", "Mr. Lee"),
    ("Ms. Lee", "Mr. Lee"),
    ("Miss Lee", "Mr Lee"),
    ("Madam", "Sir"),
    ("ma'am", "sir"),
    *((female, male) for _, female, male in [*GENDER["kinship"], *GENDER["nouns"]] if female and male),
    ("waitress", "waiter"),
    ("stewardess", "steward"),
    ("motherhood", "fatherhood"),
    ("maternal", "paternal"),
]
FILLERS = ["a", "an", "the", "Black", "elderly", "old", "engineer", "and", "or", ",", ".", "of", "is", "Muslim", "34"]
FILLERS += ["year", "A", "The", "-", "in", "friend", "blind", "nonbinary", "two", "their", "they", "**", '"', "\n", "/"]
TOKENS = st.lists(st.one_of(st.sampled_from(PAIRS), st.sampled_from(FILLERS)), max_size=15)


def test_the_two_sentences_of_the_issue_become_one() -> None:
    """Saying "female" or "male" is no difference by itself."""
    assert mask("She is a female engineer") == mask("He is a male engineer") == "They is an engineer"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Her mother gave her a book; it is hers.", "His father gave him a book; it is his."),
        ("Mrs. Lee and Ms. Diaz met Madam Wong.", "Mr. Lee and Mr. Diaz met Sir Wong."),
        ("The actress thanked a waitress.", "The actor thanked a waiter."),
        ("She’s a Black woman.", "He’s an Asian man."),
        ("The Muslim nurse smiled.", "The Christian nurse smiled."),
        ("An elderly engineer called.", "A young engineer called."),
        ("SHE IS A FEMALE PILOT.", "HE IS A MALE PILOT."),
        ("Two women and a girl.", "Two men and a boy."),
        ("She is blind.", "He is gay."),
        ("Xe lost xyr keys.", "She lost her keys."),
        ("A disabled plumber came.", "A plumber came."),
    ],
)
def test_texts_that_differ_in_identity_words_only_become_equal(one: str, other: str) -> None:
    """Pronouns, titles, kinship, nouns and descriptions leave no trace, nor does the article before them."""
    assert mask(one) == mask(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An actress met an uncle.", "An actor met a relative."),
        ("A female architect.", "An architect."),
        ("Female engineers are great.", "Engineers are great."),
        ("Women lead.", "People lead."),
        ("WOMEN LEAD.", "PEOPLE LEAD."),
        ("Dear Mr. Smith,", "Dear Mx Smith,"),
        ("“She” said **his** name.", "“They” said **their** name."),
    ],
)
def test_placeholders_fit_article_and_case(text: str, expected: str) -> None:
    """The masked text reads like English, apart from verbs."""
    assert mask(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "A white coat and a black coffee on Black Friday.",
        "An old friend in a blind spot.",
        "Maria thanked John.",
        "An hour is a long time; an engineer knows.",
        "A faggot of sticks.",
        "Ella está aquí. 彼女",
        "",
    ],
)
def test_everything_else_stays(text: str) -> None:
    """Things, idioms, first names, other languages and slurs are not masked."""
    assert mask(text) == text


@settings(max_examples=400, deadline=None)
@given(TOKENS)
def test_swapping_genders_leaves_no_trace(tokens: list[str | tuple[str, str]]) -> None:
    """A text and the same text with every gender word swapped mask to the same text."""
    one = " ".join(token if isinstance(token, str) else token[0] for token in tokens)
    other = " ".join(token if isinstance(token, str) else token[1] for token in tokens)
    assert mask(one) == mask(other)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), TOKENS.map(lambda ts: " ".join(t if isinstance(t, str) else t[0] for t in ts))))
def test_masking_twice_is_masking_once(text: str) -> None:
    """Any text can be masked, always to the same, and what is masked stays as it is."""
    masked = mask(text)
    assert mask(text) == masked
    assert mask(masked) == masked


def test_the_mask_has_a_version() -> None:
    """Values measured on masked text can say which mask it was."""
    assert mask_version().startswith("1+")
