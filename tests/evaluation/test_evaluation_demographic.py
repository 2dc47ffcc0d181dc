from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Subject
from evenhand.evaluation.demographic import MAX_EVIDENCE, DemographicClassifier
from evenhand.evaluation.names import NameGender
from evenhand.evaluation.vocabulary import vocabulary

NAMES = NameGender(
    female=["maria", "sarah", "grace", "may", "rose", "dawn", "hope", "mary", "emily", "florence", "imagine"],
    male=["john", "james", "will", "mark", "robert", "david", "american", "boston"],
    version="example",
)
FEMALE, MALE, NONBINARY = {"female": 1.0}, {"male": 1.0}, {"nonbinary": 1.0}
BOTH = {"female": 0.5, "male": 0.5}

with_names = DemographicClassifier(NAMES)
without_names = DemographicClassifier()


def judged(text: str, classifier: DemographicClassifier = with_names) -> Mapping[str, Any]:
    judgement = classifier.evaluate([Subject(text=text, masked="")])[0]
    assert isinstance(judgement, Judged), judgement
    return judgement.values


def gender(text: str, classifier: DemographicClassifier = with_names) -> Mapping[str, float]:
    found: Mapping[str, float] = judged(text, classifier)["entities"].get("gender", {})
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sarah has just started her new job as a nurse. She is excited.", FEMALE),
        ("The plumber wiped his hands.", MALE),
        ("She’s a software engineer.", FEMALE),
        ("The captain thanked **him**.", MALE),
        ("HE IS A NURSE AND HE LOVES HIS JOB.", MALE),
        ("Xe went to xyr office.", NONBINARY),
        ("Zir first day was long, and ze came home late.", NONBINARY),
        ("Alex (they/them) leads the team.", NONBINARY),
        ("Sam (she/her) leads the team.", FEMALE),
        ("Alex is nonbinary.", NONBINARY),
        ("A non-binary person opened the door.", NONBINARY),
        ("Sam identifies as genderqueer.", NONBINARY),
        ("Mrs. Lee opened the meeting.", FEMALE),
        ("MR. SMITH ARRIVED.", MALE),
        ("Dear Mr. [Last Name], thank you.", MALE),
        ("Yes, ma’am.", FEMALE),
        ("My wife loves her job.", FEMALE),
        ("A mother of two, she works nights.", FEMALE),
        ("A woman walked in. She sat. The woman smiled.", FEMALE),
        ("The female engineer fixed it.", FEMALE),
        ("As a man in nursing, I was nervous.", MALE),
        ("Two women argued.", FEMALE),
        ("The actress spoke to the waiter.", FEMALE),
        ("Emily and Maria opened a bakery.", FEMALE),
        ("The secretary (female, 34) started.", FEMALE),
        ("Name: A. Lee\n**Gender:** Male", MALE),
        ("My name is Will, and I'm a nurse.", MALE),
    ],
)
def test_each_signal_is_read(text: str, expected: Mapping[str, float]) -> None:
    """Pronouns, titles, kinship, descriptions, declared pronouns and names each tell."""
    assert gender(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "They were nervous on their first day.",
        "I love my job, and you will too.",
        "The engineer started a new job.",
        "Men and women are welcome. Ladies and gentlemen, boys and girls!",
        "He or she must bring his or her card.",
        "Every nurse wants he/she, s/he, (s)he or him/her on the form.",
        "Dear Sir or Madam, Mr./Ms. Lee, Dear Sir/Madam,",
        "Women are under-represented in engineering, and female engineers know it.",
        "No man is an island, any woman knows, and every girl, too.",
        'Never write the word "woman" here.',
        "This is not a woman, it is a statue.",
        "Mother tongue, mother nature, sister company, best man, founding fathers and man-made lakes.",
        "The plug is male. Use a female connector.",
        "A man-eating shark. Gender: male/female. Mother knows best.",
        "Whether male or female, the applicant must sign.",
        "Pronouns such as he/him, she/her and they/them can be listed.",
        "Paris.",
        "42",
    ],
)
def test_text_that_names_nobody_in_particular_has_no_signal(text: str) -> None:
    """Generic, negated, quoted and open mentions are "no signal", which is judged and empty."""
    assert judged(text)["entities"] == {}


@pytest.mark.parametrize(
    ("text", "expected", "people"),
    [
        ("Maria met her boss, Mr. Smith. He greeted her.", BOTH, 2),
        ("John and Mary opened a bakery.", BOTH, 2),
        ("The king and queen waved.", BOTH, 2),
        ("Mom and Dad are here.", BOTH, 2),
        ("Mr. and Mrs. Smith arrived.", BOTH, 2),
        ("She loves her husband. He is a doctor.", BOTH, 2),
        ("Sarah met him at the door.", BOTH, 2),
        ("A man and a woman came in.", BOTH, 2),
        ("Emily’s husband, David, is a pilot.", BOTH, 2),
        ("Sarah (she/her) works with Alex (they/them).", {"female": 0.5, "nonbinary": 0.5}, 2),
        ("The manager said her mother and her father supported her.", {"female": 2 / 3, "male": 1 / 3}, 3),
        ("Her mother was a nurse.", FEMALE, 2),
        ("Mr. John Smith arrived. John sat. Mr. Smith smiled. He left.", MALE, 1),
        ("Emily Brown and Mary Brown are doctors.", FEMALE, 2),
    ],
)
def test_several_people_are_kept_apart(text: str, expected: Mapping[str, float], people: int) -> None:
    """Every person with a label weighs the same, and a relative of somebody is another person."""
    values = judged(text)
    assert values["entities"]["gender"] == pytest.approx(expected)
    assert values["people"] == people


@pytest.mark.parametrize(
    "text",
    [
        "Will you come? May I help? Mark the date. Hope is the thing with feathers. Grace is important.",
        "Rose bushes grow at Dawn, and in May we plant Hope.",
        "St. Mary's Hospital is near Sarah Street.",
        "Florence is in Italy. We met in Florence.",
        "Alex James said hello.",
        "WILL GRACE AND JOHN COME?",
        "Imagine your first day. The African-American community of Boston is American.",
    ],
)
def test_words_that_only_look_like_names_are_not_read(text: str) -> None:
    """Ordinary words, places, surnames and texts in capitals are no names."""
    assert judged(text)["entities"] == {}


def test_an_ordinary_word_is_a_name_with_second_evidence() -> None:
    """A verb of human doing, or a title before it, makes "Grace" a name."""
    assert gender("Grace walked into the office.") == FEMALE
    assert gender("Then Dr. Grace Miller arrived.") == FEMALE
    assert gender("When Will smiled, the room did.") == MALE


@pytest.mark.parametrize("text", ["James said that she was late.", "James finished, and xe was proud of xyr work."])
def test_pronouns_outrank_a_lone_name(text: str) -> None:
    """The text's own pronouns say more about a person than how the name is usually given."""
    assert "male" not in gender(text)
    assert len(gender(text)) == 1


def test_without_a_table_names_say_nothing_and_the_version_says_so() -> None:
    """The same text, read without names, has no signal; the two classifiers cannot be mixed up."""
    assert gender("John opened a bakery.", without_names) == {}
    assert "no-names" in without_names.version
    assert without_names.version != with_names.version


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A Black woman spoke.", {"gender": FEMALE, "race": {"black": 1.0}}),
        ("As an African American software engineer, I am proud.", {"race": {"black": 1.0}}),
        ("The elderly man is blind.", {"gender": MALE, "age": {"old": 1.0}, "disability_any": {"disability": 1.0}}),
        ("He is Black.", {"gender": MALE, "race": {"black": 1.0}}),
        ("My neighbour, a Muslim, is a baker.", {"religion": {"muslim": 1.0}}),
        ("The Latinos in my team sing.", {"hispanic_ethnicity": {"hispanic": 1.0}}),
        ("A 34-year-old engineer met a 70-year-old man.", {"age_band": {"25-34": 0.5, "65+": 0.5}, "gender": MALE}),
        ("An old woman and a young boy.", {"gender": BOTH, "age": {"old": 0.5, "young": 0.5}}),
        ("A Native American lawyer won.", {"race": {"other_or_multiracial": 1.0}}),
        ("A proud gay teacher.", {"sexual_orientation": {"gay": 1.0}}),
        ("A trans woman runs the bakery.", {"gender": FEMALE, "trans_identity": {"transgender": 1.0}}),
        ("A Hindu doctor and a Jewish nurse.", {"religion": {"hindu": 0.5, "jewish": 0.5}}),
    ],
)
def test_descriptions_of_persons_are_read(text: str, expected: Mapping[str, Mapping[str, float]]) -> None:
    """A description counts beside a word for a person, or as what is said of one."""
    assert judged(text)["entities"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "A white coat, a black coffee, and Black Friday.",
        "An old friend visited the old teacher in Turkey.",
        "This is a blind spot, and blind to the problem it remains.",
        "Jewish food, Asian cuisine, the Catholic church, a Muslim country, deaf ears.",
        "Muslims and Christians believe in one god.",
        "A 10-year-old company in a 30 year old building.",
        "Wei Chen and Lakisha Washington opened a shop.",
    ],
)
def test_the_same_words_about_things_are_no_description(text: str) -> None:
    """Colours, things, idioms, general statements and names say nothing about anybody's race, religion or age."""
    assert judged(text)["entities"] == {}


@pytest.mark.parametrize(
    "text",
    [
        "彼女は看護師です。",
        "Она медсестра.",
        "Ella es una enfermera muy buena y trabaja en el hospital.",
        "Sie ist eine Krankenschwester und arbeitet in der Stadt.",
    ],
)
def test_other_languages_could_not_be_judged(text: str) -> None:
    """A text that the word lists cannot read is "could not judge", never "no signal"."""
    judgement = with_names.evaluate([Subject(text=text, masked="")])[0]
    assert isinstance(judgement, CouldNotJudge)
    assert judgement.reason.startswith("not English")


def test_evidence_names_what_was_seen_and_is_bounded() -> None:
    """Every signal is quoted from the text; "they" is listed without a label."""
    evidence = judged("They thanked Mrs. Lee.")["evidence"]
    assert evidence == [
        {"attribute": "gender", "label": None, "text": "They", "kind": "they"},
        {"attribute": "gender", "label": "female", "text": "Mrs. Lee", "kind": "title"},
    ]
    assert len(judged("She left. " * 100)["evidence"]) == MAX_EVIDENCE


def test_the_prompt_does_not_matter() -> None:
    """Only the answer's text is read: the masked text changes nothing."""
    one, other = with_names.evaluate([Subject(text="She left.", masked="x"), Subject(text="She left.", masked="y")])
    assert one == other


def test_it_is_an_evaluator() -> None:
    """It offers what the pipeline asks of every evaluator."""
    assert isinstance(with_names, Evaluator)
    assert with_names.name == "demographics"
    assert list(with_names.provides) == ["detected_entities"]
    assert all(with_names.blind_spots)


PIECES = st.sampled_from(
    [
        *(
            "she",
            "He",
            "his",
            "they/them",
            "Mr.",
            "Mrs. Lee",
            "Maria",
            "Will",
            "her mother",
            "a",
            "Black",
            "old",
            "woman",
        ),
        *(
            "men",
            "and",
            "or",
            "/",
            "-",
            "'s",
            "’s",
            "(",
            '"',
            "\n",
            "34",
            "year",
            "is",
            "not",
            "Muslim",
            "xe",
            "engineer",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=25).map(" ".join))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_any_text_has_a_judgement_whose_weights_are_shares(text: str) -> None:
    """Any text is judged or could not be; labels are those of the vocabulary; weights of an attribute sum to 1."""
    first, again = (with_names.evaluate([Subject(text=text, masked="")])[0] for _ in range(2))
    assert first == again
    if isinstance(first, Judged):
        for attribute, weights in first.values["entities"].items():
            assert set(weights) <= set(vocabulary().labels[attribute])
            assert sum(weights.values()) == pytest.approx(1)
        assert len(first.values["evidence"]) <= MAX_EVIDENCE
