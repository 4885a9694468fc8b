"""A scenario in the service's place: what it tells the NPU HAL, and what it hears of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from binder import RemoteException, StatusError
from generated.android.hardware.npu import (
    BnSchedulingCallback,
    EndReason,
    IScheduling,
    SchedulingConfig,
    StartReason,
    WorkInfo,
)

from .backend import AppProcess, ScenarioFailure, Session

REQUESTED, STARTED, RESUMED = "requested", "started", "resumed"
COMPLETED, FAILED, PAUSED = "completed", "failed", "paused"
CANCELLED_USER, CANCELLED_SYSTEM = "cancelled_user", "cancelled_system"

_STARTS = {StartReason.INITIAL: STARTED, StartReason.RESUMED: RESUMED}


def config(
    uid: int, priority: int = 400, *, direct_access: bool = True, may_attribute: bool = False
) -> SchedulingConfig:
    """What a HAL is told of a uid."""
    return SchedulingConfig(uid, priority, direct_access, may_attribute)


@dataclass(frozen=True, slots=True)
class Report:
    """One event of a job: what happened, to which, and when it was heard."""

    what: str
    info: WorkInfo
    at: float


class _Listener(BnSchedulingCallback):
    def __init__(self, session: Session) -> None:
        self._session = session
        self.heard: list[Report] = []

    def _note(self, what: str, info: WorkInfo) -> None:
        self.heard.append(Report(what, info, self._session.now()))

    def onWorkRequested(self, info: WorkInfo) -> None:
        self._note(REQUESTED, info)

    def onWorkStarted(self, workInfo: WorkInfo, reason: StartReason) -> None:
        self._note(_STARTS.get(reason, f"started ({int(reason)})"), workInfo)

    def onWorkEnded(self, workInfo: WorkInfo, reason: EndReason) -> None:
        self._note(EndReason(reason).name.lower(), workInfo)


class HalClient:
    """A process that calls the HAL. Everything here needs "hal-client"."""

    # What is due at once comes at once; this bounds the wait for what never comes.
    TIMEOUT = 5.0

    def __init__(self, session: Session) -> None:
        self._session = session
        self.process: AppProcess = session.hal_process()
        self.binder = self.process.hal()
        self.hal = IScheduling.from_binder(self.binder)
        self.listener: _Listener | None = None

    # --- what it says ------------------------------------------------------------------------------

    def sets(self, *configs: SchedulingConfig) -> Self:
        """Replaces the whole table."""
        self.hal.setSchedulingConfigs(list(configs))
        return self

    def updates(self, *configs: SchedulingConfig) -> Self:
        """Adds to the table, or replaces in it."""
        self.hal.updateSchedulingConfigs(list(configs))
        return self

    def listens(self) -> Self:
        """Becomes the HAL's callback; what was heard before is forgotten."""
        self.listener = _Listener(self._session)
        self.hal.setCallback(self.listener)
        return self

    def stops_listening(self) -> Self:
        """Takes the HAL's callback away."""
        self.hal.setCallback(None)
        return self

    def sends_garbage(self) -> Self:
        """Calls every method with a request that ends in the middle. Each must be refused."""
        for method in IScheduling.aidl.by_code.values():
            data = self.binder.new_parcel()
            data.write_interface_token(IScheduling.aidl.descriptor)
            data.write_int32(1)
            data.write_int32(1)
            try:
                with self.binder.transact(method.code, data) as reply:
                    refused = bool(len(reply)) and reply.read_int32() != 0
            except (StatusError, RemoteException):
                refused = True
            if not refused:
                raise ScenarioFailure(f"{method.name} should refuse a request that ends in the middle")
        return self

    # --- what it hears -----------------------------------------------------------------------------

    @property
    def heard(self) -> list[Report]:
        """What the HAL has reported so far."""
        self._session.settle()
        return [] if self.listener is None else list(self.listener.heard)

    def expect(self, *wanted: str) -> list[Report]:
        """The reports so far must be these, in this order, once they all have arrived."""
        listener = self.listener
        if listener is not None:
            self._session.wait_until(lambda: len(listener.heard) >= len(wanted), self.TIMEOUT)
        found = self.heard
        if [report.what for report in found] != list(wanted):
            raise ScenarioFailure(
                f"the HAL should report {', '.join(wanted) or 'nothing'},"
                f" but reported {', '.join(report.what for report in found) or 'nothing'}"
            )
        return found
