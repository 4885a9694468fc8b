"""What a host may have a HAL do, wherever that runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from binder.local import Scheduler
from reference_impl.hal import SchedulingHal
from reference_impl.inference import Inferences
from reference_impl.lines import CommandError

WORK_SECONDS = 0.02
"""How long a job of `work` takes: real time, so not longer than it must."""


class HalCommands:
    """The commands, for one HAL; see `control` for what they mean."""

    def __init__(self, hal: SchedulingHal, scheduler: Scheduler) -> None:
        self._hal = hal
        self._inferences = Inferences(scheduler)

    def table(self) -> dict[str, Callable[..., Any]]:
        """The commands by name."""
        return {name: getattr(self, name) for name in HAL_COMMANDS}

    def faults(self, fail_jobs: int = 0, refuse_calls: int = 0) -> None:
        self._hal.faults.fail_jobs, self._hal.faults.refuse_calls = fail_jobs, refuse_calls

    def hal_table(self) -> list[list[Any]]:
        return [
            [config.uid, config.priority, config.hasDirectAccess, config.canAttributeOtherUid]
            for config in self._hal.table()
        ]

    def hal_callback(self) -> list[Any]:
        callback = self._hal.callback()
        if callback is None:
            raise CommandError("nobody has given the HAL a callback")
        return [callback.getInterfaceVersion(), callback.getInterfaceHash()]

    def work(self, uid: int, job_priority: int, original_uid: int | None, completes: bool) -> str | None:
        return self._inferences.run(
            self._hal,
            uid,
            job_priority=job_priority,
            original_uid=original_uid,
            completes=completes,
            seconds=WORK_SECONDS,
        )

    def queue(
        self, uid: int, job_priority: int, seconds: float, label: str, original_uid: int | None = None
    ) -> str | None:
        return self._inferences.start(
            self._hal,
            uid,
            job_priority=job_priority,
            original_uid=original_uid,
            seconds=seconds,
            label=label,
        )

    def cancel(self, label: str) -> None:
        self._inferences.cancel(label)

    def finished(self) -> list[str]:
        return self._inferences.finished()


HAL_COMMANDS = "faults hal_table hal_callback work queue cancel finished".split()
