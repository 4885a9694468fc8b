"""When something must be over."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event

from .errors import TimedOut


class Deadline:
    """So many seconds from now.

    Args:
        seconds: None for as long as it takes.
        doing: what is to be done by then, for the message: "reading the list of devices".
    """

    def __init__(self, seconds: float | None, doing: str) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self.doing = doing

    def remaining(self) -> float | None:
        """Seconds left, more than 0; None if there is no end. Raises `TimedOut`."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.missed()
        return left

    def at_most(self, seconds: float) -> float:
        """Seconds that a part of it may take. Raises `TimedOut` if there are none left."""
        left = self.remaining()
        return seconds if left is None else min(left, seconds)

    def missed(self) -> TimedOut:
        """The error to raise when it is over."""
        return TimedOut(f"{self.doing}: not done within {self._seconds:g} s")


def poll(condition: Callable[[], bool], deadline: Deadline, interval: float = 0.2) -> None:
    """Waits until a condition holds. Raises `TimedOut`."""
    never = Event()
    while not condition():
        never.wait(deadline.at_most(interval))
