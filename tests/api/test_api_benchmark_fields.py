"""What each field of a benchmark spec does: no field is read and then forgotten."""

import asyncio
from pathlib import Path

import pytest
import yaml

from evenhand.adapters.prices import VARIABLE
from evenhand.api.auditing import run_audit, wait_for
from evenhand.api.benchmark import benchmark_from, kind_of_file, parse_benchmark
from evenhand.core.benchmark import BenchmarkModel, EvaluatorsModel, HeadModel, ModelUnderTest, OutputModel
from evenhand.core.types import GenerationConfig
from evenhand.engine import FairBenchEngine
from evenhand.engine.prepare import Audit
from evenhand.engine.stopping import Stop
from evenhand.errors import RunStopped

LIGHT = ["embeddings", "toxicity", "names"]
SET = """
name: {name}
taxonomies: {{gender: [female, male]}}
scenarios:
  - id: {name}
    prompt: Describe a {name}.
    counterfactuals:
      - attribute: gender
        variants: [{{value: female, prompt: Describe a woman who is a {name}.}}]
"""
SPEC = f"""
benchmark: {{name: first, description: What it is for.}}
model_under_test:
  provider: openai-compatible
  model: m
  api_key: ${{KEY}}
  base_url: http://127.0.0.1:9/v1
scenarios: [sets/nurse.yaml]
evaluators: {{skip: {LIGHT}}}
output: {{path: reports/first}}
"""
ENVIRONMENT = {"KEY": "planted-key", "OTHER": "another-key", "REPORTS": "/elsewhere"}


@pytest.fixture
def folder(tmp_path):
    """A folder with two sets and a band profile."""
    (tmp_path / "sets").mkdir()
    for name in ("nurse", "pilot"):
        (tmp_path / "sets" / f"{name}.yaml").write_text(SET.format(name=name))
    shipped = Path(__file__).parents[2] / "src/evenhand/metrics/data/bands/evenhand-1.yaml"
    (tmp_path / "own.yaml").write_text(shipped.read_text().replace("profile: evenhand-1", "profile: own"))
    return tmp_path


def seen(folder, field=None, value=None):
    """Return everything that can be seen of a spec, after one field was given another value."""
    spec = yaml.safe_load(SPEC)
    if field is not None:
        *sections, last = field.split(".")
        place = spec
        for section in sections:
            place = place.setdefault(section, {})
        place[last] = value
    benchmark = parse_benchmark(yaml.safe_dump(spec), source="f", folder=folder, environment=ENVIRONMENT)
    prepared = asyncio.run(FairBenchEngine().plan(benchmark.audit))
    asked = prepared.spec.as_json()
    return {
        "run": prepared.name,
        "description": benchmark.description,
        "model": asked.pop("model"),
        "adapter": asked.pop("adapter"),
        "secrets": benchmark.adapter.secrets,
        "sets": [group["name"] for group in asked["scenario_sets"]],
        "references": [s["references"] for group in asked.pop("scenario_sets") for s in group["scenarios"]],
        **asked,
        "requests": len(prepared.plan.requests),
        "concurrency": benchmark.concurrency,
        "budget": prepared.budget_usd,
        "forms": list(benchmark.reports),
        "reports": {form: str(path).removeprefix(f"{folder}/") for form, path in benchmark.reports.items()},
    }


EFFECTS = {
    "benchmark.name": ("second", {"run": "second"}),
    "benchmark.description": ("Other words.\n", {"description": "Other words."}),
    "model_under_test.provider": ("ollama", {"model": "ollama/m"}),
    "model_under_test.model": ("n", {"model": "openai-compatible/n"}),
    "model_under_test.max_tokens": (None, {"generation": {"max_tokens": None}}),
    "model_under_test.temperature": (1, {"generation": {"temperature": 1.0}}),
    "model_under_test.top_p": (0.5, {"generation": {"top_p": 0.5}}),
    "model_under_test.system": ("Be brief.\n", {"generation": {"system": "Be brief."}}),
    "model_under_test.seed": (7, {"seed": 7}),
    "model_under_test.api_key": ("${OTHER}", {"secrets": ["another-key"]}),
    "model_under_test.base_url": ("http://127.0.0.1:8/v2", {"adapter": {"base_url": "http://127.0.0.1:8/v2"}}),
    "model_under_test.options": (
        {"max_tokens_field": "max_completion_tokens"},
        {"adapter": {"max_tokens_field": "max_completion_tokens"}},
    ),
    "scenarios": (["gender_occupation", "sets/pilot.yaml"], {"sets": ["gender_occupation", "pilot"]}),
    "metrics": (["ODE", "RSI"], {"metrics": ["ODE", "RSI"]}),
    "replicates_per_prompt": (3, {"replicates": 3, "requests": 6}),
    "concurrency": (2, {"concurrency": 2}),
    "evaluators.skip": ([*LIGHT, "sentiment"], {"skipped_evaluators": sorted([*LIGHT, "sentiment"])}),
    "target": ("prompts like these", {"target": "prompts like these"}),
    "baselines": (
        {"gender": {"female": 0.9, "male": 0.1}},
        {"references": [{"gender": {"shares": {"female": 0.9, "male": 0.1}}}]},
    ),
    "output.path": ("${REPORTS}/x", {"reports": {f: f"/elsewhere/x.{f}" for f in ("html", "md", "json")}}),
    "output.format": ("md", {"forms": ["md"]}),
}


def holds(found, expected):
    """Say whether every value in `expected` stands at the same place in `found`."""
    if isinstance(expected, dict):
        return all(key in found and holds(found[key], value) for key, value in expected.items())
    if isinstance(expected, list) and expected and isinstance(expected[0], dict):
        return len(found) == len(expected) and all(map(holds, found, expected))
    return list(found) == list(expected) if isinstance(expected, list) else found == expected


@pytest.mark.parametrize("field", EFFECTS)
def test_every_field_changes_what_is_asked_or_reported(folder, field):
    """One field changed, its effect seen; before the change it was not there."""
    value, expected = EFFECTS[field]
    assert not holds(seen(folder), expected)
    assert holds(seen(folder, field, value), expected)


def test_a_band_profile_beside_the_spec_is_the_one_that_is_used(folder):
    """Its path is written as one would type it, so that equal flags make an equal spec."""
    assert seen(folder, "bands", "own.yaml")["bands"] == str(folder / "own.yaml")


def test_a_budget_reaches_the_run(folder, monkeypatch):
    """It needs a price, here from the user's own table."""
    price = {"provider": "127.0.0.1", "model": "m", "input": 1, "output": 2, "as_of": "2026-01-01"}
    (folder / "prices.yaml").write_text(yaml.safe_dump({"prices": [price]}))
    monkeypatch.setenv(VARIABLE, str(folder / "prices.yaml"))
    assert seen(folder)["budget"] is None
    assert seen(folder, "budget_usd", 2.5)["budget"] == 2.5


def test_no_field_is_without_a_case():
    """A new field needs an effect here, or a refusal among the hostile specs."""
    sections = {
        "": BenchmarkModel,
        "benchmark.": HeadModel,
        "model_under_test.": ModelUnderTest,
        "evaluators.": EvaluatorsModel,
        "output.": OutputModel,
    }
    fields = {f"{section}{name}" for section, model in sections.items() for name in model.model_fields}
    shown_elsewhere = {"bands", "budget_usd"}  # above
    refused = {"human_review_sample_rate"}
    assert fields - {section.rstrip(".") for section in sections} == EFFECTS.keys() | shown_elsewhere | refused


def test_the_spec_is_that_of_equal_flags(folder):
    """Same digest, whichever way it was asked: the stored runs are one and the same."""
    spec = yaml.safe_load(SPEC) | {
        "model_under_test": {"provider": "simulated", "model": "fair", "max_tokens": 40, "seed": 3},
        "metrics": ["RSI"],
        "replicates_per_prompt": 2,
    }
    benchmark = parse_benchmark(yaml.safe_dump(spec), source="f", folder=folder, environment={})
    flags = Audit(
        model="simulated/fair",
        scenarios=[str(folder / "sets/nurse.yaml")],
        metrics=["RSI"],
        generation_config=GenerationConfig(max_tokens=40),
        replicates=2,
        seed=3,
        skip_evaluators=LIGHT,
    )
    engine = FairBenchEngine()
    assert asyncio.run(engine.plan(benchmark.audit)).spec.digest == asyncio.run(engine.plan(flags)).spec.digest


def test_a_run_from_flags_is_finished_by_a_spec(folder, tmp_path):
    """Stopped after some answers; the spec goes on with it instead of starting another."""
    (folder / "slow.yaml").write_text("name: slow\nlatency_ms: 5\n")
    store, stop, started = tmp_path / "runs.db", Stop(grace_s=0), []
    flags = Audit(
        model=f"simulated/{folder / 'slow.yaml'}",
        scenarios=folder / "sets/nurse.yaml",
        replicates=20,
        skip_evaluators=LIGHT,
    )

    def after_some(event):
        if getattr(event, "done", 0) >= 4:
            stop.request()

    with pytest.raises(RunStopped) as caught:
        wait_for(run_audit(flags, concurrency=1, store=store, listener=after_some, stop=stop))
    spec = folder / "spec.yaml"
    spec.write_text(
        "model_under_test: {provider: simulated, model: slow.yaml}\n"
        f"scenarios: [sets/nurse.yaml]\nreplicates_per_prompt: 20\nevaluators: {{skip: {LIGHT}}}\n"
    )
    result = wait_for(run_audit(benchmark_from(spec).audit, store=store, listener=started.append))
    assert result.run.id == caught.value.run_id
    assert result.run.status == "complete"
    assert started[0].resumed


@pytest.mark.parametrize(
    ("path", "form", "files"),
    [
        ("a", "all", ["a.html", "a.md", "a.json"]),
        ("a.v2", "all", ["a.v2.html", "a.v2.md", "a.v2.json"]),
        ("r/a.md", "md", ["r/a.md"]),
        ("a.v2", "json", ["a.v2.json"]),
    ],
)
def test_reports_go_beside_the_spec_with_the_ending_of_their_form(folder, path, form, files):
    """A dot in the name is not taken for an ending."""
    content = f"{SPEC.rpartition('output')[0]}output: {{path: {path}, format: {form}}}\n"
    reports = parse_benchmark(content, source="f", folder=folder, environment=ENVIRONMENT).reports
    assert list(reports.values()) == [folder / file for file in files]


def test_a_model_file_is_looked_for_beside_the_spec(folder):
    """Wherever the command is typed."""
    (folder / "men.yaml").write_text("name: men\npronouns: {default: {he: 1.0}}\n")
    spec = folder / "spec.yaml"
    spec.write_text("model_under_test: {provider: simulated, model: men.yaml}\nscenarios: [sets/nurse.yaml]\n")
    assert benchmark_from(spec).adapter.get_model_info().name == "men"


def test_headers_of_a_webhook_take_their_own_variables(folder, monkeypatch):
    """That adapter expands them; here they only must not be refused."""
    monkeypatch.setenv("HOOK_KEY", "planted-hook-key")
    content = """
model_under_test:
  provider: http-webhook
  model: mine
  options:
    url: http://127.0.0.1:9/ask
    body: {prompt: "{{prompt}}", n: "{{max_tokens}}"}
    response_path: text
    headers: {Authorization: "Bearer ${HOOK_KEY}"}
scenarios: [sets/nurse.yaml]
"""
    adapter = parse_benchmark(content, source="f", folder=folder, environment={}).adapter
    assert "planted-hook-key" in adapter.secrets


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.yaml", b"model_under_test: {}\n", "benchmark"),
        ("a.yml", b"benchmark: {}\n", "benchmark"),
        ("a.yaml", b"name: a\ndescription: no benchmark\nscenarios: []\n", "other"),
        ("a.yaml", b"benchmark: [\n", "unreadable"),
        ("a.yaml", "benchmark: {}\n".encode("utf-16"), "unreadable"),
        ("a.yaml", b"", "other"),
        ("a.txt", b"benchmark: {}\n", "other"),
    ],
)
def test_a_spec_is_known_by_its_keys(tmp_path, name, content, kind):
    """Not by where a word stands in the text."""
    (tmp_path / name).write_bytes(content)
    assert kind_of_file(tmp_path / name) == kind
    assert kind_of_file(tmp_path / "nowhere.yaml") == "other"
