"""A run's frame, whatever its kind: found or begun, marked while it is under way, marked when it was stopped."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from evenhand.adapters.base import model_info
from evenhand.core.protocols import Adapter
from evenhand.core.spec import differences
from evenhand.core.types import EvaluationRun, RunId, RunKind
from evenhand.engine.clock import Clock, new_run_id, timestamp
from evenhand.engine.stopping import Stop
from evenhand.errors import ResumeError, RunStopped
from evenhand.storage.base import Store


class Spec(Protocol):
    """What a run was asked to do."""

    @property
    def digest(self) -> str:
        """sha256 of all of it."""
        ...

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, as it is stored."""
        ...


def open_run(
    store: Store, spec: Spec, resume: str, *, name: str, adapter: Adapter, clock: Clock, kind: RunKind = "audit"
) -> RunId:
    """Return the run to go on with, or begin one.

    Parameters
    ----------
    resume
        ``"auto"`` goes on with the newest unfinished run of an equal spec, ``"new"`` never does; else a run id.

    Raises
    ------
    ResumeError
        If the run named was asked something else; lists the differences.
    UnknownNameError
        If there is no such run.
    """
    if resume not in {"auto", "new"}:
        run = store.get_run(resume)
        if run.spec_digest != spec.digest:
            raise ResumeError(run.id, differences(run.spec, spec.as_json()))
        return run.id
    unfinished = store.newest_unfinished(spec.digest) if resume == "auto" else None
    if unfinished is not None:
        return unfinished
    now = clock()
    begun = EvaluationRun(
        id=new_run_id(now),
        name=name,
        status="running",
        model=model_info(adapter),
        spec=spec.as_json(),
        spec_digest=spec.digest,
        created_at=timestamp(now),
        kind=kind,
    )
    store.create_run(begun)
    return begun.id


@contextmanager
def under_way(store: Store, run_id: RunId, stop: Stop) -> Iterator[None]:
    """Mark the run as running; as interrupted, if anything ends the block early.

    Raises
    ------
    RunStopped
        At the end of the block, if somebody asked to stop.
    """
    store.set_status(run_id, "running")
    try:
        yield
        if stop.is_requested:
            raise RunStopped(run_id)
    except BaseException:  # whatever stopped it, what is stored stays and the same call goes on from there
        store.set_status(run_id, "interrupted")
        raise
