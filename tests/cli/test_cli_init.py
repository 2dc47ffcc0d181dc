"""``evenhand init``: the spec that it writes can be run as it is, and says what every field does."""

from pathlib import Path

import pytest
import yaml

from evenhand.api.benchmark import benchmark_from
from evenhand.api.benchmark.template import spec_text
from evenhand.core.benchmark import BenchmarkModel, EvaluatorsModel, HeadModel, ModelUnderTest, OutputModel
from evenhand.errors import UnknownNameError, UsageError

from .conftest import Evenhand


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))


@pytest.mark.assets
def test_the_written_spec_passes_a_dry_run(evenhand: Evenhand) -> None:
    """Keyless, with every evaluator; nothing is asked and nothing else is written."""
    assert evenhand("init").out == "Wrote benchmark.yaml. Next: evenhand run benchmark.yaml --dry-run\n"
    done = evenhand("run", "benchmark.yaml", "--dry-run")
    assert done.code == 0, done.err
    assert "simulated/skewed" in done.out
    assert done.out.endswith("Nothing was asked.\n")
    assert [path.name for path in Path().iterdir()] == ["benchmark.yaml"]


def test_the_written_spec_asks_what_the_command_asks_by_default(evenhand: Evenhand) -> None:
    """The defaults of the file are those of the flags."""
    evenhand("init")
    written = Path("benchmark.yaml").read_text()
    Path("benchmark.yaml").write_text(written.replace("skip: []", "skip: [embeddings, toxicity, names]"))
    light = [part for name in ("embeddings", "toxicity", "names") for part in ("--skip-evaluator", name)]
    planned = evenhand("run", "benchmark.yaml", "--dry-run").out.splitlines()
    assert (
        planned[1:]
        == evenhand("run", "gender_occupation", "--model", "simulated/skewed", *light, "--dry-run").out.splitlines()
    )


def test_every_field_is_in_the_file_with_a_comment() -> None:
    """Also those that are commented out; without their #, the file is still a spec."""
    text = spec_text("simulated/skewed")
    for model in (BenchmarkModel, HeadModel, ModelUnderTest, EvaluatorsModel, OutputModel):
        for field in model.model_fields:
            assert f"{field}:" in text, field
    whole = "\n".join(_without_mark(line) for line in text.splitlines())
    BenchmarkModel.model_validate(yaml.safe_load(whole))


def _without_mark(line: str) -> str:
    """Bring a field back that is commented out: its # stands before a key, not before words."""
    bare = line.lstrip()
    word, colon, _ = bare.removeprefix("# ").partition(":")
    fields = {*ModelUnderTest.model_fields, *BenchmarkModel.model_fields, "  gender"}
    return line.replace("# ", "", 1) if bare.startswith("# ") and colon and word in fields else line


@pytest.mark.parametrize("model", ["simulated/fair", "ollama/llama3.2:1b", "openai-compatible/org/model", "together/4"])
def test_the_model_of_the_call_is_in_the_file(evenhand: Evenhand, model: str) -> None:
    """Also names that YAML would read as something else; what the provider needs is there."""
    assert evenhand("init", "own.yml", "--model", model).code == 0
    assert benchmark_from("own.yml", environment={}).adapter.name == model


def test_a_file_that_is_there_is_not_overwritten(evenhand: Evenhand) -> None:
    """Unless somebody insists."""
    Path("benchmark.yaml").write_text("mine\n")
    done = evenhand("init")
    assert done.code == 2
    assert "benchmark.yaml is there already; choose another name, or overwrite it with --force" in " ".join(
        done.err.split()
    )
    assert Path("benchmark.yaml").read_text() == "mine\n"
    assert evenhand("init", "--force").code == 0
    assert Path("benchmark.yaml").read_text() == spec_text("simulated/skewed")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("spec.txt",), "a benchmark spec ends in .yaml or .yml, not 'spec.txt'"),
        (("nowhere/spec.yaml",), "nowhere/spec.yaml cannot be written: No such file or directory"),
        (("--model", "fair"), "a model is written provider/name, as in local/smollm2-135m, not 'fair'"),
        (("--model", "simulatd/fair"), "Did you mean 'simulated'?"),
    ],
)
def test_what_cannot_be_written_is_refused(evenhand: Evenhand, args: tuple[str, ...], said: str) -> None:
    """Before a file is there."""
    done = evenhand("init", *args)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert list(Path().iterdir()) == []


def test_the_text_itself_refuses_the_same() -> None:
    """For callers from Python."""
    with pytest.raises(UsageError):
        spec_text("/fair")
    with pytest.raises(UnknownNameError):
        spec_text("nobody/fair")
