"""A bar on the terminal, for runs that take so long that one begins to wonder."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 2.0
"""After so many seconds there is a bar."""

_PAUSE = 0.1  # between two pictures of it


class Progress:
    """Says how much of what is done, if standard error is a terminal."""

    def __init__(self, *, shown: bool = True) -> None:
        self._next = monotonic() + PATIENCE if shown and sys.stderr.isatty() else float("inf")
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}

    def show(self, what: str, done: int, total: int) -> None:
        """Hears that so many are done; costs next to nothing as long as nothing is shown."""
        if monotonic() < self._next:
            return
        self._next = monotonic() + _PAUSE
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            # No thread of its own: the program makes processes by forking.
            self._bar = Bar(console=Console(stderr=True), transient=True, auto_refresh=False)
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total)
        self._bar.update(self._tasks[what], completed=done, total=max(done, total))
        self._bar.refresh()

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()
