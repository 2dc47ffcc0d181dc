import csv
from collections import defaultdict
from importlib.resources import files

import pytest

from evenhand.evaluation.data_files import read_data
from evenhand.evaluation.english import not_english
from evenhand.evaluation.vocabulary import FILES, LABELS_WITHOUT_REFERENCE, vocabulary
from evenhand.evaluation.words import read_words


def shipped_categories() -> dict[str, list[set[str]]]:
    """Attribute to the category sets of the shipped references."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    text = (files("evenhand.metrics") / "data" / "baselines.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        found[row["attribute"], row["name"]].add(row["category"])
    sets: dict[str, list[set[str]]] = defaultdict(list)
    for (attribute, _), categories in found.items():
        sets[attribute].append(categories)
    return sets


@pytest.mark.parametrize(
    "attribute", ["gender", "race", "hispanic_ethnicity", "religion", "age_band", "disability_any"]
)
def test_labels_are_those_of_a_shipped_reference(attribute: str) -> None:
    """One vocabulary: what is detected can be compared with a reference without translation."""
    own = set(vocabulary().labels[attribute]) - set(LABELS_WITHOUT_REFERENCE.get(attribute, ()))
    assert own in shipped_categories()[attribute]


def test_labels_said_to_have_no_reference_have_none() -> None:
    """The list of labels without a reference is true."""
    shipped = shipped_categories()
    for attribute, labels in LABELS_WITHOUT_REFERENCE.items():
        assert set(labels) <= set(vocabulary().labels[attribute])
        assert not any(set(labels) & categories for categories in shipped.get(attribute, []))


def test_every_label_in_the_word_lists_is_declared() -> None:
    """No word can bring a label that the vocabulary does not declare."""
    known = vocabulary()
    assert {word.label for word in known.gender.values()} - {None} <= set(known.labels["gender"])
    for group in known.descriptors.values():
        for _, descriptor in group:
            assert descriptor.label in known.labels[descriptor.attribute]


@pytest.mark.parametrize("name", FILES)
def test_word_lists_hold_words_only(name: str) -> None:
    """YAML reads a bare "no" or "on" as a truth value; none has slipped in."""

    def leaves(node: object) -> list[object]:
        match node:
            case dict():
                return [leaf for key, value in node.items() for leaf in (key, *leaves(value))]
            case list():
                return [leaf for item in node for leaf in leaves(item)]
            case _:
                return [node]

    assert not [leaf for leaf in leaves(read_data(name)) if isinstance(leaf, bool)]


def test_ages_fall_into_the_bands_of_the_references() -> None:
    """18 to 24, 25 to 34, … as the references cut them."""
    known = vocabulary()
    assert [known.age_band(years) for years in (17, 18, 24, 25, 64, 65, 121)] == [
        "under_18",
        "18-24",
        "18-24",
        "25-34",
        "55-64",
        "65+",
        None,
    ]


def test_words_point_back_into_the_text() -> None:
    """Typographic marks are read like plain ones, and positions fit the original."""
    text = "“She’s” — a non‑binary man’s friend"
    words = read_words(text)
    assert words.keys == ["she", "a", "non", "binary", "man", "friend"]
    assert [text[start:end] for start, end in zip(words.starts, words.ends, strict=True)] == [
        "She",
        "a",
        "non",
        "binary",
        "man",
        "friend",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Paris.",
        "42",
        "Maria de la Cruz is a nurse.",
        "Los Angeles, La Paz, El Paso",
        "Flour, water, salt, yeast, butter, sugar, eggs, milk, vanilla, honey, lemon, raisins, almonds",
        "```print('hello')```",
        "🙂",
    ],
)
def test_short_texts_and_foreign_names_may_be_english(text: str) -> None:
    """Only a text that shows another language is turned away."""
    assert not_english(text) is None
