"""Runs and results: found by name, newest first, nothing lost."""

import pytest
from storage_builders import RUN, a_run

from evenhand.core.results import Interval, MetricResult, undefined
from evenhand.core.types import RunId
from evenhand.errors import StoreError, UnknownNameError, UsageError
from evenhand.storage.base import Store


def test_a_backend_is_a_store(store: Store) -> None:
    """`Store` offers every method of the protocol."""
    assert isinstance(store, Store)


def test_a_run_comes_back_as_it_was(store: Store) -> None:
    """What `create_run` took, `get_run` gives, results included and in their order."""
    results = {
        "SAR": undefined("SAR", "no baseline"),
        "RSI": MetricResult(
            metric="RSI",
            value=0.3113,
            unit="bits",
            confidence_interval=Interval(low=0.1, high=0.5, level=0.95, method="exact"),
            caveats=("small sample",),
            tables={"shares": ({"label": "she", "share": 0.5}, {"label": "he", "share": None})},
        ),
    }
    run = a_run(results=results, manifest={"answered": 3}, finished_at="2026-11-30T21:00:00+00:00")
    store.create_run(run)
    assert store.get_run(RUN) == run
    assert list(store.get_run(RUN).results) == ["SAR", "RSI"]


def test_the_same_id_twice_is_refused(running: Store) -> None:
    """A run is never overwritten."""
    with pytest.raises(StoreError, match="holds this run already"):
        running.create_run(a_run(name="another"))
    assert running.get_run(RUN).name == "audit"


def test_a_unique_beginning_or_latest_finds_a_run(store: Store) -> None:
    """Ids are long: their beginning is enough, and an exact id wins over longer ones that begin with it."""
    for run_id, day in (("20261130-a", "2026-11-30"), ("20261201-b", "2026-12-01"), ("20261201-bb", "2026-12-02")):
        store.create_run(a_run(run_id, created_at=day))
    assert store.get_run("202611").id == "20261130-a"
    assert store.get_run("20261201-b").id == "20261201-b"
    assert store.get_run("latest").id == "20261201-bb"


def test_an_ambiguous_beginning_lists_the_ids(store: Store) -> None:
    """Guessing a run would show the wrong numbers."""
    for run_id in ("20261201-b", "20261201-c", "20261130-a"):
        store.create_run(a_run(run_id))
    with pytest.raises(UsageError, match="20261201-c, 20261201-b") as caught:
        store.get_run("20261201")
    assert "20261130-a" not in str(caught.value)


@pytest.mark.parametrize("name", ["20261130-204455-1f3b", "%", "_", "", "latest run"])
def test_an_unknown_run_names_near_ones(running: Store, name: str) -> None:
    """Wildcards of SQL are characters like others here."""
    with pytest.raises(UnknownNameError, match=RUN):
        running.get_run(name)


def test_latest_of_nothing_is_unknown(store: Store) -> None:
    """An empty store has no latest run."""
    with pytest.raises(UnknownNameError, match="none"):
        store.get_run("latest")


def test_runs_are_listed_newest_first_without_results(store: Store) -> None:
    """By creation, whatever the order of the ids."""
    result = {"RSI": MetricResult(metric="RSI", value=0.0)}
    store.create_run(a_run("a", created_at="2026-12-02", results=result))
    store.create_run(a_run("c", created_at="2026-12-01"))
    store.create_run(a_run("b", created_at="2026-12-03"))
    assert [run.id for run in store.list_runs()] == ["b", "a", "c"]
    assert [run.id for run in store.list_runs(limit=2)] == ["b", "a"]
    assert store.list_runs()[1].results == {}


def test_only_running_interrupted_and_partial_runs_of_the_spec_are_unfinished(store: Store) -> None:
    """The same command resumes the newest of them."""
    statuses = {"1": "interrupted", "2": "running", "3": "partial", "4": "complete", "5": "failed"}
    found = []
    for run_id, status in statuses.items():
        store.create_run(a_run(run_id, status=status, created_at=f"2026-12-0{run_id}"))
        found.append(store.newest_unfinished("abc"))
    assert found == ["1", "2", "3", "3", "3"]
    assert store.newest_unfinished("other") is None


def test_status_moves_and_keeps_what_is_not_given(running: Store) -> None:
    """A run that goes on is no longer finished; its manifest stays until there is a new one."""
    running.set_status(RUN, "interrupted", finished_at="2026-12-01", manifest={"seed": 1})
    running.set_status(RUN, "failed")
    stopped = running.get_run(RUN)
    assert (stopped.status, stopped.finished_at, stopped.manifest) == ("failed", "2026-12-01", {"seed": 1})
    running.set_status(RUN, "running")
    resumed = running.get_run(RUN)
    assert (resumed.status, resumed.finished_at, resumed.manifest) == ("running", None, {"seed": 1})


def test_the_status_of_an_unknown_run_cannot_move(store: Store) -> None:
    """Silence would lose the end of a run."""
    with pytest.raises(UnknownNameError):
        store.set_status(RunId("nowhere"), "complete")


def test_the_newest_result_of_each_metric_counts_and_all_stay(running: Store) -> None:
    """Scoring again adds rows."""
    running.save_results(
        RUN, {"RSI": MetricResult(metric="RSI", value=0.1), "ODE": MetricResult(metric="ODE", value=1)}
    )
    running.save_results(RUN, {"RSI": MetricResult(metric="RSI", value=0.2)})
    assert {name: result.value for name, result in running.get_run(RUN).results.items()} == {"ODE": 1, "RSI": 0.2}
    with running._reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM results").scalar() == 3


def test_results_of_an_unknown_run_are_refused(store: Store) -> None:
    """Foreign keys are on."""
    with pytest.raises(StoreError, match="lacks the run"):
        store.save_results(RunId("nowhere"), {"RSI": MetricResult(metric="RSI", value=0.1)})


def test_nothing_is_saved_of_a_run_that_json_cannot_hold(store: Store) -> None:
    """NaN is refused with its place, and the transaction leaves no trace."""
    with pytest.raises(StoreError, match=r"the run's spec\['temperature'\]\[1\] is NaN or infinite"):
        store.create_run(a_run(spec={"none": None, "temperature": [0.5, float("nan")]}))
    assert store.list_runs() == []
