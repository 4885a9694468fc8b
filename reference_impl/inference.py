"""Having the HAL work for an app, as whoever plays a scenario asks for it."""

from __future__ import annotations

from collections.abc import Callable

from binder.local import Scheduler
from generated.android.hardware.npu import EndReason
from reference_impl.hal import SchedulingHal
from reference_impl.hal_work import Job, WorkRejected

PATIENCE_SECONDS = 60.0
"""How long a job is waited for that others may keep from running."""


class Inferences:
    """Jobs on one HAL, by the label of who has them done."""

    def __init__(self, scheduler: Scheduler) -> None:
        """Start with no job. `scheduler` is what waits for jobs to end."""
        self._scheduler = scheduler
        self._running: dict[str, list[tuple[SchedulingHal, Job]]] = {}
        self._finished: list[str] = []

    def finished(self) -> list[str]:
        """Labels of those whose jobs of `start` have ended by themselves, in that order."""
        return list(self._finished)

    def forget(self) -> None:
        """Begin anew."""
        self._finished.clear()
        self._running.clear()

    def run(
        self,
        hal: SchedulingHal,
        uid: int,
        *,
        job_priority: int,
        original_uid: int | None,
        completes: bool,
        seconds: float,
    ) -> str | None:
        """Has a job done and waits for its end. Returns why it was not done, or None."""
        ends: list[EndReason] = []
        try:
            hal.submit(
                uid,
                original_uid=original_uid,
                job_priority=job_priority,
                seconds=seconds,
                fails=not completes,
                on_end=ends.append,
            )
        except WorkRejected as refusal:
            return str(refusal)
        if not self._scheduler.wait_until(lambda: bool(ends), PATIENCE_SECONDS):
            return f"it has not ended after {PATIENCE_SECONDS:.0f} s"
        return None

    def start(
        self,
        hal: SchedulingHal,
        uid: int,
        *,
        job_priority: int,
        original_uid: int | None,
        seconds: float,
        label: str,
        ended: Callable[[EndReason], None] = lambda reason: None,
    ) -> str | None:
        """Queues a job. Returns why it is not taken, or None."""

        def end(reason: EndReason) -> None:
            if reason is EndReason.COMPLETED:
                self._finished.append(label)
            ended(reason)

        try:
            job = hal.submit(
                uid, original_uid=original_uid, job_priority=job_priority, seconds=seconds, on_end=end
            )
        except WorkRejected as refusal:
            return str(refusal)
        self._running.setdefault(label, []).append((hal, job))
        return None

    def cancel(self, label: str) -> None:
        """Cancels the jobs of `start` that bear a label and have not ended."""
        for hal, job in self._running.pop(label, []):
            hal.cancel(job)
