"""What an NPU does for apps, as data: a job, how it may be interrupted, and what may go wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from generated.android.hardware.npu import EndReason

DEFAULT_JOB_PRIORITY = 500
"""What `run-test-inference` submits with when it is not told."""


class WorkRejected(Exception):
    """The job may not run: its uid has no direct access, or may not work in another's name."""


class Preemption(Enum):
    """What happens to a job that runs when a more important one arrives and no device is free.

    A HAL may do any of them.
    """

    NONE = "none"
    PAUSE = "pause"
    CANCEL = "cancel"


@dataclass(slots=True)
class Faults:
    """What goes wrong on purpose, and how many times more."""

    fail_jobs: int = 0
    refuse_calls: int = 0

    def strikes(self, kind: str) -> bool:
        """Whether a fault of that name happens now; it then counts as having happened."""
        left: int = getattr(self, kind)
        setattr(self, kind, max(left - 1, 0))
        return left > 0


@dataclass(eq=False, slots=True)
class Job:
    """A job that was accepted, until it ends.

    Attributes:
        uid: who submitted it.
        original_uid: in whose name.
        job_priority: from 0, the most important, to 1000.
        seconds_left: how long it still needs a device.
        fails: whether it will end as FAILED.
        on_end: called once, with how it ended.
        arrival: orders jobs of equal priority.
        device_number: where it runs, or ran last.
        started: whether it has run before.
        unreported: whether its request and start are left out, being part of a burst.
    """

    uid: int
    original_uid: int
    job_priority: int = DEFAULT_JOB_PRIORITY
    seconds_left: float = 0.0
    fails: bool = False
    on_end: Callable[[EndReason], None] = lambda reason: None
    debug_pid: int = 0
    debug_feature_id: str | None = None
    group: bytes | None = None
    arrival: int = 0
    device_number: int = 0
    started: bool = False
    unreported: bool = False
