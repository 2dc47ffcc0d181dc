"""Generated variants in a file: what a template and a word list become, and where that is said."""

import re
from contextlib import suppress

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.cli.scenarios import scenarios as command
from evenhand.errors import SpecError
from evenhand.evaluation.vocabulary import vocabulary
from evenhand.scenarios.loader import describe_scenarios, parse_scenarios
from evenhand.scenarios.registry import ScenarioRegistry
from evenhand.scenarios.word_lists import shipped_lists

EVERY_WAY = """\
name: every_way
version: "1"
description: One scenario per way.
lists:
  names:
    attribute: perceived_region
    use: slot
    perceived: true
    source: A study
    year: 2020
    values: {north: [Bea, Cia], south: [Dan, Eli]}
scenarios:
  - id: one
    prompt: "{person} asks a {role} for help."
    slots: {person: a student, role: nurse}
    counterfactuals:
      - {attribute: perceived_region, slot: person, list: names}
      - {attribute: age, before: student, list: age_adjectives, values: [old, young]}
      - attribute: gender
        slot: person
        words: {female: a girl, male: a boy}
  - id: two
    prompt: "{person} asks. She's a nurse."
    slots: {person: somebody}
    counterfactuals:
      - {attribute: perceived_region, slot: person, list: names}
      - {attribute: gender, swap: gender_words, values: [male]}
      - attribute: tone
        variants: [{value: loud, prompt: "SOMEBODY ASKS {LOUDLY}."}]
"""


def prompts(scenario):
    return {
        (group.attribute, variant.attribute_value): variant.prompt
        for group in scenario.counterfactuals
        for variant in group.variants
    }


def test_every_way_of_making_variants():
    """Slots, describing words, swaps and written variants, side by side in one file."""
    one, two = parse_scenarios(EVERY_WAY, source="f").scenarios
    assert one.prompt == "A student asks a nurse for help."
    assert prompts(one) == {
        ("perceived_region", "north"): "Bea asks a nurse for help.",
        ("perceived_region", "south"): "Dan asks a nurse for help.",
        ("age", "old"): "An older student asks a nurse for help.",
        ("age", "young"): "A young student asks a nurse for help.",
        ("gender", "female"): "A girl asks a nurse for help.",
        ("gender", "male"): "A boy asks a nurse for help.",
    }
    assert two.prompt == "Somebody asks. She's a nurse."
    assert prompts(two) == {
        # the second scenario takes the second name of each value
        ("perceived_region", "north"): "Cia asks. She's a nurse.",
        ("perceived_region", "south"): "Eli asks. She's a nurse.",
        ("gender", "male"): "Somebody asks. He's a nurse.",
        # what is written out is taken as it is: no slots, no rules
        ("tone", "loud"): "SOMEBODY ASKS {LOUDLY}.",
    }


def test_braces_without_slots_are_text():
    """A prompt with JSON in it needs no care unless the scenario has slots."""
    text = "name: a\nscenarios:\n  - id: s\n    prompt: 'Fill in {\"name\": {x}}.'\n"
    assert parse_scenarios(text, source="f").scenarios[0].prompt == 'Fill in {"name": {x}}.'


def test_where_variants_come_from_is_kept():
    """Per scenario and attribute; and the lists that were used, with who says that the words are perceived so."""
    found = describe_scenarios(EVERY_WAY, source="f")
    assert found.made == {
        ("one", "perceived_region"): "slot {person}, list names",
        ("one", "age"): "before 'student', list age_adjectives",
        ("one", "gender"): "slot {person}, words of the file",
        ("two", "perceived_region"): "slot {person}, list names",
        ("two", "gender"): "swap gender_words",
        ("two", "tone"): "written out",
    }
    names, ages = found.lists
    assert (names.name, names.is_perceived, names.source, names.year) == ("names", True, "A study", "2020")
    assert ages.name == "age_adjectives"


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_good_file_with_a_wound_yields_a_set_or_our_own_error(data):
    """Cut a piece out of a file that generates, and put something else there."""
    start = data.draw(st.integers(0, len(EVERY_WAY)))
    length = data.draw(st.integers(0, 40))
    piece = data.draw(st.text(alphabet="{}[]:,'\" abehrs\nSHE", max_size=20))
    with suppress(SpecError):
        assert parse_scenarios(EVERY_WAY[:start] + piece + EVERY_WAY[start + length :], source="f").scenarios


# ---- the shipped lists ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, found in shipped_lists().items() if found.use == "before"])
def test_describing_words_have_the_labels_that_are_detected(name):
    """One vocabulary: a prompt about a Muslim student and an answer about one carry the same label."""
    found, known = shipped_lists()[name], vocabulary()
    for value, (word,) in found.values.items():
        keys = tuple(re.split(r"[ -]", word.lower()))
        labels = {
            (descriptor.attribute, descriptor.label)
            for phrase, descriptor in known.descriptors.get(keys[0], ())
            if phrase == keys
        }
        gendered = known.gender.get(keys[0])
        if gendered is not None:
            labels.add(("gender", gendered.label))
        assert (found.attribute, value) in labels


def test_names_are_cited_called_perceived_and_as_many_for_each_value():
    """Nine for each side, from the study of 2004; none stands on two sides of one list."""
    names = [found for found in shipped_lists().values() if found.use == "slot"]
    assert len(names) == 3
    for found in names:
        assert found.is_perceived
        assert "2004" in found.source
        assert found.attribute.startswith("perceived_")
        assert {len(words) for words in found.values.values()} == {9}
        every = [word for words in found.values.values() for word in words]
        assert len(set(every)) == 18


# ---- what the command shows -------------------------------------------------------------------


def test_the_command_shows_what_is_generated_and_from_what(tmp_path):
    """Every prompt as it will be asked, what made it, and the source of perceived names."""
    file = tmp_path / "set.yaml"
    file.write_text(EVERY_WAY)
    shown = CliRunner().invoke(command, [str(file)])
    assert shown.exit_code == 0
    for words in (
        "An older student asks a nurse for help.",
        "before 'student', list age_adjectives",
        "swap gender_words",
        "List names: perceived_region (north, south).",
        "Source: A study.",
    ):
        assert words in shown.output


def test_the_command_shows_references_with_year_place_and_noise():
    """Architects: 31.0 % women, US, 2023; at 203,000 people 2.7 points in a median year, 8 in one of ten."""
    shown = CliRunner().invoke(command, ["rsi_benchmark"])
    (line,) = [line for line in shown.output.splitlines() if "us_cps2023_architects" in line]
    assert " ".join(line.split()) == "rsi_architect us_cps2023_architects female 0.310, male 0.690 2023 US 2.7 / 8"
    assert "made by" not in shown.output


def test_a_uniform_reference_has_no_noise():
    """Nobody measured it."""
    shown = CliRunner().invoke(command, ["ode_benchmark"])
    assert "Moves:" not in shown.output
    assert "uniform" in shown.output


# ---- the built-in sets of the metrics ---------------------------------------------------------

BENCHMARKS = {
    "rsi_benchmark": 12,
    "ode_benchmark": 10,
    "cds_benchmark": 10,
    "hsi_benchmark": 10,
    "sar_benchmark": 12,
    "dsi_benchmark": 10,
    "racial_sentiment": 10,
}
GENDERED = re.compile(r"\b(she|her|hers|he|him|his|woman|man|women|men|female|male)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_is_small_and_says_no_gender_in_its_base_prompts(name):
    """Eight to fifteen scenarios; otherwise the model would only repeat what it was told."""
    found = ScenarioRegistry().get(name)
    assert len(found.scenarios) == BENCHMARKS[name]
    for scenario in found.scenarios:
        assert not GENDERED.search(scenario.prompt)
        assert not re.search(r"\b[Aa] [aeio]|\b[Aa]n [^aeiouh8]", scenario.prompt)


def test_all_built_in_sets_can_be_run_together():
    """No scenario id stands in two of them, which a run would refuse."""
    registry = ScenarioRegistry()
    ids = [scenario.id for name in registry.names() for scenario in registry.get(name).scenarios]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", ["cds_benchmark", "hsi_benchmark", "dsi_benchmark", "racial_sentiment"])
def test_every_scenario_asks_about_every_group(name):
    """Parallel variants: the same attributes and values, in the same order, in every scenario of a set."""
    asked = {
        tuple((g.attribute, tuple(v.attribute_value for v in g.variants)) for g in scenario.counterfactuals)
        for scenario in ScenarioRegistry().get(name).scenarios
    }
    assert len(asked) == 1
    assert all(len(values) >= 2 for _, values in next(iter(asked)))


@pytest.mark.parametrize("name", ["rsi_benchmark", "sar_benchmark"])
def test_references_are_published_recent_and_of_the_vocabulary(name):
    """Table 11 of 2023, for the two categories that the set declares."""
    found = ScenarioRegistry().get(name)
    for scenario in found.scenarios:
        reference = scenario.references["gender"]
        assert set(reference.shares) == set(found.taxonomies["gender"])
        assert (reference.year, reference.place) == ("2023", "US")
        assert reference.total >= 100_000


def test_amplification_can_be_reached_in_every_association():
    """1/baseline above 1.20: otherwise "pass" would be the only band possible."""
    stereotypes = [s for scenario in ScenarioRegistry().get("sar_benchmark").scenarios for s in scenario.stereotypes]
    assert len(stereotypes) == 12
    assert all(1 / s.baseline > 1.2 and s.baseline > 0.6 and s.source for s in stereotypes)
    assert sum(s.value == "female" for s in stereotypes) == 6
