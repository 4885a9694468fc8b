"""The service's side of the HAL: finds it, feeds it, listens to it, and finds it again when it dies."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from threading import RLock

from binder import BinderError, IBinder, StatusError
from generated.android.hardware.npu import (
    BnSchedulingCallback,
    EndReason,
    IScheduling,
    SchedulingConfig,
    StartReason,
    WorkInfo,
)
from reference_impl.constants import HAL_SERVICE
from reference_impl.priority_manager import PriorityManager

log = logging.getLogger(__name__)

WaitForService = Callable[[str, Callable[[IBinder], None]], None]
"""Calls back once with the named service, now or when it appears."""

WorkEndedListener = Callable[[WorkInfo, EndReason], None]


class _Observer(BnSchedulingCallback):
    """What the HAL calls. Its version and hash are answered by the stub."""

    def __init__(self, bridge: HalBridge) -> None:
        self._bridge = bridge

    def onWorkRequested(self, info: WorkInfo) -> None:
        self._bridge.metrics["requested"] += 1
        self._bridge.priorities.handle_work_requested(info)

    def onWorkStarted(self, workInfo: WorkInfo, reason: StartReason) -> None:
        self._bridge.metrics["started"] += 1

    def onWorkEnded(self, workInfo: WorkInfo, reason: EndReason) -> None:
        self._bridge.metrics["ended"] += 1
        self._bridge.on_work_ended(workInfo, reason)


class HalBridge:
    """A HalSink that survives its HAL.

    What is sent while there is no HAL need not be kept: a HAL that appears is given the whole table.

    Attributes:
        metrics: how many events of each kind the HAL reported.
    """

    def __init__(
        self,
        priorities: PriorityManager,
        wait_for_service: WaitForService,
        on_work_ended: WorkEndedListener,
        lock: RLock,
    ) -> None:
        """Make a bridge that does nothing until `start`.

        Args:
            priorities: has the table, and hears of work that was requested.
            wait_for_service: finds the declared instance.
            on_work_ended: hears of every job that ended.
            lock: held while the connection changes; the PriorityManager's.
        """
        self._wait_for_service = wait_for_service
        self._lock = lock
        self._observer = _Observer(self)
        self._hal: IScheduling | None = None
        self._enabled = True
        self.priorities = priorities
        self.on_work_ended = on_work_ended
        self.metrics: Counter[str] = Counter()

    @property
    def connected(self) -> bool:
        """Whether there is a HAL right now."""
        return self._hal is not None

    def start(self) -> None:
        """Wait for the HAL and, from then on, keep it fed."""
        self._wait_for_service(HAL_SERVICE, self._found)

    def enable(self) -> None:
        """Resume sending priorities, beginning with the current table."""
        with self._lock:
            self._enabled = True
            self.set_all(self.priorities.table())

    def disable(self) -> None:
        """Stop sending priorities."""
        with self._lock:
            self._enabled = False

    def set_all(self, configs: Sequence[SchedulingConfig]) -> None:
        """Replace the HAL's table."""
        self._send(lambda hal: hal.setSchedulingConfigs(list(configs)))

    def update(self, configs: Sequence[SchedulingConfig]) -> None:
        """Add or replace entries of the HAL's table."""
        self._send(lambda hal: hal.updateSchedulingConfigs(list(configs)))

    def _send(self, call: Callable[[IScheduling], None]) -> None:
        if self._hal is not None and self._enabled:
            self._call(self._hal, call)

    def _call(self, hal: IScheduling, call: Callable[[IScheduling], None]) -> None:
        try:
            call(hal)
        except BinderError as error:
            # A vendor's HAL must not take the system down. If it is dead, its death arrives in a moment.
            log.warning("%s: %s", HAL_SERVICE, error)

    def _found(self, binder: IBinder) -> None:
        with self._lock:
            try:
                binder.link_to_death(self._died)
            except StatusError:
                self._wait_for_service(HAL_SERVICE, self._found)
                return
            self._hal = IScheduling.from_binder(binder)
            self._call(self._hal, lambda hal: hal.setCallback(self._observer))
            self.priorities.hal_connected(self)

    def _died(self) -> None:
        with self._lock:
            log.warning("%s died", HAL_SERVICE)
            self._hal = None
            self._wait_for_service(HAL_SERVICE, self._found)
