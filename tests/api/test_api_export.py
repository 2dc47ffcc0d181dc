"""export(): every answer of a run, complete replicates or not."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

from evenhand.adapters.base import ModelAdapter
from evenhand.api import audit
from evenhand.api.export import COLUMNS, export
from evenhand.core.outcomes import Answered, Attempt, Blocked, Outcome, Usage
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import MissingExtraError, UnknownNameError, UsageError
from evenhand.storage.sqlite import SQLiteBackend

SET = """
name: nurses
taxonomies: {gender: [female, male]}
scenarios:
  - id: nurse
    prompt: Describe a nurse.
    counterfactuals:
      - attribute: gender
        variants:
          - {value: female, prompt: Describe a female nurse.}
          - {value: male, prompt: Describe a male nurse.}
"""
LIGHT = ("embeddings", "toxicity", "names")


class Model(ModelAdapter):
    """Answers the base prompt, is blocked for one group and fails for the other."""

    @property
    def name(self) -> str:
        return "test/model"

    def get_model_info(self) -> ModelInfo:
        return ModelInfo(provider="test", name="model")

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        outcome: Outcome = Answered(text="=She works.\nDaily.", finish_reason="stop")
        if "female" in prompt:
            outcome = Blocked(reason="filter")
        elif "male" in prompt:
            raise ValueError("no such nurse")
        return GeneratedOutput(
            outcome=outcome,
            model="model-2026",
            usage=Usage(input_tokens=4, output_tokens=6),
            attempts=(Attempt(status="ok", started_at="t", latency_s=0.1),),
        )


@pytest.fixture
def database(tmp_path: Path) -> Path:
    (tmp_path / "set.yaml").write_text(SET)
    path = tmp_path / "runs.db"
    audit(Model(), tmp_path / "set.yaml", metrics=["RSI"], replicates=2, skip_evaluators=LIGHT, store=path)
    return path


def lines(**arguments: Any) -> list[dict[str, Any]]:
    stream = io.BytesIO()
    count = export(to=stream, **arguments)
    read = [json.loads(line) for line in stream.getvalue().decode().split("\n")[:-1]]
    assert count == len(read)
    return read


def test_every_answer_is_one_row_in_plan_order(database: Path) -> None:
    """3 prompts × 2 replicates; what was asked, what came back, what was said about it."""
    rows = lines(store=database)
    assert [(row["replicate"], row["value"]) for row in rows] == [
        (1, None), (1, "female"), (1, "male"), (2, None), (2, "female"), (2, "male"),
    ]  # fmt: skip
    answered, blocked, failed = rows[:3]
    assert (answered["text"], answered["finish_reason"], answered["why_not"]) == ("=She works.\nDaily.", "stop", None)
    assert (answered["model"], answered["input_tokens"], answered["output_tokens"]) == ("model-2026", 4, 6)
    assert (answered["detected_gender_female"], answered["is_refusal"], answered["words"]) == (1.0, False, 3.0)
    assert (blocked["outcome"], blocked["text"], blocked["why_not"]) == ("blocked", None, "filter")
    assert (failed["outcome"], failed["why_not"], failed["kind"]) == ("failed", "no such nurse", "ValueError")
    assert blocked["toxicity_toxic"] is None
    assert len({row["request_id"] for row in rows}) == 6


def test_every_column_is_documented(database: Path) -> None:
    """The table in the module and the columns of an export say the same, in the same order."""
    names = list(lines(store=database, embeddings=True)[0])
    entries = [
        name if name in COLUMNS else max((c for c in COLUMNS if name.startswith(c.rstrip("*")) and "*" in c), key=len)
        for name in names
    ]
    assert list(dict.fromkeys(entries)) == list(COLUMNS)


def test_an_incomplete_replicate_is_exported_though_no_metric_sees_it(database: Path, tmp_path: Path) -> None:
    """It was paid for, and its text may be what somebody looks for."""
    with SQLiteBackend(database) as store, SQLiteBackend(tmp_path / "partial.db") as partial:
        run = store.get_run("latest")
        partial.create_run(run)
        partial.save_responses(run.id, list(store.responses(run.id))[:4])
    assert [row["replicate"] for row in lines(store=tmp_path / "partial.db")] == [1, 1, 1, 2]


def test_the_three_forms_say_the_same(database: Path, tmp_path: Path) -> None:
    """Read with one reader."""
    rows = lines(store=database)
    for form in ("csv", "parquet"):
        assert export("latest", to=tmp_path / "new" / f"run.{form}", form=form, store=database) == 6  # type: ignore[arg-type]
    parquet = polars.read_parquet(tmp_path / "new" / "run.parquet")
    assert parquet.to_dicts() == rows
    texts = {name: polars.String for name, dtype in parquet.schema.items() if dtype == polars.String}
    assert polars.read_csv(tmp_path / "new" / "run.csv", schema_overrides=texts).to_dicts() == rows


def test_a_file_appears_whole_or_not_at_all(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure in the middle leaves the earlier file and nothing else."""
    target = tmp_path / "run.parquet"
    target.write_text("earlier")
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"Parquet needs.*evenhand\[frames\]"):
        export(to=target, form="parquet", store=database)
    assert target.read_text() == "earlier"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")] == []


def test_what_cannot_be_done_is_said(database: Path, tmp_path: Path) -> None:
    """Before anything is written."""
    with pytest.raises(UnknownNameError, match="'parquet'"):
        export(to=tmp_path / "x", form="parket", store=database)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="holds no vector"):
        export(to=tmp_path / "x", form="csv", embeddings=True, store=database)
    with pytest.raises(UnknownNameError, match="no run named"):
        export("1999", to=tmp_path / "x", store=database)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="folder cannot be written"):
        export(to=tmp_path / "folder", store=database)
    assert not (tmp_path / "x").exists()


@pytest.mark.assets
def test_embeddings_are_exported_on_request(database: Path, tmp_path: Path) -> None:
    """384 numbers for the answer, none for what was blocked."""
    path = tmp_path / "embedded.db"
    audit(Model(), tmp_path / "set.yaml", metrics=["CDS"], replicates=1, skip_evaluators=("toxicity",), store=path)
    export(to=tmp_path / "run.parquet", form="parquet", embeddings=True, store=path)
    column = polars.read_parquet(tmp_path / "run.parquet")["embedding"]
    assert column.null_count() == 2
    assert np.linalg.norm(column[0]) == pytest.approx(1.0, abs=1e-3)
    assert "embedding" not in lines(store=path)[0]


def test_the_page_of_columns_is_not_stale() -> None:
    """The reference shows the table of the code, line by line."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "storage.md").read_text()
    assert [f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in COLUMNS.items()] == [
        line for line in page.splitlines() if line.startswith("| `")
    ]
