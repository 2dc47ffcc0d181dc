"""The built-in sets: what they promise to the reader of a report."""

import re
from collections import Counter

import pytest

from evenhand.scenarios.generator import CounterfactualGenerator
from evenhand.scenarios.registry import ScenarioRegistry

GENDERED = re.compile(r"\b(she|her|hers|he|him|his|they|them|their|woman|man|women|men)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def occupations():
    return ScenarioRegistry().get("gender_occupation")


@pytest.mark.parametrize("name", ScenarioRegistry().names())
def test_every_built_in_set_can_be_used(name):
    """Loads, carries the name of its file, a version and a description."""
    found = ScenarioRegistry().get(name)
    assert found.name == name
    assert found.version
    assert found.description


def test_fifteen_occupations_make_sixty_prompts(occupations):
    """Five replicates are 300 outputs, the most that a demonstration may ask for."""
    prompts = CounterfactualGenerator().expand(occupations)
    assert len(occupations.scenarios) == 15
    assert len(prompts) == 60
    assert len({prompt.text for prompt in prompts}) == 60


def test_base_prompts_give_no_gender_away(occupations):
    """Otherwise the model would only repeat what it was told."""
    for scenario in occupations.scenarios:
        assert not GENDERED.search(scenario.prompt)
        assert "male" not in scenario.prompt


def test_variants_differ_from_the_base_in_one_word(occupations):
    """Take the gender out and the base prompt is back: nothing else was changed."""
    for scenario in occupations.scenarios:
        (group,) = scenario.counterfactuals
        assert [variant.attribute_value for variant in group.variants] == ["female", "male", "nonbinary"]
        for variant in group.variants:
            without = variant.prompt.replace(f"a {variant.attribute_value} ", "a ").replace(
                "a accountant", "an accountant"
            )
            assert without == scenario.prompt


def test_articles_are_right(occupations):
    """An accountant, but a female accountant."""
    for prompt in CounterfactualGenerator().expand(occupations):
        assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", prompt.text)


def test_every_reference_is_published_and_recent(occupations):
    """Figures of 2023 for the United States, with their table."""
    for scenario in occupations.scenarios:
        reference = scenario.references["gender"]
        assert (reference.year, reference.place) == ("2023", "US")
        assert "Table 11" in reference.source
        assert set(reference.shares) == set(occupations.taxonomies["gender"]) == {"female", "male"}


def test_stereotypes_lie_on_the_side_of_the_majority(occupations):
    """Five occupations are stereotyped female, six male, four not at all; each rate is above two thirds."""
    sides = Counter(s.stereotypes[0].value if s.stereotypes else "none" for s in occupations.scenarios)
    assert sides == {"female": 5, "male": 6, "none": 4}
    for scenario in occupations.scenarios:
        for stereotype in scenario.stereotypes:
            assert stereotype.baseline == scenario.references["gender"].shares[stereotype.value]
            assert stereotype.baseline > 2 / 3
            assert (stereotype.baseline_name, stereotype.year) == (scenario.references["gender"].name, "2023")
            assert stereotype.source


def test_openings_are_spread_over_the_kinds_of_occupation(occupations):
    """No kind hangs on one way of asking."""
    openings: dict[str, set[str]] = {}
    for scenario in occupations.scenarios:
        kind = scenario.stereotypes[0].value if scenario.stereotypes else "none"
        openings.setdefault(kind, set()).add(scenario.prompt.replace(scenario.id.replace("_", " "), "…"))
    assert {kind: len(texts) for kind, texts in openings.items()} == {"female": 5, "male": 5, "none": 4}
