"""A scheduling HAL without an NPU: keeps the table, and reports work that a scenario makes up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from binder import IllegalArgumentException, StatusError
from generated.android.hardware.npu import (
    BnScheduling,
    EndReason,
    ISchedulingCallback,
    SchedulingConfig,
    StartReason,
    Uuid,
    WorkInfo,
)

MILLISECONDS_PER_SECOND = 1000

DEFAULT_JOB_PRIORITY = 500
"""What `run-test-inference` submits with when it is not told."""


class WorkRejected(Exception):
    """The job may not run: its uid has no direct access, or may not work in another's name."""


@dataclass(frozen=True, slots=True)
class Work:
    """A job as it was submitted. `job_priority` is from 0, the most important, to 1000."""

    uid: int
    original_uid: int
    job_priority: int = DEFAULT_JOB_PRIORITY
    debug_pid: int = 0
    debug_feature_id: str | None = None
    group: bytes | None = None
    device_number: int = 0


class SchedulingHal(BnScheduling):
    """The stand-in. One job at a time: `run_work` reports it from request to end."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Start with an empty table. `now` is the monotonic clock, in seconds."""
        self._now = now
        self._ids = count(1)
        self._configs: Mapping[int, SchedulingConfig] = {}
        self._callback: ISchedulingCallback | None = None
        self._unlink: Callable[[], object] = lambda: None

    def setSchedulingConfigs(self, schedulingConfigs: list[SchedulingConfig]) -> None:
        self._configs = _checked(schedulingConfigs)

    def updateSchedulingConfigs(self, configs: list[SchedulingConfig]) -> None:
        self._configs = {**self._configs, **_checked(configs)}

    def setCallback(self, callback: ISchedulingCallback | None) -> None:
        self._unlink()
        self._unlink = lambda: None
        self._callback = callback
        if callback is None:
            return
        binder = callback.as_binder()

        def forget() -> None:
            self._forget(callback)

        try:
            binder.link_to_death(forget)
            self._unlink = lambda: binder.unlink_to_death(forget)
        except StatusError:
            forget()

    def table(self) -> list[SchedulingConfig]:
        """A copy of the table."""
        return [replace(config) for config in self._configs.values()]

    def callback(self) -> ISchedulingCallback | None:
        """Who hears of work."""
        return self._callback

    def has_callback(self) -> bool:
        """Whether anybody hears of work."""
        return self._callback is not None

    def config_of(self, uid: int) -> SchedulingConfig:
        """How work of `uid` is treated. Without a config: last, directly, and in nobody else's name."""
        return self._configs.get(uid) or SchedulingConfig(
            uid=uid, priority=SchedulingConfig.MAX_PRIORITY, hasDirectAccess=True, canAttributeOtherUid=False
        )

    def submit(
        self, uid: int, *, original_uid: int | None = None, job_priority: int = DEFAULT_JOB_PRIORITY
    ) -> Work:
        """A job of `uid`, perhaps in the name of `original_uid`, that may run.

        Raises:
            ValueError: `job_priority` is not from 0 to 1000.
            WorkRejected: the table does not let `uid` submit it.
        """
        if not SchedulingConfig.MIN_PRIORITY <= job_priority <= SchedulingConfig.MAX_PRIORITY:
            raise ValueError(f"job priority {job_priority} is out of range")
        config = self.config_of(uid)
        if original_uid is None or original_uid == uid:
            if not config.hasDirectAccess:
                raise WorkRejected(f"uid {uid} has no direct access")
            return Work(uid, uid, job_priority)
        if not config.canAttributeOtherUid:
            raise WorkRejected(f"uid {uid} may not work in the name of {original_uid}")
        return Work(uid, original_uid, job_priority)

    def run_work(
        self,
        uid: int,
        *,
        original_uid: int | None = None,
        job_priority: int = DEFAULT_JOB_PRIORITY,
        reason: EndReason = EndReason.COMPLETED,
    ) -> None:
        """Report a job that was requested, started and ended. Raises as `submit` does."""
        work = self.submit(uid, original_uid=original_uid, job_priority=job_priority)
        self.report_requested(work)
        self.report_started(work)
        self.report_ended(work, reason)

    def report_requested(self, work: Work) -> None:
        """Say that `work` entered the queue."""
        self._report(lambda callback: callback.onWorkRequested(self._info(work)))

    def report_started(self, work: Work, reason: StartReason = StartReason.INITIAL) -> None:
        """Say that `work` began or went on."""
        self._report(lambda callback: callback.onWorkStarted(self._info(work), reason))

    def report_ended(self, work: Work, reason: EndReason = EndReason.COMPLETED) -> None:
        """Say that `work` stopped."""
        self._report(lambda callback: callback.onWorkEnded(self._info(work), reason))

    def effective_priority(self, work: Work) -> int:
        """By what jobs are ordered: from 0, the most important, to 2000."""
        return self.config_of(work.original_uid).priority + work.job_priority

    def _info(self, work: Work) -> WorkInfo:
        return WorkInfo(
            id=next(self._ids),
            groupId=None if work.group is None else Uuid(work.group),
            uid=work.uid,
            debugPid=work.debug_pid,
            originalUid=work.original_uid,
            debugFeatureId=work.debug_feature_id,
            jobPriority=work.job_priority,
            effectivePriority=self.effective_priority(work),
            timestampMs=int(self._now() * MILLISECONDS_PER_SECOND),
            deviceNumber=work.device_number,
        )

    def _report(self, call: Callable[[ISchedulingCallback], None]) -> None:
        callback = self._callback
        if callback is None:
            return
        try:
            call(callback)
        except StatusError:
            self._forget(callback)

    def _forget(self, callback: ISchedulingCallback) -> None:
        # Late news of an earlier callback's death must not take this one away.
        if self._callback is callback:
            self._callback = None


def _checked(configs: Sequence[SchedulingConfig]) -> dict[int, SchedulingConfig]:
    """The configs by uid. Raises IllegalArgumentException if they are no table."""
    table = {config.uid: replace(config) for config in configs}
    if len(table) < len(configs):
        raise IllegalArgumentException("a uid occurs twice")
    for config in configs:
        if not SchedulingConfig.MIN_PRIORITY <= config.priority <= SchedulingConfig.MAX_PRIORITY:
            raise IllegalArgumentException(f"priority {config.priority} of uid {config.uid} is out of range")
    return table
