"""A run's events as progress bars on stderr."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from evenhand.engine.events import Event, RequestFailed, RunStarted
from evenhand.engine.events import Progress as Advanced

_SHOWN_FAILURES = 3


class ProgressBars:
    """Shows answers and evaluations as they are stored, and the first failures."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bars = Progress(
            TextColumn("{task.description:<12}"),
            BarColumn(bar_width=40),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._tasks: dict[str, TaskID] = {}
        self._failures = 0

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def __call__(self, event: Event) -> None:
        """Listen to one event."""
        match event:
            case RunStarted():
                self._start(event)
            case Advanced(stage="answers" | "evaluations"):
                self._bars.update(self._tasks[event.stage], completed=event.done)
            case RequestFailed():
                self._fail(event)
            case _:
                pass

    def _start(self, event: RunStarted) -> None:
        resumed = f", going on with it: {event.already} of {event.requests} are stored" if event.resumed else ""
        self._console.print(f"Run {event.run_id}{resumed}", highlight=False)
        for stage in ("answers", "evaluations"):
            done = event.already if stage == "answers" else 0
            self._tasks[stage] = self._bars.add_task(stage, total=event.requests, completed=done)

    def _fail(self, event: RequestFailed) -> None:
        self._failures += 1
        if self._failures <= _SHOWN_FAILURES:
            where = f"{event.scenario_id}, {event.condition}, replicate {event.replicate}"
            self._console.print(f"Failed: {where}: {event.error}", highlight=False, markup=False)
        if self._failures == _SHOWN_FAILURES:
            self._console.print("Further failures are counted in the report.", highlight=False)
