"""An NPU's queue: each device does one job at a time, and the smallest effective priority comes first.

Of equals, the one that came first. Whether a job that runs has to make way for a more important one is a
switch. All of it is reported as a vendor's HAL would.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from binder.local import Scheduler, Timer
from generated.android.hardware.npu import EndReason
from reference_impl.hal_reports import Reports
from reference_impl.hal_work import Faults, Job, Preemption


@dataclass(eq=False, slots=True)
class _Run:
    """A job on a device, and when it will be done."""

    job: Job
    timer: Timer


class WorkQueue:
    """Jobs that take time.

    Whoever calls it holds the HAL's lock.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        reports: Reports,
        effective_priority: Callable[[Job], int],
        *,
        devices: int = 1,
        preemption: Preemption = Preemption.PAUSE,
        guarded: Callable[[Callable[[], None]], Callable[[], None]] = lambda task: task,
    ) -> None:
        """Start with nothing to do.

        Args:
            scheduler: the clock, and what waits for a job to end.
            reports: hears what happens.
            effective_priority: by what jobs are ordered; may change at any time, and counts at the next turn.
            devices: how many jobs can run at once, at least 1.
            preemption: what happens to a less important job that runs.
            guarded: makes a task take the lock before it runs.
        """
        self._scheduler = scheduler
        self._reports = reports
        self._effective_priority = effective_priority
        self._preemption = preemption
        self._guarded = guarded
        self._arrivals = count(1)
        self._waiting: list[Job] = []
        self._devices: list[_Run | None] = [None] * devices
        self.faults = Faults()

    def enqueue(self, job: Job) -> None:
        """Queue a job."""
        job.arrival = next(self._arrivals)
        self._waiting.append(job)
        self._reports.requested(job)
        self._turn()

    def cancel(self, job: Job) -> None:
        """End a job as its client wishes. Does nothing to one that is over."""
        run = next((run for run in self._devices if run is not None and run.job is job), None)
        if run is not None:
            self._take_off(run)
        elif job in self._waiting:
            self._waiting.remove(job)
        else:
            return
        self._end(job, EndReason.CANCELLED_USER)
        self._turn()

    def abandon(self) -> None:
        """Drop all jobs without a word, as a HAL that dies does."""
        self._waiting.clear()
        for run in self._devices:
            if run is not None:
                self._take_off(run)

    def _place(self, job: Job) -> tuple[int, int]:
        return self._effective_priority(job), job.arrival

    def _turn(self) -> None:
        """See to it that the first in order run."""
        while self._waiting:
            first = min(self._waiting, key=self._place)
            if None not in self._devices and not self._make_way(first):
                return
            self._waiting.remove(first)
            self._start(first, self._devices.index(None))

    def _make_way(self, first: Job) -> bool:
        """Take the least important job off its device, if it is less important than `first`."""
        last = max((run for run in self._devices if run is not None), key=lambda run: self._place(run.job))
        mine, its = self._effective_priority(first), self._effective_priority(last.job)
        if self._preemption is Preemption.NONE or mine >= its:
            return False
        self._take_off(last)
        if self._preemption is Preemption.PAUSE:
            self._waiting.append(last.job)
            self._reports.paused(last.job)
        else:
            self._end(last.job, EndReason.CANCELLED_SYSTEM)
        return True

    def _start(self, job: Job, device: int) -> None:
        job.device_number = device
        self._reports.started(job)
        job.started = True
        timer = self._scheduler.call_later(job.seconds_left, self._guarded(lambda: self._done(run)))
        run = self._devices[device] = _Run(job, timer)

    def _take_off(self, run: _Run) -> None:
        run.job.seconds_left = max(0.0, run.timer.due - self._scheduler.now())
        run.timer.cancel()
        self._devices[run.job.device_number] = None

    def _done(self, run: _Run) -> None:
        # With threads, it may have been taken off while its end waited for the lock.
        if self._devices[run.job.device_number] is not run:
            return
        self._devices[run.job.device_number] = None
        failed = run.job.fails or self.faults.strikes("fail_jobs")
        self._end(run.job, EndReason.FAILED if failed else EndReason.COMPLETED)
        self._turn()

    def _end(self, job: Job, reason: EndReason) -> None:
        self._reports.ended(job, reason)
        job.on_end(reason)
