"""A run as data frames, and audits from notebooks."""

import asyncio
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import polars
import pytest

from evenhand.adapters.base import ModelAdapter
from evenhand.api import AuditResult, audit
from evenhand.api.frames import output_columns, to_frame
from evenhand.core.outcomes import Blocked
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GeneratedOutput,
    GenerationConfig,
    ModelInfo,
    Scenario,
)
from evenhand.errors import MissingExtraError, ModelError, UnknownNameError, UsageError

LIGHT = ("embeddings", "toxicity", "names")
VARIANTS = [CounterfactualVariant(prompt=f"Describe a {v} nurse.", attribute_value=v) for v in ("female", "male")]
NURSE = Scenario(
    id="nurse",
    prompt="Describe a nurse.",
    counterfactuals=[CounterfactualGroup(attribute="gender", variants=VARIANTS)],
)


class Mixed(ModelAdapter):
    """Answers about nurses, is blocked for men, fails for women."""

    @property
    def name(self) -> str:
        return "mixed/m"

    def get_model_info(self) -> ModelInfo:
        return ModelInfo(provider="mixed", name="m")

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        if " female " in prompt:
            raise ModelError("no such luck", status=400)
        if " male " in prompt:
            return GeneratedOutput(outcome=Blocked(reason="filter"))
        return GeneratedOutput.answer("She began on Monday.")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> AuditResult:
    store = tmp_path_factory.mktemp("frames") / "runs.db"
    return audit(Mixed(), NURSE, replicates=12, skip_evaluators=LIGHT, store=store)


def test_outputs_are_one_row_each_in_plan_order(result: AuditResult) -> None:
    """12 replicates of base, female, male; what is not there is null, not NaN, not an empty text."""
    frame = result.outputs_frame()
    assert isinstance(frame, polars.DataFrame)
    assert frame.height == 36
    assert frame["value"].to_list()[:3] == [None, "female", "male"]
    assert frame["outcome"].to_list()[:3] == ["answered", "failed", "blocked"]
    assert frame["why_not"].to_list()[:3] == [None, "no such luck", "filter"]
    assert frame["text"].to_list()[:2] == ["She began on Monday.", None]
    assert frame["words"].to_list()[:2] == [4.0, None]
    assert frame["is_refusal"].to_list()[:2] == [False, None]
    assert frame["detected_gender_female"].to_list()[:2] == [1.0, None]
    assert frame["sentiment_positive"].dtype == polars.Float64
    assert frame["toxicity_toxic"].null_count() == 36  # skipped: null, never 0
    assert frame["toxicity_toxic"].dtype == polars.Float64
    assert not [name for name in frame.columns if "embedding" in name]
    assert not [dtype for dtype in frame.dtypes if dtype.is_nested()]


def test_a_frame_can_be_computed_with_as_it_is(result: AuditResult) -> None:
    """The first thing that people do with one."""
    frame = result.outputs_frame()
    counts = dict(frame.group_by("outcome").len().iter_rows())
    assert counts == {"answered": 12, "blocked": 12, "failed": 12}
    assert frame.filter(polars.col("attribute").is_null())["words"].mean() == 4.0


def test_pandas_gets_the_same_cells(result: AuditResult) -> None:
    """Missing is NA there; whole numbers stay whole."""
    ours, theirs = result.outputs_frame(), result.outputs_frame(to="pandas")
    assert isinstance(theirs, pandas.DataFrame)
    assert list(theirs.columns) == ours.columns
    for name in ours.columns:
        cells = [None if pandas.isna(cell) else cell for cell in theirs[name]]
        assert cells == ours[name].to_list(), name
    assert str(theirs["replicate"].dtype) == "Int64"
    assert str(theirs["is_refusal"].dtype) == "boolean"


def test_metrics_are_rows_with_their_parts(result: AuditResult) -> None:
    """Overall rows first in their metric, then by attribute and scenario; undefined is null with its reason."""
    frame = result.metrics_frame()
    overall = frame.filter(polars.col("attribute").is_null() & polars.col("scenario").is_null())
    assert overall["metric"].to_list() == list(result.run.results)
    rsi = overall.row(by_predicate=polars.col("metric") == "RSI", named=True)
    assert rsi["value"] == result.run.results["RSI"].value == pytest.approx(0.3113, abs=1e-4)
    assert rsi["n_samples"] == 12
    cds = overall.row(by_predicate=polars.col("metric") == "CDS", named=True)
    assert (cds["value"], cds["status"]) == (None, "undefined")
    assert cds["reason"]
    parts = frame.filter((polars.col("metric") == "RSI") & polars.col("scenario").is_not_null())
    assert set(parts["scenario"]) == {"nurse"}
    assert list(result.metrics_frame(to="pandas").columns) == frame.columns


def test_every_table_of_a_metric_is_a_frame(result: AuditResult) -> None:
    """As many rows as the table has; a name that is not there is answered with those that are."""
    found = 0
    for metric, one in result.run.results.items():
        for table, rows in one.tables.items():
            frame = result.tables_frame(metric, table)
            assert frame.to_dicts() == [{name: row.get(name) for name in frame.columns} for row in rows]
            assert len(result.tables_frame(metric, table, to="pandas")) == len(rows)
            found += 1
    assert found
    with pytest.raises(UnknownNameError, match="RSI"):
        result.tables_frame("RSJ", "shares")
    with pytest.raises(UnknownNameError, match="table of RSI"):
        result.tables_frame("RSI", "nothing")


def test_embeddings_are_lists_on_request(tmp_path: Path) -> None:
    """Null where there is none; absent embeddings do not break the request."""
    result = audit(Mixed(), NURSE, replicates=1, skip_evaluators=LIGHT, store=tmp_path / "runs.db")
    assert result.outputs_frame(embeddings=True)["embedding"].to_list() == [None, None, None]
    vectors = np.array([[1.0, 0.0], [np.nan, np.nan], [0.0, 1.0]], dtype=np.float32)
    frame = to_frame(output_columns(replace(result.outputs, embedding=vectors), embeddings=True), "polars")
    assert frame["embedding"].to_list() == [[1.0, 0.0], None, [0.0, 1.0]]


@pytest.mark.parametrize(("kind", "extra"), [("polars", "frames"), ("pandas", "pandas")])
def test_a_missing_package_is_named_with_its_command(
    result: AuditResult, monkeypatch: pytest.MonkeyPatch, kind: str, extra: str
) -> None:
    """Frames are an extra; everything else works without."""
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(MissingExtraError, match=rf"evenhand\[{extra}\]"):
        result.outputs_frame(to=kind)  # type: ignore[call-overload]


def test_another_kind_of_frame_is_refused(result: AuditResult) -> None:
    """With the two that there are."""
    with pytest.raises(UsageError, match="'polars' or to='pandas'"):
        result.metrics_frame(to="arrow")  # type: ignore[call-overload]


async def test_an_audit_works_where_an_event_loop_is_running(tmp_path: Path) -> None:
    """As in a notebook: the call waits for its result, and the loop of the notebook is not touched."""
    loop = asyncio.get_running_loop()
    result = audit(Mixed(), NURSE, replicates=1, skip_evaluators=LIGHT, store=tmp_path / "runs.db")
    assert len(result.outputs) == 3
    assert asyncio.get_running_loop() is loop


async def test_interrupting_a_notebook_cell_ends_the_audit(tmp_path: Path) -> None:
    """Ctrl-C arrives in the waiting thread; the audit in the other one must not go on to its end unseen."""
    ended = threading.Event()

    class Endless(Mixed):
        async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
            main = threading.main_thread().ident
            assert main is not None
            signal.pthread_kill(main, signal.SIGINT)
            try:
                await asyncio.sleep(3600)
            finally:
                ended.set()
            raise AssertionError

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            audit(Endless(), NURSE, replicates=1, skip_evaluators=LIGHT, concurrency=1, store=tmp_path / "runs.db")
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.is_set()
