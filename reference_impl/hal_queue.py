"""An NPU's queue: one job at a time, the one with the smallest effective priority first.

A job that arrives and comes before the one that runs pauses it. All of it is reported through the HAL, as a
vendor's would.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from binder.local import Scheduler, Timer
from generated.android.hardware.npu import EndReason, StartReason
from reference_impl.hal import SchedulingHal, Work


@dataclass(eq=False, slots=True)
class _Job:
    work: Work
    seconds_left: float
    on_end: Callable[[], None]
    reason: StartReason = StartReason.INITIAL


class WorkQueue:
    """Jobs that take time."""

    def __init__(self, hal: SchedulingHal, scheduler: Scheduler) -> None:
        """Start with nothing to do.

        Args:
            hal: has the priorities and reports what happens.
            scheduler: the clock, and what waits for a job to end.
        """
        self._hal = hal
        self._scheduler = scheduler
        self._jobs: list[_Job] = []
        self._running: _Job | None = None
        self._timer: Timer | None = None

    def enqueue(self, work: Work, seconds: float, on_end: Callable[[], None]) -> None:
        """Queue a job that takes `seconds` of the NPU's time; `on_end` is called when it is done."""
        self._jobs.append(_Job(work, seconds, on_end))
        self._hal.report_requested(work)
        self._turn()

    def abandon(self) -> None:
        """Drop all jobs without a word, as a HAL that dies does."""
        self._jobs.clear()
        self._running = None
        if self._timer is not None:
            self._timer.cancel()

    def _turn(self) -> None:
        """See to it that the first in order runs."""
        # Stable: of equals, the one that came first.
        first = min(self._jobs, key=lambda job: self._hal.effective_priority(job.work), default=None)
        if first is self._running:
            return
        if self._running is not None:
            self._pause(self._running)
        self._running = first
        if first is not None:
            self._hal.report_started(first.work, first.reason)
            self._timer = self._scheduler.call_later(first.seconds_left, lambda: self._end(first))

    def _pause(self, job: _Job) -> None:
        if self._timer is not None:
            job.seconds_left = max(0.0, self._timer.due - self._scheduler.now())
            self._timer.cancel()
        job.reason = StartReason.RESUMED
        self._hal.report_ended(job.work, EndReason.PAUSED)

    def _end(self, job: _Job) -> None:
        self._running = None
        self._jobs.remove(job)
        self._hal.report_ended(job.work, EndReason.COMPLETED)
        job.on_end()
        self._turn()
