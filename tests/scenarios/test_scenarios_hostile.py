"""Files that a tired or a malicious hand may write, each with the exact words it is answered with."""

from time import perf_counter

import pytest
import yaml

from evenhand.errors import SpecError
from evenhand.scenarios.loader import parse_scenarios

HEAD = "name: a\ntaxonomies: {gender: [female, male]}\nscenarios:\n"
# scenarios begin in line 4
ONE = HEAD + "  - id: s\n    prompt: Base.\n"
# the first variant stands in line 9
GROUP = ONE + "    counterfactuals:\n      - attribute: gender\n        variants:\n"
NURSES = "us_cps2023_registered_nurses"
BOMB = "b0: &b0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]\n" for i in range(1, 12)
)

UNREADABLE = {
    "empty": ("", "the file is empty (f)"),
    "only_a_comment": ("# nothing\n", "the file is empty (f)"),
    "not_utf8": (b"name: a\nb: \xff\xfe\n", "the file is not in UTF-8; save it in that encoding (f, line 2)"),
    "latin_1": ("name: café".encode("latin-1"), "the file is not in UTF-8; save it in that encoding (f, line 1)"),
    "too_large": ("a" * 5_000_001, "the file is larger than 5 MB (f)"),
    "too_many_bytes": ("é".encode() * 2_500_001, "the file is larger than 5 MB (f)"),
    "tab": (
        "name: a\n\tb: c",
        "the file holds a tab; use spaces (inside double quotes a tab is written \\t) (f, line 2)",
    ),
    "null_character": ("name: a\x00", "the file holds the character U+0000, which YAML forbids (f, line 1)"),
    "escape_character": (
        "name: a\nb: \x1b[31m",
        "the file holds the character U+001B, which YAML forbids (f, line 2)",
    ),
    "lone_surrogate": ("name: \ud800", "the file holds the character U+D800, which YAML forbids (f, line 1)"),
    "two_documents": (
        "name: a\n---\nname: b\n",
        "the file holds a second YAML document; give each set its own file (f, line 2)",
    ),
    "deep_mapping": ("{a: " * 40 + "}" * 40, "the file is nested deeper than 32 levels (f, line 1)"),
    "deep_list": ("- " * 5000 + "a", "the file is nested deeper than 32 levels (f, line 1)"),
    "alias_within_its_anchor": ("a: &x\n  b: *x\n", "the alias *x stands inside its own anchor (f, line 2)"),
    "alias_without_anchor": ("a: 1\nb: *x\n", "the alias *x has no anchor &x before it (f, line 2)"),
    "bomb_of_aliases": (
        BOMB,
        "with its aliases written out the file holds more than 250,000 values or 5 MB (f, line 1)",
    ),
    "bomb_of_text": (
        f"a: &x {'y' * 100_000}\nb: [{', '.join(['*x'] * 60)}]\n",
        "with its aliases written out the file holds more than 250,000 values or 5 MB (f, line 1)",
    ),
    "too_many_values": ("-\n" * 250_001, "the file holds more than 250,000 values (f, line 250000)"),
}

SYNTAX = {
    "open_bracket": ("name: [a\n", "this is not YAML: ", 2),
    "open_quote": ("name: 'a\n", "this is not YAML: ", 2),
    "bad_indent": ("name: a\n b: c\n", "this is not YAML: ", 2),
    "unknown_escape": ('name: "\\q"\n', "this is not YAML: ", 1),
    "unknown_tag_handle": ("name: !x!y a\n", "this is not YAML: ", 1),
    "future_version": ("%YAML 9.9\n---\nname: a\n", "this is not YAML: ", 1),
}

ONE_PROBLEM = {
    # ---- reading
    "list_at_the_top": (
        "- a\n",
        "a scenario file is a mapping with the keys name and scenarios, not a list (f, line 1)",
    ),
    "text_at_the_top": ("hello", "a scenario file is a mapping with the keys name and scenarios, not text (f, line 1)"),
    "nothing_at_the_top": (
        "---\n",
        "a scenario file is a mapping with the keys name and scenarios, not nothing (f, line 2)",
    ),
    "key_twice": ("name: b\n" + ONE, "the key 'name' stands here and again in line 2 (f, line 1, name)"),
    "python_tag": (
        ONE.replace("Base.", "!!python/object/apply:os.system ['id']"),
        [
            "the tag !!python/object/apply:os.system is not allowed; write the value without it "
            "(f, line 5, scenarios[0].prompt)"
        ],
    ),
    "own_tag": (
        ONE.replace("Base.", "!secret Base."),
        "the tag !secret is not allowed; write the value without it (f, line 5, scenarios[0].prompt)",
    ),
    "merge_key": (
        GROUP + "          - {<<: {value: male}, value: male, prompt: P.}\n",
        [
            "the merge key << in line 9 is not supported; write the entries out "
            "(f, line 9, scenarios[0].counterfactuals[0].variants[0])",
            "unknown key '<<'; known here: prompt, value, attribute_value "
            "(f, line 9, scenarios[0].counterfactuals[0].variants[0].<<)",
        ],
    ),
    "key_that_is_a_list": (
        ONE + "    ? [a]\n    : b\n",
        [
            "a key is a sequence in line 6; a key must be text (f, line 4, scenarios[0])",
            "unknown key ''; known here: id, prompt, slots, references, stereotypes, counterfactuals "
            "(f, line 6, scenarios[0].)",
        ],
    ),
    "key_that_is_a_truth_value": (
        ONE.replace("{gender: [female, male]}", "{no: [a, b]}"),
        "the key 'no' in line 2 is read as true or false; put it in quotes (f, line 2, taxonomies)",
    ),
    "nan": (
        ONE + "    stereotypes: [{attribute: gender, value: male, baseline: .nan, source: s, year: 1}]\n",
        "a number must be finite and of sensible length; found '.nan' "
        "(f, line 6, scenarios[0].stereotypes[0].baseline)",
    ),
    "infinity": (
        ONE + "    references: {gender: {shares: {female: -.INF, male: 1}, source: s, year: 1}}\n",
        "a number must be finite and of sensible length; found '-.INF' "
        "(f, line 6, scenarios[0].references.gender.shares.female)",
    ),
    "base_60": (
        ONE + "    stereotypes: [{attribute: gender, value: male, baseline: 1:30, source: s, year: 1}]\n",
        "YAML readers disagree about this number; write it plainly, or in quotes for text; found '1:30' "
        "(f, line 6, scenarios[0].stereotypes[0].baseline)",
    ),
    "octal_id": (
        ONE.replace("id: s", "id: 010"),
        "YAML readers disagree about this number; write it plainly, or in quotes for text; found '010' "
        "(f, line 4, scenarios[0].id)",
    ),
    # ---- text that YAML reads as something else
    "norway": (
        GROUP + "          - {value: no, prompt: P.}\n",
        'text is wanted here, but YAML reads no as true or false; put it in quotes: "no" '
        "(f, line 9, scenarios[0].counterfactuals[0].variants[0].value)",
    ),
    "yes_as_id": (
        ONE.replace("id: s", "id: yes"),
        'text is wanted here, but YAML reads yes as true or false; put it in quotes: "yes" '
        "(f, line 4, scenarios[0].id)",
    ),
    "number_as_id": (
        ONE.replace("id: s", "id: 1.0"),
        'text is wanted here, but YAML reads 1.0 as a number; put it in quotes: "1.0" (f, line 4, scenarios[0].id)',
    ),
    "number_as_version": (
        "version: 1.0\n" + ONE,
        'text is wanted here, but YAML reads 1.0 as a number; put it in quotes: "1.0" (f, line 1, version)',
    ),
    "null_as_prompt": (
        ONE.replace("Base.", "~"),
        "text is wanted here, not nothing (f, line 5, scenarios[0].prompt)",
    ),
    "list_as_prompt": (
        ONE.replace("Base.", "[a]"),
        "text is wanted here, not a list (f, line 5, scenarios[0].prompt)",
    ),
    # ---- shape
    "unknown_key": (
        ONE + "    counterfactual: []\n",
        "unknown key 'counterfactual'; did you mean 'counterfactuals'? (f, line 6, scenarios[0].counterfactual)",
    ),
    "foreign_key": (
        "zzz: 1\n" + ONE,
        "unknown key 'zzz'; known here: name, version, description, dimensions, taxonomies, lists, scenarios "
        "(f, line 1, zzz)",
    ),
    "unknown_key_of_a_reference": (
        ONE + "    references: {gender: {baseline: uniform, sauce: x}}\n",
        "unknown key 'sauce'; did you mean 'source'? (f, line 6, scenarios[0].references.gender.sauce)",
    ),
    "no_name": ("scenarios: [{id: s, prompt: p}]\n", "the key 'name' is missing (f, line 1, name)"),
    "no_scenarios": ("name: a\n", "the key 'scenarios' is missing (f, line 1, scenarios)"),
    "empty_scenarios": ("name: a\nscenarios: []\n", "a set needs at least one scenario (f, line 2, scenarios)"),
    "scenarios_as_mapping": (
        "name: a\nscenarios: {id: s}\n",
        "a list is wanted here, not a mapping (f, line 2, scenarios)",
    ),
    "scenario_as_text": (HEAD + "  - s\n", "a mapping is wanted here, not text (f, line 4, scenarios[0])"),
    "reference_as_number": (
        ONE + "    references: {gender: 5}\n",
        "a baseline's name, 'uniform', or a mapping with shares, source and year is wanted here, not a number "
        "(f, line 6, scenarios[0].references.gender)",
    ),
    "empty_prompt": (
        ONE.replace("Base.", '" "'),
        "a prompt must not be empty; found ' ' (f, line 5, scenarios[0].prompt)",
    ),
    "empty_id": (ONE.replace("id: s", 'id: ""'), "this must not be empty; found '' (f, line 4, scenarios[0].id)"),
    "id_with_space_around_it": (
        ONE.replace("id: s", 'id: " s"'),
        "this must be one line without space around it; found ' s' (f, line 4, scenarios[0].id)",
    ),
    "empty_attribute": (
        ONE + "    references: {'': uniform}\n",
        [
            "this must not be empty; found '' (f, line 6, scenarios[0].references.)",
        ],
    ),
    "group_without_variants": (
        GROUP.rstrip() + " []\n",
        "a counterfactual group needs at least one variant (f, line 8, scenarios[0].counterfactuals[0].variants)",
    ),
    "taxonomy_of_one": (
        ONE.replace("[female, male]", "[female]"),
        "a taxonomy needs at least two categories (f, line 2, taxonomies.gender)",
    ),
    # ---- contradictions
    "id_twice": (
        ONE + "  - id: s\n    prompt: Other.\n",
        "the scenario id stands here for the second time; found 's' (f, line 6, scenarios[1].id)",
    ),
    "category_twice": (
        ONE.replace("[female, male]", "[female, female]"),
        "the category stands here for the second time; found 'female' (f, line 2, taxonomies.gender[1])",
    ),
    "attribute_twice": (
        GROUP
        + "          - {value: male, prompt: P.}\n"
        + "      - {attribute: gender, variants: [{value: female, prompt: Q.}]}\n",
        "the attribute stands here for the second time; found 'gender' "
        "(f, line 10, scenarios[0].counterfactuals[1].attribute)",
    ),
    "value_twice": (
        GROUP + "          - {value: male, prompt: P.}\n          - {attribute_value: male, prompt: Q.}\n",
        "the value stands here for the second time; found 'male' "
        "(f, line 10, scenarios[0].counterfactuals[0].variants[1].attribute_value)",
    ),
    "no_value": (
        GROUP + "          - prompt: P.\n",
        "the key 'value' is missing (f, line 9, scenarios[0].counterfactuals[0].variants[0].value)",
    ),
    "two_values": (
        GROUP + "          - {value: male, attribute_value: female, prompt: P.}\n",
        "value and attribute_value mean the same and must not differ; value is 'male'; found 'female' "
        "(f, line 9, scenarios[0].counterfactuals[0].variants[0].attribute_value)",
    ),
    "variant_is_the_base": (
        GROUP + '          - {value: male, prompt: "Base. "}\n',
        "the variant's prompt is the base prompt; it must differ from it "
        "(f, line 9, scenarios[0].counterfactuals[0].variants[0].prompt)",
    ),
    "variant_is_its_sibling": (
        GROUP + "          - {value: male, prompt: P.}\n          - {value: female, prompt: P.}\n",
        "the prompt stands here for the second time; found 'P.' "
        "(f, line 10, scenarios[0].counterfactuals[0].variants[1].prompt)",
    ),
    "unknown_baseline": (
        ONE + "    references: {gender: us_cps2023_plumbers}\n",
        "there is no baseline named 'us_cps2023_plumbers' for 'gender'; did you mean "
        "'us_cps2023_plumbers_pipefitters'? "
        "(f, line 6, scenarios[0].references.gender)",
    ),
    "baseline_of_another_attribute": (
        ONE + f"    references: {{sex: {NURSES}}}\n",
        f"the baseline '{NURSES}' has no figures for 'sex'; known here: gender, race, hispanic_ethnicity "
        "(f, line 6, scenarios[0].references.sex)",
    ),
    "uniform_without_taxonomy": (
        ONE + "    references: {race: uniform}\n",
        "a uniform reference needs the categories under taxonomies.race (f, line 6, scenarios[0].references.race)",
    ),
    "baseline_outside_the_taxonomy": (
        ONE.replace("[female, male]", "[women, male]") + f"    references: {{gender: {NURSES}}}\n",
        f"the category 'female' of the baseline '{NURSES}' is not in taxonomies.gender (women, male) "
        "(f, line 6, scenarios[0].references.gender)",
    ),
    "baseline_and_shares": (
        ONE + "    references: {gender: {baseline: uniform, shares: {female: 1}}}\n",
        "a reference that names a baseline must not give shares too (f, line 6, scenarios[0].references.gender)",
    ),
    "shares_without_source": (
        ONE + "    references: {gender: {shares: {female: 0.5, male: 0.5}, year: 2023}}\n",
        "the key 'source' is missing: shares are given with source and year "
        "(f, line 6, scenarios[0].references.gender.source)",
    ),
    "shares_that_miss_one": (
        ONE + "    references: {gender: {shares: {female: 0.5, male: 0.494}, source: s, year: 2023}}\n",
        "the shares must sum to 1; they sum to 0.994 (f, line 6, scenarios[0].references.gender.shares)",
    ),
    "percent_as_share": (
        ONE + "    references: {gender: {shares: {female: 0.5, male: 50}, source: s, year: 2023}}\n",
        "a share lies between 0 and 1; found 50 (f, line 6, scenarios[0].references.gender.shares.male)",
    ),
    "share_outside_the_taxonomy": (
        ONE + "    references: {gender: {shares: {female: 0.5, man: 0.5}, source: s, year: 2023}}\n",
        "the category 'man' is not in taxonomies.gender (female, male) "
        "(f, line 6, scenarios[0].references.gender.shares.man)",
    ),
    "stereotype_outside_the_taxonomy": (
        ONE + "    stereotypes: [{attribute: gender, value: woman}]\n",
        "the category 'woman' is not in taxonomies.gender (female, male) "
        "(f, line 6, scenarios[0].stereotypes[0].value)",
    ),
    "stereotype_twice": (
        ONE + "    stereotypes: [{attribute: gender, value: male}, {attribute: gender, value: male}]\n",
        "the stereotype gender=male stands here for the second time (f, line 6, scenarios[0].stereotypes[1])",
    ),
    "rate_in_percent": (
        ONE + "    stereotypes: [{attribute: gender, value: male, baseline: 87, source: s, year: 2023}]\n",
        "a baseline rate is above 0 and at most 1; found 87 (f, line 6, scenarios[0].stereotypes[0].baseline)",
    ),
    "truth_value_as_rate": (
        ONE + "    stereotypes: [{attribute: gender, value: male, baseline: true}]\n",
        "a baseline's name or a number is wanted here; found True (f, line 6, scenarios[0].stereotypes[0].baseline)",
    ),
    "rate_without_year": (
        ONE + "    stereotypes: [{attribute: gender, value: male, baseline: 0.8, source: s}]\n",
        "the key 'year' is missing: a rate is given with source and year (f, line 6, scenarios[0].stereotypes[0].year)",
    ),
    "source_without_rate": (
        ONE + "    stereotypes: [{attribute: gender, value: male, source: s}]\n",
        "source without a baseline: give the rate to which that belongs "
        "(f, line 6, scenarios[0].stereotypes[0].baseline)",
    ),
    "source_beside_a_name": (
        ONE + f"    stereotypes: [{{attribute: gender, value: male, baseline: {NURSES}, year: 2020}}]\n",
        f"the baseline '{NURSES}' brings its own year; leave them out (f, line 6, scenarios[0].stereotypes[0])",
    ),
    "stereotype_without_figures": (
        ONE.replace("{gender", "{race: [a, b], gender")
        + "    stereotypes: [{attribute: race, value: a, baseline: us_cps2023_registered_nurses}]\n",
        f"the baseline '{NURSES}' has no category 'a'; known here: white, black, asian, other_or_multiracial "
        "(f, line 6, scenarios[0].stereotypes[0].baseline)",
    ),
    "stereotype_of_share_zero": (
        ONE + "    stereotypes: [{attribute: race, value: other_or_multiracial, "
        "baseline: us_cps2023_interior_designers}]\n",
        "the baseline 'us_cps2023_interior_designers' gives 'other_or_multiracial' as 0: no ratio to it exists "
        "(f, line 6, scenarios[0].stereotypes[0].baseline)",
    ),
}


def refused(text):
    with pytest.raises(SpecError) as caught:
        parse_scenarios(text, source="f")
    return caught.value


def test_the_pieces_that_the_cases_are_made_of_are_sound():
    """So that each case has its own fault and no other."""
    assert parse_scenarios(ONE, source="f").scenarios[0].id == "s"
    assert parse_scenarios(GROUP + "          - {value: male, prompt: P.}\n", source="f").name == "a"


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_is_refused_in_words(case):
    """Exact text, and soon: no file may hold the reader up."""
    content, expected = UNREADABLE[case]
    start = perf_counter()
    assert str(refused(content)) == expected
    assert perf_counter() - start < 20


@pytest.mark.parametrize("case", SYNTAX)
def test_broken_yaml_is_refused_with_its_line(case):
    """The parser's own words follow; they depend on its build."""
    content, beginning, line = SYNTAX[case]
    error = refused(content)
    assert str(error).startswith(beginning)
    assert error.line == line


@pytest.mark.parametrize("case", ONE_PROBLEM)
def test_a_faulty_file_is_refused_in_words(case):
    """Exact text of everything that is reported, and nothing besides."""
    content, expected = ONE_PROBLEM[case]
    assert str(refused(content)).splitlines() == ([expected] if isinstance(expected, str) else expected)


def test_the_pure_python_parser_refuses_the_same(monkeypatch):
    """PyYAML without libyaml is slower and words syntax errors differently; everything else is the same."""
    monkeypatch.setattr("evenhand.scenarios.yaml_events._LOADER", yaml.SafeLoader)
    for content, expected in (*ONE_PROBLEM.values(), UNREADABLE["deep_list"], UNREADABLE["two_documents"]):
        assert str(refused(content)).splitlines() == ([expected] if isinstance(expected, str) else expected)
    for content, beginning, _ in SYNTAX.values():
        assert str(refused(content)).startswith(beginning)
