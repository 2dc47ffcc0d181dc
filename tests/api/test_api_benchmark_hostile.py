"""Benchmark specs that a tired or a malicious hand may write, each with the exact words it is answered with."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.api.benchmark import Benchmark, benchmark_from, parse_benchmark
from evenhand.core.benchmark import BenchmarkModel, HeadModel, ModelUnderTest, OutputModel
from evenhand.errors import EvenhandError, SpecError, UsageError

MODEL = "model_under_test: {provider: simulated, model: fair}\n"
SETS = "scenarios: [gender_occupation]\n"
# what a case adds stands in line 3
GOOD = MODEL + SETS
SECRET = "sk-planted-8f2c61"
ENVIRONMENT = {"KEY": SECRET, "EMPTY": " ", "TWO_LINES": f"{SECRET}\nX-Evil: 1", "URL": f"http://me:{SECRET}@h/v1"}
BOMB = "b0: &b0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]\n" for i in range(1, 12)
)
INSIDE = "a path in a spec is relative to the folder of the file and stays in it"
NO_KEY = "a key must not stand in a file that is shared; put it in an environment variable and write ${NAME}"
ONLY_IN = "only in model_under_test.api_key, model_under_test.base_url and output.path"


def model(**changes):
    """Write a spec whose section ``model_under_test`` differs from the good one."""
    fields = {"provider": "simulated", "model": "fair", **changes}
    section = ", ".join(f"{key}: {value}" for key, value in fields.items() if value is not None)
    return f"model_under_test: {{{section}}}\n{SETS}"


UNREADABLE = {
    "empty": ("", "the file is empty (f)"),
    "binary": (bytes(range(256)), "the file is not in UTF-8; save it in that encoding (f, line 2)"),
    "png": (b"\x89PNG\r\n\x1a\n", "the file is not in UTF-8; save it in that encoding (f, line 1)"),
    "utf_16": (GOOD.encode("utf-16"), "the file is not in UTF-8; save it in that encoding (f, line 1)"),
    "utf_16_without_mark": (
        GOOD.encode("utf-16-le"),
        "the file holds the character U+0000, which YAML forbids (f, line 1)",
    ),
    "null_byte": (f"{GOOD}\0", "the file holds the character U+0000, which YAML forbids (f, line 3)"),
    "fifty_megabytes": ("# " + "x" * 50_000_000, "the file is larger than 5 MB (f)"),
    "two_documents": (
        f"{GOOD}---\n{GOOD}",
        "the file holds a second YAML document; give each set its own file (f, line 3)",
    ),
    "bomb_of_aliases": (
        BOMB,
        "with its aliases written out the file holds more than 250,000 values or 5 MB (f, line 1)",
    ),
    "endless_alias": (f"{GOOD}metrics: &x [*x]\n", "the alias *x stands inside its own anchor (f, line 3)"),
    "too_deep": ("{a: " * 40 + "}" * 40, "the file is nested deeper than 32 levels (f, line 1)"),
    "tab": (
        f"{GOOD}metrics:\n\t- RSI\n",
        "the file holds a tab; use spaces (inside double quotes a tab is written \\t) (f, line 4)",
    ),
}

FAULTY = {
    # ---- the whole
    "a_list": (
        "- a\n",
        "a benchmark spec is a mapping with the keys model_under_test and scenarios, not a list (f, line 1)",
    ),
    "a_text": (
        "hello\n",
        "a benchmark spec is a mapping with the keys model_under_test and scenarios, not text (f, line 1)",
    ),
    "nothing_but_a_name": (
        "benchmark: {name: a}\n",
        [
            "the key 'model_under_test' is missing (f, line 1, model_under_test)",
            "the key 'scenarios' is missing (f, line 1, scenarios)",
        ],
    ),
    "key_twice": (
        f"{GOOD}bands: evenhand-1\nbands: evenhand-1\n",
        "the key 'bands' stands here and again in line 4 (f, line 3, bands)",
    ),
    "mistyped_key": (
        f"{GOOD}replicates_per_promt: 3\n",
        "unknown key 'replicates_per_promt'; did you mean 'replicates_per_prompt'? (f, line 3, replicates_per_promt)",
    ),
    "key_of_another_tool": (
        f"{GOOD}metrics: [RSI]\nseed: 3\n",
        "unknown key 'seed'; known here: benchmark, model_under_test, scenarios, metrics, replicates_per_prompt, "
        "human_review_sample_rate, budget_usd, concurrency, evaluators, bands, target, baselines, output "
        "(f, line 4, seed)",
    ),
    "python_tag": (
        f"{GOOD}concurrency: !!python/object/apply:os.system ['id']\n",
        "the tag !!python/object/apply:os.system is not allowed; write the value without it (f, line 3, concurrency)",
    ),
    # ---- the model
    "no_model": (model(model=None), "the key 'model' is missing (f, line 1, model_under_test.model)"),
    "mistyped_model_key": (
        model(modle="x"),
        "unknown key 'modle'; did you mean 'model'? (f, line 1, model_under_test.modle)",
    ),
    "model_is_text": (
        f"model_under_test: simulated/fair\n{SETS}",
        "a mapping is wanted here, not text (f, line 1, model_under_test)",
    ),
    "provider_with_slash": (
        model(provider="simulated/fair"),
        "a provider has no slash; write provider: simulated and model: fair; found 'simulated/fair' "
        "(f, line 1, model_under_test.provider)",
    ),
    "unknown_provider": (
        model(provider="simulatd"),
        "there is no model provider named 'simulatd'; did you mean 'simulated'? (f, line 1, model_under_test.provider)",
    ),
    "unknown_model": (
        model(model="fiar"),
        "There is no simulated profile named 'fiar'. Did you mean 'fair'? Known: PATH.yaml, fair, red-team, skewed "
        "(f, line 1, model_under_test.model)",
    ),
    "model_is_a_number": (
        model(model="4.1"),
        'text is wanted here, but YAML reads 4.1 as a number; put it in quotes: "4.1" '
        "(f, line 1, model_under_test.model)",
    ),
    "model_file_outside": (
        model(model="../../etc/fair.yaml"),
        f"{INSIDE}; found '../../etc/fair.yaml' (f, line 1, model_under_test.model)",
    ),
    "parameter_not_taken": (
        model(temperature="0.5"),
        "simulated/fair does not take temperature; leave it unset. It takes: max_tokens, seed "
        "(f, line 1, model_under_test.temperature)",
    ),
    "option_not_taken": (
        model(options="{slots: 2}"),
        "SimulatedAdapter takes no options, but got: slots (f, line 1, model_under_test.options.slots)",
    ),
    "temperature_nan": (
        model(temperature=".nan"),
        "a number must be finite and of sensible length; found '.nan' (f, line 1, model_under_test.temperature)",
    ),
    "temperature_below_0": (
        model(temperature="-0.1"),
        "a number from 0 to 100 is wanted here; found -0.1 (f, line 1, model_under_test.temperature)",
    ),
    "top_p_true": (
        model(top_p="true"),
        "a number from 0 to 1 is wanted here; found True (f, line 1, model_under_test.top_p)",
    ),
    "max_tokens_0": (
        model(max_tokens="0"),
        "a whole number from 1 to 1,000,000 is wanted here; found 0 (f, line 1, model_under_test.max_tokens)",
    ),
    "seed_is_text": (
        model(seed='"7"'),
        "a whole number from 0 to 9,223,372,036,854,775,807 is wanted here; found '7' "
        "(f, line 1, model_under_test.seed)",
    ),
    "seed_is_nothing": (
        model(seed="null"),
        "a whole number from 0 to 9,223,372,036,854,775,807 is wanted here, not nothing "
        "(f, line 1, model_under_test.seed)",
    ),
    # ---- secrets and variables
    "literal_key": (model(api_key=SECRET), f"{NO_KEY} (f, line 1, model_under_test.api_key)"),
    "literal_key_that_is_a_number": (model(api_key="1_000"), f"{NO_KEY} (f, line 1, model_under_test.api_key)"),
    "half_a_literal_key": (model(api_key='"sk-${KEY}"'), f"{NO_KEY} (f, line 1, model_under_test.api_key)"),
    "literal_password": (
        model(base_url="https://me:planted@h/v1"),
        "a password must not stand in a file that is shared; put it in an environment variable and write "
        "https://user:${NAME}@host in base_url (f, line 1, model_under_test.base_url)",
    ),
    "key_among_options": (
        model(options="{api_key: x}"),
        "write api_key under model_under_test itself, not in options (f, line 1, model_under_test.options.api_key)",
    ),
    "secret_header": (
        model(options="{headers: {X-Api-Key: planted}}"),
        "a secret header must not stand in a file that is shared; put it in an environment variable and write ${NAME} "
        "(f, line 1, model_under_test.options.headers.X-Api-Key)",
    ),
    "variable_not_set": (
        model(api_key='"${NO_SUCH}"'),
        "the environment variable NO_SUCH is not set; set it before the run (f, line 1, model_under_test.api_key)",
    ),
    "variable_empty": (
        model(api_key='"${EMPTY}"'),
        "the environment variable EMPTY is empty; set it before the run (f, line 1, model_under_test.api_key)",
    ),
    "variable_of_two_lines": (
        model(base_url='"${TWO_LINES}"'),
        "the environment variable TWO_LINES holds a line break or control character "
        "(f, line 1, model_under_test.base_url)",
    ),
    "variable_with_a_default": (
        model(base_url='"${URL:-http://h}"'),
        "a variable is written ${NAME}, with letters, digits and _ in its name (f, line 1, model_under_test.base_url)",
    ),
    "variable_elsewhere": (
        model(model='"${KEY}"'),
        f"a variable may not stand here, {ONLY_IN} (f, line 1, model_under_test.model)",
    ),
    "variable_in_a_key": (
        f'{GOOD}baselines: {{"${{KEY}}": uniform}}\n',
        f"a variable may not stand in a key, {ONLY_IN} (f, line 3, baselines.${{KEY}})",
    ),
    "value_of_a_variable_refused": (
        model(api_key='"${KEY}"'),
        "SimulatedAdapter takes no options, but got: api_key (f, line 1, model_under_test.api_key)",
    ),
    # ---- names
    "unknown_set": (
        f"{MODEL}scenarios: [gender_ocupation]\n",
        "there is no scenario set named 'gender_ocupation'; did you mean 'gender_occupation'? "
        "(f, line 2, scenarios[0])",
    ),
    "no_sets": (f"{MODEL}scenarios: []\n", "name at least one scenario set, or a file with one (f, line 2, scenarios)"),
    "sets_are_text": (
        f"{MODEL}scenarios: gender_occupation\n",
        "a list is wanted here, not text (f, line 2, scenarios)",
    ),
    "set_twice": (
        f"{MODEL}scenarios: [gender_occupation, gender_occupation]\n",
        "this name stands here for the second time; found 'gender_occupation' (f, line 2, scenarios[1])",
    ),
    "no_such_file": (
        f"{MODEL}scenarios: [mine.yaml]\n",
        "there is no scenario file 'mine.yaml' in the folder of this file (f, line 2, scenarios[0])",
    ),
    "set_climbs_out": (
        f"{MODEL}scenarios: [../../etc/passwd.yaml]\n",
        f"{INSIDE}; found '../../etc/passwd.yaml' (f, line 2, scenarios[0])",
    ),
    "set_is_absolute": (
        f"{MODEL}scenarios: [/etc/a.yaml]\n",
        f"{INSIDE}; found '/etc/a.yaml' (f, line 2, scenarios[0])",
    ),
    "set_at_home": (f"{MODEL}scenarios: [~/a.yaml]\n", f"{INSIDE}; found '~/a.yaml' (f, line 2, scenarios[0])"),
    "set_of_windows": (
        f"{MODEL}scenarios: ['C:\\a.yaml', '..\\b.yaml']\n",
        [
            f"{INSIDE}; found 'C:\\\\a.yaml' (f, line 2, scenarios[0])",
            f"{INSIDE}; found '..\\\\b.yaml' (f, line 2, scenarios[1])",
        ],
    ),
    "unknown_metric": (
        f"{GOOD}metrics: [RSI, DSY]\n",
        "there is no metric named 'DSY'; did you mean 'DSI'? (f, line 3, metrics[1])",
    ),
    "no_metrics": (
        f"{GOOD}metrics: []\n",
        "name at least one metric, or leave the key out for all of them (f, line 3, metrics)",
    ),
    "unknown_evaluator": (
        f"{GOOD}evaluators: {{skip: [toxic]}}\n",
        "there is no evaluator named 'toxic'; did you mean 'toxicity'? (f, line 3, evaluators.skip[0])",
    ),
    "unknown_band_profile": (
        f"{GOOD}bands: evenhand-2\n",
        "there is no band profile named 'evenhand-2'; did you mean 'evenhand-1'? (f, line 3, bands)",
    ),
    "no_such_band_file": (
        f"{GOOD}bands: own.yaml\n",
        "there is no band profile 'own.yaml' in the folder of this file (f, line 3, bands)",
    ),
    "band_file_climbs_out": (
        f"{GOOD}bands: a/../../own.yaml\n",
        f"{INSIDE}; found 'a/../../own.yaml' (f, line 3, bands)",
    ),
    "unknown_baseline": (
        f"{GOOD}baselines: {{gender: us_cps2023_plumbers}}\n",
        "there is no baseline named 'us_cps2023_plumbers' for 'gender'; did you mean "
        "'us_cps2023_plumbers_pipefitters'? (f, line 3, baselines.gender)",
    ),
    "uniform_over_what": (
        f"{GOOD}baselines: {{eye_colour: uniform}}\n",
        "a uniform reference needs the categories under taxonomies.eye_colour (f, line 3, baselines.eye_colour)",
    ),
    "shares_that_miss_one": (
        f"{GOOD}baselines: {{gender: {{female: 0.5, male: 0.4}}}}\n",
        "the shares must sum to 1; they sum to 0.9 (f, line 3, baselines.gender)",
    ),
    "share_in_percent": (
        f"{GOOD}baselines: {{gender: {{female: 50, male: 0.5}}}}\n",
        "a share from 0 to 1 is wanted here; found 50 (f, line 3, baselines.gender.female)",
    ),
    "share_of_another_category": (
        f"{GOOD}baselines: {{gender: {{women: 0.5, male: 0.5}}}}\n",
        "the category 'women' is not in taxonomies.gender (female, male) (f, line 3, baselines.gender.women)",
    ),
    "baseline_is_a_list": (
        f"{GOOD}baselines: {{gender: [0.5, 0.5]}}\n",
        "'uniform', a baseline's name, or a mapping of category to share is wanted here, not a list "
        "(f, line 3, baselines.gender)",
    ),
    "no_shares": (
        f"{GOOD}baselines: {{gender: {{}}}}\n",
        "shares need at least one category (f, line 3, baselines.gender)",
    ),
    # ---- numbers
    "negative_replicates": (
        f"{GOOD}replicates_per_prompt: -3\n",
        "a whole number from 1 to 10,000 is wanted here; found -3 (f, line 3, replicates_per_prompt)",
    ),
    "half_a_replicate": (
        f"{GOOD}replicates_per_prompt: 2.5\n",
        "a whole number from 1 to 10,000 is wanted here; found 2.5 (f, line 3, replicates_per_prompt)",
    ),
    "octal": (
        f"{GOOD}concurrency: 010\n",
        "YAML readers disagree about this number; write it plainly, or in quotes for text; found '010' "
        "(f, line 3, concurrency)",
    ),
    "concurrency_is_a_list": (
        f"{GOOD}concurrency: [8]\n",
        "a whole number from 1 to 1,000 is wanted here, not a list (f, line 3, concurrency)",
    ),
    "no_budget_at_all": (f"{GOOD}budget_usd: 0\n", "an amount above 0 is wanted here; found 0 (f, line 3, budget_usd)"),
    "infinite_budget": (
        f"{GOOD}budget_usd: .inf\n",
        "a number must be finite and of sensible length; found '.inf' (f, line 3, budget_usd)",
    ),
    "review": (
        f"{GOOD}human_review_sample_rate: 0.1\n",
        "this version has no review queue: it comes with triage and human review; leave the key out until then; "
        "found 0.1 (f, line 3, human_review_sample_rate)",
    ),
    # ---- output
    "unknown_format": (
        f"{GOOD}output: {{path: a, format: htm}}\n",
        "there is no format 'htm'; did you mean 'html'? (f, line 3, output.format)",
    ),
    "two_formats": (
        f"{GOOD}output: {{path: a, format: [json, html]}}\n",
        "there is no format ['json', 'html']; known here: json, md, html, all (f, line 3, output.format)",
    ),
    "no_path": (f"{GOOD}output: {{format: json}}\n", "the key 'path' is missing (f, line 3, output.path)"),
    "both_forms": (
        f"{GOOD}output: {{path: a.html, format: json}}\n",
        "the path ends in .html, but the format is json; change one of them (f, line 3, output.path)",
    ),
    "one_ending_for_all": (
        f"{GOOD}output: {{path: a.html}}\n",
        "with the format all the path has no ending; leave .html out (f, line 3, output.path)",
    ),
    "folder_as_report": (
        f"{GOOD}output: {{path: reports/}}\n",
        "a file is wanted here, not a folder; add a name, as in reports/first (f, line 3, output.path)",
    ),
    "report_climbs_out": (f"{GOOD}output: {{path: ../a}}\n", f"{INSIDE} (f, line 3, output.path)"),
    "report_climbs_out_of_a_variable": (
        f'{GOOD}output: {{path: "${{KEY}}/../../a"}}\n',
        f"{INSIDE} (f, line 3, output.path)",
    ),
    "report_of_a_name_too_long": (
        f"{GOOD}output: {{path: {'a' * 300}}}\n",
        "nothing can be written there: File name too long (f, line 3, output.path)",
    ),
    "set_of_a_name_too_long": (
        f"{MODEL}scenarios: [{'a' * 300}.yaml]\n",
        f"there is no scenario file '{'a' * 300}.yaml' in the folder of this file (f, line 2, scenarios[0])",
    ),
    "report_is_absolute": (f"{GOOD}output: {{path: /tmp/a}}\n", f"{INSIDE} (f, line 3, output.path)"),
    "benchmark_without_name": (
        f"{GOOD}benchmark: {{description: x}}\n",
        "the key 'name' is missing (f, line 3, benchmark.name)",
    ),
    "name_of_two_lines": (
        f'{GOOD}benchmark: {{name: "a\\nb"}}\n',
        "this must be one line without space around it; found 'a\\nb' (f, line 3, benchmark.name)",
    ),
}


def refused(content, folder):
    with pytest.raises(SpecError) as caught:
        parse_benchmark(content, source="f", folder=folder, environment=ENVIRONMENT)
    return str(caught.value)


def test_the_pieces_that_the_cases_are_made_of_are_sound(tmp_path):
    """So that each case has its own fault and no other."""
    for content in (GOOD, model(), "\ufeff" + GOOD, GOOD.encode("utf-8-sig")):
        assert isinstance(parse_benchmark(content, source="f", folder=tmp_path, environment={}), Benchmark)


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_is_refused_in_words(case, tmp_path):
    """Exact text, by the reader that scenario files have."""
    content, expected = UNREADABLE[case]
    assert refused(content, tmp_path) == expected


@pytest.mark.parametrize("case", FAULTY)
def test_a_faulty_spec_is_refused_in_words(case, tmp_path):
    """Exact text of everything that is reported, nothing besides, and never a secret."""
    content, expected = FAULTY[case]
    said = refused(content, tmp_path)
    assert said.splitlines() == ([expected] if isinstance(expected, str) else expected)
    assert SECRET not in said
    assert "planted" not in said


def test_all_problems_of_a_file_are_told_at_once(tmp_path):
    """By line, each with its field; a fault in a file that the spec names is told with that file."""
    (tmp_path / "mine.yaml").write_text("name: mine\nscenarios: [{id: a}]\n")
    content = (
        "model_under_test: {provider: openai-compatible, model: m, top_p: 2}\n"
        "scenarios: [mine.yaml, gender]\n"
        "metrics: [RSX]\n"
        "bandz: evenhand-1\n"
    )
    assert [line.rpartition("(")[2] for line in refused(content, tmp_path).splitlines()] == [
        "f, line 1, model_under_test.top_p)",
        "f, line 2, scenarios[1])",
        f"{tmp_path / 'mine.yaml'}, line 2, scenarios[0].prompt)",
        "f, line 3, metrics[0])",
        "f, line 4, bandz)",
    ]


def test_half_a_character_is_refused(tmp_path, monkeypatch):
    """The pure Python reader lets it through; it could be neither sent nor stored."""
    monkeypatch.setattr("evenhand.scenarios.yaml_events._LOADER", yaml.SafeLoader)
    assert refused(model(system='"\\ud800"'), tmp_path).startswith("this holds half a character, which cannot be sent")
    assert refused(f'{GOOD}benchmark: {{name: "\\ud800"}}\n', tmp_path).startswith("this must be one line")


def test_a_mistyped_option_is_told_with_the_nearest_one(tmp_path):
    """The provider knows its options, and lists them."""
    said = refused(model(provider="openai-compatible", base_url="http://h/v1", options="{timeout: 2}"), tmp_path)
    assert said.startswith("openai-compatible has no option 'timeout'. Did you mean 'timeout_s'? Known: api_key, ")
    assert said.endswith(" (f, line 1, model_under_test.options.timeout)")


def test_what_a_provider_says_of_an_address_does_not_show_the_variable(tmp_path):
    """The words are the provider's own; what the variable held is cut out of them."""
    content = model(provider="openai-compatible", base_url='"${BAD}"')
    with pytest.raises(SpecError) as caught:
        parse_benchmark(content, source="f", folder=tmp_path, environment={"BAD": "ftp//planted"})
    assert str(caught.value) == (
        "base_url must be an address like http://localhost:8080/v1, not '[redacted]' "
        "(f, line 1, model_under_test.base_url)"
    )


def test_a_report_that_could_not_be_written_is_refused_before_the_run(tmp_path):
    """Better now than after the answers were paid for."""
    (tmp_path / "a.html").mkdir()
    (tmp_path / "b").touch()
    assert refused(f"{GOOD}output: {{path: a}}\n", tmp_path) == (
        "a folder stands where the html report would go (f, line 3, output.path)"
    )
    assert refused(f"{GOOD}output: {{path: b/c}}\n", tmp_path) == (
        "a file stands where the folder of the reports would be (f, line 3, output.path)"
    )


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nowhere.yaml", "There is no benchmark spec 'nowhere.yaml'. Write one with: evenhand init nowhere.yaml"),
        ("a" * 300, f"There is no benchmark spec '{'a' * 300}'. Write one with: evenhand init {'a' * 300}"),
        ("folder.yaml", "'folder.yaml' is a folder; name the benchmark spec in it."),
    ],
)
def test_a_path_without_a_file_is_a_usage_error(path, said, tmp_path, monkeypatch):
    """There is no line or field to name."""
    monkeypatch.chdir(tmp_path)
    Path("folder.yaml").mkdir()
    with pytest.raises(UsageError) as caught:
        benchmark_from(path)
    assert str(caught.value) == said


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["${KEY}", "RSI"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = {
    "": tuple(BenchmarkModel.model_fields),
    "benchmark": tuple(HeadModel.model_fields),
    "model_under_test": tuple(ModelUnderTest.model_fields),
    "output": tuple(OutputModel.model_fields),
}
PLACES = [(section, key) for section, keys in KEYS.items() for key in keys]


def parsed_or_refused(content, folder):
    try:
        return parse_benchmark(content, source="f", folder=folder, environment=ENVIRONMENT)
    except EvenhandError as error:
        return str(error)


@settings(max_examples=60)
@given(content=st.binary(max_size=80) | st.text(max_size=80))
def test_any_bytes_are_a_benchmark_or_our_own_error(content, tmp_path_factory):
    """Never a traceback of somebody else's."""
    assert SECRET not in str(parsed_or_refused(content, tmp_path_factory.getbasetemp()))


@settings(max_examples=60)
@given(place=st.sampled_from(PLACES), value=PLAIN)
def test_any_value_in_any_field_is_a_benchmark_or_our_own_error(place, value, tmp_path_factory):
    """A sound spec with one field replaced, written as YAML by another writer."""
    section, key = place
    (tmp_path_factory.getbasetemp() / "tiny.yaml").write_text("name: t\nscenarios: [{id: a, prompt: A nurse.}]\n")
    spec = yaml.safe_load(GOOD) | {"scenarios": ["tiny.yaml"], "benchmark": {"name": "a"}, "output": {"path": "a"}}
    (spec[section] if section else spec)[key] = value
    found = parsed_or_refused(yaml.safe_dump(spec, allow_unicode=True), tmp_path_factory.getbasetemp())
    assert isinstance(found, Benchmark) or SECRET not in found
