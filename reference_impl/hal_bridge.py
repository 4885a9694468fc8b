"""The service's side of the HAL: finds it, feeds it, listens to it, and finds it again when it dies."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Protocol

from binder import BinderError, IBinder, Parcel, Status, StatusError, TransactionFlag
from binder.protocol import FIRST_CALL_TRANSACTION
from generated.android.hardware.npu import (
    BnSchedulingCallback,
    EndReason,
    IScheduling,
    ISchedulingCallback,
    SchedulingConfig,
    StartReason,
    WorkInfo,
)
from reference_impl.constants import HAL_SERVICE
from reference_impl.hal_revisions import Acceptance, Judgement, early, judge
from reference_impl.priority_manager import PriorityManager

log = logging.getLogger(__name__)

WaitForService = Callable[[str, Callable[[IBinder], None]], None]
"""Calls back once with the named service, now or when it appears."""

_METHODS = range(FIRST_CALL_TRANSACTION, FIRST_CALL_TRANSACTION + 16)
"""Codes of methods, not of what every versioned interface answers."""


class WorkListener(Protocol):
    """Who hears of what the HAL reports."""

    def work_requested(self, info: WorkInfo) -> None:
        """A job entered a queue."""

    def work_started(self, info: WorkInfo, reason: StartReason) -> None:
        """A job began or went on."""

    def work_ended(self, info: WorkInfo, reason: EndReason) -> None:
        """A job stopped."""

    def hal_changed(self, text: str) -> None:
        """The connection is another one, for the reason given."""


class _Observer(BnSchedulingCallback):
    """What the HAL calls. Its version and hash are answered by the stub."""

    def __init__(self, bridge: HalBridge) -> None:
        self._bridge = bridge

    def onWorkRequested(self, info: WorkInfo) -> None:
        self._bridge.priorities.handle_work_requested(info)
        self._bridge.listener.work_requested(info)

    def onWorkStarted(self, workInfo: WorkInfo, reason: StartReason) -> None:
        self._bridge.listener.work_started(workInfo, reason)

    def onWorkEnded(self, workInfo: WorkInfo, reason: EndReason) -> None:
        self._bridge.listener.work_ended(workInfo, reason)

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code in _METHODS:
            if not flags & TransactionFlag.ONE_WAY:
                self._bridge.found_early(f"waits for an answer of callback method {code}")
            elif code not in ISchedulingCallback.aidl.by_code:
                self._bridge.found_early(f"calls callback method {code}, which there is not")
            if not self._bridge.listens:
                raise StatusError(Status.UNKNOWN_TRANSACTION, "the service does not listen to this HAL")
        super().on_transact(code, data, reply, flags)


class HalBridge:
    """A HalSink that survives its HAL.

    What is sent while there is no HAL need not be kept: a HAL that appears is given the whole table. So is
    one that has refused something.

    Attributes:
        listens: whether reports of the HAL mean anything. Those of a dead one do.
        state: what is known of the HAL, in a sentence.
    """

    def __init__(
        self,
        priorities: PriorityManager,
        wait_for_service: WaitForService,
        listener: WorkListener,
        lock: RLock,
    ) -> None:
        """Make a bridge that does nothing until `start`.

        Args:
            priorities: has the table, and hears of work that was requested.
            wait_for_service: finds the declared instance.
            listener: hears of work and of the connection.
            lock: held while the connection changes; the PriorityManager's.
        """
        self._wait_for_service = wait_for_service
        self._lock = lock
        self._observer = _Observer(self)
        self._hal: IScheduling | None = None
        self._enabled = True
        self._behind = False
        self.listens = True
        self.priorities = priorities
        self.listener = listener
        self.state = "not looked for"

    @property
    def connected(self) -> bool:
        """Whether there is a HAL right now that the service works with."""
        return self._hal is not None

    def start(self) -> None:
        """Wait for the HAL and, from then on, keep it fed."""
        self.state = f"waiting for {HAL_SERVICE}"
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
        if self._behind:
            self.set_all(self.priorities.table())
        else:
            self._send(lambda hal: hal.updateSchedulingConfigs(list(configs)))

    def found_early(self, evidence: str) -> None:
        """The HAL did what only one of the early revision does."""
        with self._lock:
            hal, self._hal = self._hal, None
            if hal is not None:
                self.listens = False
                self._note(early(hal.getInterfaceVersion(), hal.getInterfaceHash(), evidence))

    def _send(self, call: Callable[[IScheduling], None]) -> None:
        if self._hal is not None and self._enabled:
            self._behind = not self._call(self._hal, call)

    def _call(self, hal: IScheduling, call: Callable[[IScheduling], None]) -> bool:
        """Make a call. Returns whether the HAL took it."""
        try:
            call(hal)
        except BinderError as error:
            # A vendor's HAL must not take the system down. If it is dead, its death arrives in a moment.
            log.warning("%s: %s", HAL_SERVICE, error)
            return False
        return True

    def _found(self, binder: IBinder) -> None:
        with self._lock:
            try:
                binder.link_to_death(self._died)
            except StatusError:
                self._wait_for_service(HAL_SERVICE, self._found)
                return
            hal = IScheduling.from_binder(binder)
            judgement = self._judge(hal)
            self._note(judgement)
            if judgement.acceptance is Acceptance.REFUSED:
                return
            self._hal = hal
            self._behind = False
            self.listens = True
            self._call(hal, lambda hal: hal.setCallback(self._observer))
            self.priorities.hal_connected(self)

    @staticmethod
    def _judge(hal: IScheduling) -> Judgement:
        try:
            return judge(hal.getInterfaceVersion(), hal.getInterfaceHash())
        except BinderError as error:
            # If it is dead, its death arrives in a moment, and then the next one is waited for.
            return Judgement(Acceptance.REFUSED, f"{HAL_SERVICE} does not say what it is: {error}")

    def _note(self, judgement: Judgement) -> None:
        level = logging.INFO if judgement.acceptance is Acceptance.ACCEPTED else logging.WARNING
        log.log(level, "%s: %s", judgement.acceptance.value, judgement.reason)
        self.state = f"{judgement.acceptance.value}: {judgement.reason}"
        self.listener.hal_changed(self.state)

    def _died(self) -> None:
        with self._lock:
            log.warning("%s died", HAL_SERVICE)
            self._hal = None
            self.state = f"{HAL_SERVICE} died; waiting for it"
            self.listener.hal_changed(self.state)
            self._wait_for_service(HAL_SERVICE, self._found)
