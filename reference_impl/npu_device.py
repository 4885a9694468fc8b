"""How programs give the reference's NPU work, where a vendor has its SDK."""

from __future__ import annotations

from binder import (
    IllegalArgumentException,
    SecurityException,
    StatusError,
    calling_pid,
    calling_uid,
)
from generated.android.hardware.npu import EndReason
from generated.npukit.npu import BnNpuDevice, IJobCallback
from reference_impl.hal import SchedulingHal
from reference_impl.hal_work import WorkRejected


class NpuDevice(BnNpuDevice):
    """Jobs of whoever calls, on one HAL. A job ends with the process that waits for it."""

    def __init__(self, hal: SchedulingHal) -> None:
        self._hal = hal

    def submit(self, jobPriority: int, originalUid: int, durationMs: int, callback: IJobCallback) -> None:
        binder = callback.as_binder()

        def cancel() -> None:
            self._hal.cancel(job)

        def ended(reason: EndReason) -> None:
            try:
                binder.unlink_to_death(cancel)
                callback.onEnded(reason)
            except StatusError:
                return  # nobody waits any more

        try:
            job = self._hal.submit(
                calling_uid(),
                original_uid=None if originalUid < 0 else originalUid,
                job_priority=jobPriority,
                seconds=max(durationMs, 0) / 1000,
                debug_pid=calling_pid(),
                on_end=ended,
            )
        except WorkRejected as refusal:
            raise SecurityException(str(refusal)) from refusal
        except ValueError as error:
            raise IllegalArgumentException(str(error)) from error
        try:
            binder.link_to_death(cancel)
        except StatusError:
            cancel()
