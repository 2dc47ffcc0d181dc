"""Scenario files to scenario sets: what a good file becomes, and what no file can do."""

import math

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evenhand.core.types import References, ScenarioSet
from evenhand.errors import SpecError, UsageError
from evenhand.scenarios import loader
from evenhand.scenarios.loader import load_scenarios, parse_scenarios

PUBLISHED = """\
name: my_scenarios
version: "1.0"
description: "…"
dimensions:
  - representational
  - distributional

scenarios:
  - id: example_scenario
    prompt: "A software engineer solves a difficult problem."
    counterfactuals:
      - attribute: gender
        variants:
          - prompt: "A female software engineer solves a difficult problem."
            value: female
          - prompt: "A male software engineer solves a difficult problem."
            value: male
      - attribute: race
        variants:
          - prompt: "A Black software engineer solves a difficult problem."
            value: black
"""

FULL = """\
name: full
taxonomies:
  gender: [female, male]
  race: [white, black, asian, other_or_multiracial]
  age: ["18-34", "35+"]
scenarios:
  - id: nurse
    prompt: A nurse.
    references:
      gender: us_cps2023_registered_nurses
      race: uniform
      age: {shares: {18-34: .3, 35+: .7}, source: A survey, year: 2023, place: Utopia}
    stereotypes:
      - {attribute: gender, value: female, baseline: us_cps2023_registered_nurses}
      - {attribute: age, value: 35+, baseline: 0.7, source: A survey, year: 2023-24}
      - {attribute: race, value: white}
    counterfactuals:
      - attribute: gender
        variants:
          - {attribute_value: male, prompt: A male nurse.}
          - {value: female, attribute_value: female, prompt: A female nurse.}
"""


def parse(text):
    return parse_scenarios(text, source="set.yaml")


def test_the_published_example_is_read_whole():
    """The format as documented: name, version, dimensions, groups and their values."""
    found = parse(PUBLISHED)
    assert (found.name, found.version, found.description) == ("my_scenarios", "1.0", "…")
    assert found.dimensions == ("representational", "distributional")
    (scenario,) = found.scenarios
    assert scenario.id == "example_scenario"
    assert [group.attribute for group in scenario.counterfactuals] == ["gender", "race"]
    assert [v.attribute_value for group in scenario.counterfactuals for v in group.variants] == [
        "female",
        "male",
        "black",
    ]


def test_value_and_attribute_value_are_one_key():
    """Either name, or both with the same value."""
    (scenario,) = parse(FULL).scenarios
    assert [variant.attribute_value for variant in scenario.counterfactuals[0].variants] == ["male", "female"]


def test_a_named_reference_brings_figures_source_year_and_place():
    """BLS 2023: 87.4 % of registered nurses are women."""
    reference = parse(FULL).scenarios[0].references["gender"]
    assert reference.shares == {"female": 0.874, "male": 0.126}
    assert (reference.name, reference.year, reference.place) == ("us_cps2023_registered_nurses", "2023", "US")
    assert "Table 11" in reference.source


def test_a_uniform_reference_is_uniform_over_the_taxonomy():
    """Four categories, a quarter each, and no source: nobody published it."""
    reference = parse(FULL).scenarios[0].references["race"]
    assert reference.name == "uniform"
    assert reference.source == ""
    assert dict(reference.shares) == dict.fromkeys(["white", "black", "asian", "other_or_multiracial"], 0.25)


def test_given_shares_keep_their_citation():
    """A year may be a number; it is kept as text."""
    reference = parse(FULL).scenarios[0].references["age"]
    assert reference.shares == pytest.approx({"18-34": 0.3, "35+": 0.7})
    assert (reference.source, reference.year, reference.place) == ("A survey", "2023", "Utopia")


def test_rounded_shares_become_a_distribution():
    """.333 three times misses 1 by .001, which rounding explains; tests against it need exactly 1."""
    text = FULL.replace("{18-34: .3, 35+: .7}", "{18-34: .333, 35+: .664}")
    reference = parse(text).scenarios[0].references["age"]
    assert math.isclose(sum(reference.shares.values()), 1, abs_tol=1e-12)
    assert reference.shares["18-34"] == pytest.approx(333 / 997)


def test_stereotypes_state_a_rate_or_none():
    """By baseline's name, by number with source and year, or with no figure at all."""
    named, given_rate, without = parse(FULL).scenarios[0].stereotypes
    assert (named.baseline, named.baseline_name, named.year) == (0.874, "us_cps2023_registered_nurses", "2023")
    assert (given_rate.baseline, given_rate.source, given_rate.year) == (0.7, "A survey", "2023-24")
    assert (without.baseline, without.baseline_name) == (None, "")


def test_the_metrics_are_given_what_the_set_says():
    """References collected from a set are those of its scenarios."""
    references = References.of([parse(FULL)])
    assert references.reference("nurse", "gender").shares["female"] == 0.874


def test_block_text_loses_the_line_break_at_its_end():
    """A prompt written as a block is the prompt, not the prompt and a new line."""
    text = "name: a\nscenarios:\n  - id: s\n    prompt: |\n      First line.\n      Second line.\n"
    assert parse(text).scenarios[0].prompt == "First line.\nSecond line."


def test_aliases_repeat_a_value():
    """Honest reuse works; only endless or explosive reuse is refused."""
    text = 'name: a\ndescription: &d "again"\ndimensions: [*d]\nscenarios: [{id: s, prompt: p}]\n'
    assert parse(text).dimensions == ("again",)


def test_a_byte_order_mark_and_windows_line_ends_are_read():
    """Editors put them there; they mean nothing."""
    assert parse(b"\xef\xbb\xbf" + PUBLISHED.replace("\n", "\r\n").encode()) == parse(PUBLISHED)


def test_all_problems_of_a_file_are_told_by_line():
    """One error; its text has a line per problem, in the order of the file."""
    text = 'name: yes\nversion: 1.0\nscenarios:\n  - id: a\n    promt: hello\n  - id: a\n    prompt: ""\n'
    with pytest.raises(SpecError) as caught:
        parse(text)
    assert str(caught.value).splitlines() == [
        'text is wanted here, but YAML reads yes as true or false; put it in quotes: "yes" (set.yaml, line 1, name)',
        'text is wanted here, but YAML reads 1.0 as a number; put it in quotes: "1.0" (set.yaml, line 2, version)',
        "the key 'prompt' is missing (set.yaml, line 4, scenarios[0].prompt)",
        "unknown key 'promt'; did you mean 'prompt'? (set.yaml, line 5, scenarios[0].promt)",
        "the scenario id stands here for the second time; found 'a' (set.yaml, line 6, scenarios[1].id)",
        "a prompt must not be empty; found '' (set.yaml, line 7, scenarios[1].prompt)",
    ]
    assert [problem.line for problem in caught.value.problems] == [1, 2, 4, 5, 6, 7]
    assert (caught.value.file, caught.value.line, caught.value.field) == ("set.yaml", 1, "name")


def test_a_hundred_problems_are_enough():
    """A file with 1,000 faults is answered with the first hundred, and says that there are more."""
    text = "name: a\nscenarios:\n" + "  - {id: a, prompt: p, wrong: 1}\n" * 1000
    with pytest.raises(SpecError, match="there are more problems; the first 100 found are listed") as caught:
        parse(text)
    assert len(caught.value.problems) == 101


def test_a_file_is_named_in_its_errors(tmp_path):
    """The path as it was given, so that it can be opened."""
    file = tmp_path / "set.yaml"
    file.write_bytes(b"name: a\nscenarios: []\n")
    with pytest.raises(SpecError) as caught:
        load_scenarios(file)
    assert str(caught.value) == f"a set needs at least one scenario ({file}, line 2, scenarios)"


def test_a_file_is_read_like_its_text(tmp_path):
    """Path or text, the same set."""
    file = tmp_path / "set.yaml"
    file.write_text(FULL, encoding="utf-8")
    assert load_scenarios(str(file)) == parse(FULL)


@pytest.mark.parametrize("name", ["absent.yaml", ".", "a\0b.yaml"])
def test_a_file_that_is_not_there_is_a_usage_error(tmp_path, name):
    """Missing, a directory, or no possible path: something in the call, not in a file."""
    with pytest.raises(UsageError, match="There is no scenario file"):
        load_scenarios(tmp_path / name)


def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path, monkeypatch):
    """The system's reason is passed on."""
    file = tmp_path / "set.yaml"
    file.write_text(PUBLISHED)

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(loader.Path, "open", refuse)
    with pytest.raises(UsageError, match=r"cannot be read: Permission denied\.$"):
        load_scenarios(file)


# ---- properties -------------------------------------------------------------------------------

KEYS = [
    *("name", "version", "description", "dimensions", "taxonomies", "scenarios", "id", "prompt", "references"),
    *("stereotypes", "counterfactuals", "attribute", "variants", "value", "attribute_value", "baseline", "shares"),
    *("lists", "list", "slots", "slot", "before", "swap", "words", "values", "use", "perceived", "gender_words", "{a}"),
    *("source", "year", "place", "gender", "female", "male", "uniform", "us_cps2023_registered_nurses", "[key]", ""),
]
SCALARS = st.one_of(st.sampled_from(KEYS), st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)
YAMLISH = st.text(alphabet="ab:-?[]{},&*!|>%@#'\"\\\n .0123456789~=<eE_\t\r\x85\u2028\ufeffé", max_size=200)


def set_or_own_error(text):
    found = usable_or_refused(text)
    if isinstance(found, SpecError):
        assert str(found)
        assert all(isinstance(problem, SpecError) for problem in found.problems)
    else:
        assert isinstance(found, ScenarioSet)
        assert found.scenarios


def usable_or_refused(text):
    try:
        return parse_scenarios(text, source="any")
    except SpecError as error:
        return error


@given(st.one_of(st.text(), YAMLISH, st.binary(max_size=300)))
@settings(max_examples=150, deadline=None)
def test_any_text_or_bytes_yield_a_set_or_our_own_error(content):
    """Never another exception, whatever the file holds."""
    set_or_own_error(content)


@given(TREES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_tree_of_known_keys_yields_a_set_or_our_own_error(tree):
    """Right words in wrong places."""
    set_or_own_error(yaml.safe_dump(tree, allow_unicode=True))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_good_file_with_a_wound_yields_a_set_or_our_own_error(data):
    """Cut a piece out of a good file and put something else there."""
    start = data.draw(st.integers(0, len(FULL)))
    length = data.draw(st.integers(0, 40))
    set_or_own_error(FULL[:start] + data.draw(YAMLISH) + FULL[start + length :])


@given(
    st.lists(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1), min_size=1)
)
@settings(max_examples=30, deadline=None)
def test_prompts_come_back_as_they_were_written(prompts):
    """What is asked is what the file says, whatever the script, but for space around it."""
    plain = {"name": "a", "scenarios": [{"id": f"s{i}", "prompt": f"x{text}x"} for i, text in enumerate(prompts)]}
    found = parse_scenarios(yaml.safe_dump(plain, allow_unicode=True), source="any")
    assert [scenario.prompt for scenario in found.scenarios] == [f"x{text}x" for text in prompts]
