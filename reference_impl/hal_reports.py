"""What a HAL tells its callback of jobs, less what debouncing keeps back.

Jobs of one uid that follow each other closely are one burst: its first request and start are told, and its
last end, once ISchedulingCallback.DEBOUNCE_DURATION_MS have passed without another request. A pause is no
end, and is told at once, as is what goes on after it. Who works in the name of two apps has a burst for each,
so that neither hides the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from binder import StatusError
from binder.local import Scheduler, Timer
from generated.android.hardware.npu import EndReason, ISchedulingCallback, StartReason, Uuid, WorkInfo
from reference_impl.hal_work import Job

MILLISECONDS_PER_SECOND = 1000
DEBOUNCE_SECONDS = ISchedulingCallback.DEBOUNCE_DURATION_MS / MILLISECONDS_PER_SECOND


@dataclass(eq=False, slots=True)
class _Burst:
    """Jobs of one uid, in one name: how many have not ended, and the end that may still be told."""

    going_on: int = 0
    end: Timer | None = None


class Reports:
    """Tells one callback at a time. Its ids rise over everything that is told."""

    def __init__(
        self,
        scheduler: Scheduler,
        effective_priority: Callable[[Job], int],
        guarded: Callable[[Callable[[], None]], Callable[[], None]] = lambda task: task,
    ) -> None:
        """Start with nobody to tell.

        Args:
            scheduler: the monotonic clock, and what waits for bursts to be over.
            effective_priority: of a job, at the moment of a report.
            guarded: makes a task take the HAL's lock before it runs.
        """
        self._guarded = guarded
        self._scheduler = scheduler
        self._effective_priority = effective_priority
        self._ids = count(1)
        self._bursts: dict[tuple[int, int], _Burst] = {}
        self._unlink: Callable[[], object] = lambda: None
        self.callback: ISchedulingCallback | None = None

    def listen(self, callback: ISchedulingCallback | None) -> None:
        """Tell `callback` from now on, instead of the one before; nobody if it is None or dead."""
        self._unlink()
        self._unlink = lambda: None
        self.callback = callback
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

    def requested(self, job: Job) -> None:
        """A job entered the queue."""
        burst = self._bursts.setdefault((job.uid, job.original_uid), _Burst())
        job.unreported = burst.going_on > 0 or burst.end is not None
        burst.going_on += 1
        if burst.end is not None:
            burst.end.cancel()
            burst.end = None
        if not job.unreported:
            self._tell(lambda callback: callback.onWorkRequested(self._info(job)))

    def started(self, job: Job) -> None:
        """A job began, or went on after a pause."""
        reason = StartReason.RESUMED if job.started else StartReason.INITIAL
        if job.started or not job.unreported:
            self._tell(lambda callback: callback.onWorkStarted(self._info(job), reason))

    def paused(self, job: Job) -> None:
        """A job had to make way and will go on."""
        self._tell(lambda callback: callback.onWorkEnded(self._info(job), EndReason.PAUSED))

    def ended(self, job: Job, reason: EndReason) -> None:
        """A job is over."""
        stream = (job.uid, job.original_uid)
        burst = self._bursts[stream]
        burst.going_on -= 1
        if burst.going_on:
            return

        def tell() -> None:
            if self._bursts.get(stream) is burst and burst.end is timer:
                del self._bursts[stream]
                self._tell(lambda callback: callback.onWorkEnded(self._info(job), reason))

        timer = burst.end = self._scheduler.call_later(DEBOUNCE_SECONDS, self._guarded(tell))

    def abandon(self) -> None:
        """Leave untold what has not been told."""
        for burst in self._bursts.values():
            if burst.end is not None:
                burst.end.cancel()
        self._bursts.clear()

    def _info(self, job: Job) -> WorkInfo:
        return WorkInfo(
            id=next(self._ids),
            groupId=None if job.group is None else Uuid(job.group),
            uid=job.uid,
            debugPid=job.debug_pid,
            originalUid=job.original_uid,
            debugFeatureId=job.debug_feature_id,
            jobPriority=job.job_priority,
            effectivePriority=self._effective_priority(job),
            timestampMs=int(self._scheduler.now() * MILLISECONDS_PER_SECOND),
            deviceNumber=job.device_number,
        )

    def _tell(self, call: Callable[[ISchedulingCallback], None]) -> None:
        callback = self.callback
        if callback is None:
            return
        try:
            call(callback)
        except StatusError:
            self._forget(callback)

    def _forget(self, callback: ISchedulingCallback) -> None:
        # Late news of an earlier callback's death must not take this one away.
        if self.callback is callback:
            self.callback = None
