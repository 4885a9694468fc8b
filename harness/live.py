"""What is seen of a run while it goes on, on standard error: on a terminal a view that moves, else lines.

Being told costs next to nothing. A terminal's view is drawn a few times a second by a thread of its own, and
lines are few.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TypeAlias

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from .run import Progress, Result

Clock: TypeAlias = "Callable[[], float]"

# How often, in seconds, a run that takes long says how far it is where there is no terminal.
_EVERY = 10.0
_PICTURES_A_SECOND = 8
_BAR_WIDTH = 40


@contextmanager
def watching(total: int, *, quiet: bool = False, verbose: bool = False) -> Iterator[Progress]:
    """Shows a run of so many scenarios for as long as it goes on."""
    # A stream of its own, because what pytest says is kept away.
    errors = open(os.dup(2), "w", encoding="utf-8", errors="replace")  # noqa: SIM115  # closed whatever comes
    try:
        if quiet:
            yield Progress()
        elif errors.isatty():
            with on_terminal(View(total), Console(file=errors), verbose=verbose) as progress:
                yield progress
        else:
            yield Lines(total, errors, verbose=verbose)
    finally:
        with suppress(OSError):  # whoever read it has gone
            errors.close()


class Lines(Progress):
    """Lines: every failure, now and then how far it is, and every scenario if that is wanted.

    Args:
        total: how many scenarios there are.
        out: where lines go. Nobody minds if it does not take them.
        verbose: whether every scenario is worth a line.
        clock: seconds, from whenever.
    """

    def __init__(
        self, total: int, out: IO[str], *, verbose: bool = False, clock: Clock = time.monotonic
    ) -> None:
        self._view = View(total)
        self._out = out
        self._verbose = verbose
        self._clock = clock
        self._said = clock()

    def begin(self, name: str, worker: str) -> None:
        self._view.begin(name, worker)

    def step(self, result: Result) -> None:
        self._view.step(result)
        if self._verbose or result.outcome == "failed":
            self._say(line_of(result).plain)
        if self._clock() - self._said >= _EVERY:
            self._say(self._view.sum())

    def _say(self, text: str) -> None:
        self._said = self._clock()
        with suppress(OSError):  # whoever read it has gone
            print(text, file=self._out, flush=True)


class View(Progress):
    """What is known of a run that goes on."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._ended = 0
        self._failed = 0
        self._started = time.monotonic()
        self._playing: dict[str, str] = {}
        self._workers: dict[str, str] = {}

    def begin(self, name: str, worker: str) -> None:
        self._playing[name] = worker
        self._workers[worker] = name

    def step(self, result: Result) -> None:
        self._ended += 1
        self._failed += result.outcome == "failed"
        worker = self._playing.pop(result.name, None)
        if worker is not None and self._workers.get(worker) == result.name:
            self._workers[worker] = ""

    def sum(self) -> str:
        """How far it is, in a few words."""
        failed = f", {self._failed} failed" if self._failed else ""
        return f"{self._ended} of {self._total} played{failed}, {time.monotonic() - self._started:.0f} s"

    def __rich__(self) -> RenderableType:
        """The picture: a bar, then what each worker plays."""
        head = Table.grid(padding=(0, 1))
        head.add_row(
            ProgressBar(total=max(self._total, 1), completed=self._ended, width=_BAR_WIDTH),
            Text(self.sum(), "bold red" if self._failed else ""),
        )
        lines = [
            Text(f"{worker}  {name}".strip(), overflow="ellipsis", no_wrap=True)
            for worker, name in sorted(self._workers.copy().items())
        ]
        return Group(head, *lines)


class _Screen(Progress):
    """A view that moves, with failures above it as they come."""

    def __init__(self, view: View, live: Live, *, verbose: bool) -> None:
        self._view = view
        self._live = live
        self._verbose = verbose

    def begin(self, name: str, worker: str) -> None:
        self._view.begin(name, worker)

    def step(self, result: Result) -> None:
        self._view.step(result)
        if self._verbose or result.outcome == "failed":
            self._live.console.print(line_of(result), soft_wrap=True)


@contextmanager
def on_terminal(view: View, console: Console, *, verbose: bool) -> Iterator[Progress]:
    live = Live(
        view,
        console=console,
        refresh_per_second=_PICTURES_A_SECOND,
        transient=True,
        # What is printed to standard output and error is pytest's, and goes nowhere.
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with live:
        yield _Screen(view, live, verbose=verbose)


def line_of(result: Result) -> Text:
    """How a scenario ended, in a line."""
    style = {"passed": "green", "failed": "bold red", "skipped": "yellow"}[result.outcome]
    said = result.reason.partition("\n")[0]
    about = f": {said}" if said else f" {result.wall_seconds * 1000:.1f} ms"
    where = f" on {result.device}" if result.device else ""
    return Text.assemble((result.outcome, style), f" {result.name}{where}{about}")
