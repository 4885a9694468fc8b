"""A scheduling HAL without an NPU: keeps the table, orders pretended work by it, and reports that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from threading import RLock
from typing import IO

from binder import IllegalArgumentException, ServiceSpecificException
from binder.local import Scheduler
from generated.android.hardware.npu import BnScheduling, EndReason, ISchedulingCallback, SchedulingConfig
from reference_impl.hal_queue import WorkQueue
from reference_impl.hal_reports import Reports
from reference_impl.hal_work import DEFAULT_JOB_PRIORITY, Faults, Job, Preemption, WorkRejected

REFUSED_ON_PURPOSE = -1
"""The service-specific code of a call that an injected fault refuses."""


class SchedulingHal(BnScheduling):
    """The reference HAL. Safe to use from several threads.

    Attributes:
        reports: whom it tells of work.
        counts: how many calls of the service it has answered, by name, and how many jobs ended, by reason.
    """

    def __init__(
        self, scheduler: Scheduler, *, devices: int = 1, preemption: Preemption = Preemption.PAUSE
    ) -> None:
        """Start with an empty table and nothing to do.

        Args:
            scheduler: the clock.
            devices: how many NPUs it pretends to have, at least 1.
            preemption: what happens to a job that runs when a more important one arrives.
        """
        self._lock = RLock()
        self._configs: dict[int, SchedulingConfig] = {}
        self.reports = Reports(scheduler, self.effective_priority, self._guarded)
        self._queue = WorkQueue(
            scheduler,
            self.reports,
            self.effective_priority,
            devices=devices,
            preemption=preemption,
            guarded=self._guarded,
        )
        self.counts: Counter[str] = Counter()

    # --- IScheduling ---

    def setSchedulingConfigs(self, schedulingConfigs: list[SchedulingConfig]) -> None:
        with self._lock:
            self._answer("setSchedulingConfigs")
            self._configs = _checked(schedulingConfigs)

    def updateSchedulingConfigs(self, configs: list[SchedulingConfig]) -> None:
        with self._lock:
            self._answer("updateSchedulingConfigs")
            self._configs.update(_checked(configs))

    def setCallback(self, callback: ISchedulingCallback | None) -> None:
        with self._lock:
            self._answer("setCallback")
            self.reports.listen(callback)

    # --- what it knows ---

    def table(self) -> list[SchedulingConfig]:
        """A copy of the table."""
        with self._lock:
            return [replace(config) for config in self._configs.values()]

    def callback(self) -> ISchedulingCallback | None:
        """Who hears of work."""
        return self.reports.callback

    def has_callback(self) -> bool:
        """Whether anybody hears of work."""
        return self.reports.callback is not None

    def config_of(self, uid: int) -> SchedulingConfig:
        """How work of `uid` is treated. Without a config: last, directly, and in nobody else's name."""
        return self._configs.get(uid) or SchedulingConfig(
            uid=uid, priority=SchedulingConfig.MAX_PRIORITY, hasDirectAccess=True, canAttributeOtherUid=False
        )

    def effective_priority(self, job: Job) -> int:
        """By what jobs are ordered: from 0, the most important, to 2000."""
        return self.config_of(job.original_uid).priority + job.job_priority

    def on_dump(self, out: IO[str], args: list[str]) -> None:
        with self._lock:
            out.write(f"Callback: {'yes' if self.has_callback() else 'no'}\n\nConfigs:\n")
            for config in sorted(self._configs.values(), key=lambda config: config.uid):
                access, attribution = config.hasDirectAccess, config.canAttributeOtherUid
                out.write(f"    {config.uid} {config.priority} direct={access} attribute={attribution}\n")
            out.write("\nCounts:\n")
            for name, number in sorted(self.counts.items()):
                out.write(f"    {name} {number}\n")

    # --- work ---

    def submit(
        self,
        uid: int,
        *,
        original_uid: int | None = None,
        job_priority: int = DEFAULT_JOB_PRIORITY,
        seconds: float = 0.0,
        fails: bool = False,
        debug_pid: int = 0,
        on_end: Callable[[EndReason], None] = lambda reason: None,
    ) -> Job:
        """Queue a job of `uid`.

        Args:
            uid: who submits it.
            original_uid: in whose name, if not in its own.
            job_priority: from 0, the most important, to 1000.
            seconds: how long it needs a device.
            fails: whether it ends as FAILED.
            debug_pid: of the process that submits it.
            on_end: called once, with how it ended; never if the HAL dies before.

        Raises:
            ValueError: `job_priority` is out of range.
            WorkRejected: the table does not let `uid` submit it.
        """
        with self._lock:
            self._check(uid, original_uid, job_priority)
            job = Job(
                uid=uid,
                original_uid=uid if original_uid is None else original_uid,
                job_priority=job_priority,
                seconds_left=seconds,
                fails=fails,
                debug_pid=debug_pid,
                on_end=self._counting(on_end),
            )
            self._queue.enqueue(job)
            return job

    def cancel(self, job: Job) -> None:
        """End a job as its client wishes. Does nothing to one that is over."""
        with self._lock:
            self._queue.cancel(job)

    @property
    def faults(self) -> Faults:
        """What is to go wrong."""
        return self._queue.faults

    def abandon(self) -> None:
        """Drop all jobs and reports without a word, as a HAL that dies does."""
        with self._lock:
            self._queue.abandon()
            self.reports.abandon()

    def _check(self, uid: int, original_uid: int | None, job_priority: int) -> None:
        if not SchedulingConfig.MIN_PRIORITY <= job_priority <= SchedulingConfig.MAX_PRIORITY:
            raise ValueError(f"job priority {job_priority} is out of range")
        config = self.config_of(uid)
        if original_uid is None or original_uid == uid:
            if not config.hasDirectAccess:
                raise WorkRejected(f"uid {uid} has no direct access")
        elif not config.canAttributeOtherUid:
            raise WorkRejected(f"uid {uid} may not work in the name of {original_uid}")

    def _answer(self, name: str) -> None:
        """Count a call of the service, or refuse it if a fault is due."""
        if self.faults.strikes("refuse_calls"):
            raise ServiceSpecificException(REFUSED_ON_PURPOSE, f"{name} is refused on purpose")
        self.counts[name] += 1

    def _counting(self, on_end: Callable[[EndReason], None]) -> Callable[[EndReason], None]:
        def end(reason: EndReason) -> None:
            self.counts[reason.name] += 1
            on_end(reason)

        return end

    def _guarded(self, task: Callable[[], None]) -> Callable[[], None]:
        @wraps(task)
        def run() -> None:
            with self._lock:
                task()

        return run


def _checked(configs: Sequence[SchedulingConfig]) -> dict[int, SchedulingConfig]:
    """The configs by uid. Raises IllegalArgumentException if they are no table."""
    table = {config.uid: replace(config) for config in configs}
    if len(table) < len(configs):
        raise IllegalArgumentException("a uid occurs twice")
    for config in configs:
        if not SchedulingConfig.MIN_PRIORITY <= config.priority <= SchedulingConfig.MAX_PRIORITY:
            raise IllegalArgumentException(f"priority {config.priority} of uid {config.uid} is out of range")
    return table
