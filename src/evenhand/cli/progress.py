"""A run's events as progress bars on stderr."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from evenhand.engine.events import Event, RequestFailed, RunStarted, SlowedDown
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
            TextColumn("{task.fields[cost]}"),
            console=console,
        )
        self._tasks: dict[str, TaskID] = {}
        self._failures, self._slowed = 0, set[str]()

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
                cost = "" if event.cost_usd is None else f"{event.cost_usd:.4f} USD"
                self._bars.update(self._tasks[event.stage], completed=event.done, cost=cost)
            case RequestFailed():
                self._fail(event)
            case SlowedDown():
                self._slow(event)
            case _:
                pass

    def _start(self, event: RunStarted) -> None:
        resumed = f", going on with it: {event.already} of {event.requests} are stored" if event.resumed else ""
        self._console.print(f"Run {event.run_id}{resumed}", highlight=False)
        for stage in ("answers", "evaluations"):
            done = event.already if stage == "answers" else 0
            self._tasks[stage] = self._bars.add_task(stage, total=event.requests, completed=done, cost="")

    def _fail(self, event: RequestFailed) -> None:
        self._failures += 1
        if self._failures <= _SHOWN_FAILURES:
            where = f"{event.scenario_id}, {event.condition}, replicate {event.replicate}"
            self._console.print(f"Failed: {where}: {event.error}", highlight=False, markup=False)
        if self._failures == _SHOWN_FAILURES:
            self._console.print("Further failures are counted in the report.", highlight=False)

    def _slow(self, event: SlowedDown) -> None:
        if event.provider in self._slowed:  # once is news; the pace itself shows in the bars
            return
        self._slowed.add(event.provider)
        pause = f" after a pause of {event.pause_s:.0f} s" if event.pause_s else ""
        pace = f"{event.at_once} at once{pause}, and more again while it answers"
        self._console.print(f"{event.provider} was asked too much (429): {pace}.", highlight=False, markup=False)
