"""HALs of other revisions, and broken ones, to see what a service does with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from binder import IBinder, StatusError
from binder.local import Scheduler
from binder.protocol import FIRST_CALL_TRANSACTION
from generated.android.hardware.npu import EndReason, ISchedulingCallback, StartReason, WorkInfo
from reference_impl.hal import SchedulingHal
from reference_impl.hal_work import Preemption

DEFAULT_KIND = "v1"


class UnknownHashHal(SchedulingHal):
    """Version 1, but built from other sources than the frozen ones."""

    def getInterfaceHash(self) -> str:
        return "notfrozen"


class UnknownVersionHal(SchedulingHal):
    """A version that is not known here."""

    def getInterfaceVersion(self) -> int:
        return 7


class EarlyHal(UnknownHashHal):
    """The early revision: its callback begins with onIdle and is not oneway, so all codes are one higher."""

    def setCallback(self, callback: ISchedulingCallback | None) -> None:
        super().setCallback(None if callback is None else _EarlyCallback(callback))
        if callback is not None:
            _call(callback.as_binder(), FIRST_CALL_TRANSACTION)


class _EarlyCallback(ISchedulingCallback):
    """Calls a callback as the early revision did."""

    def __init__(self, callback: ISchedulingCallback) -> None:
        self._callback = callback

    def as_binder(self) -> IBinder:
        return self._callback.as_binder()

    def onWorkRequested(self, info: WorkInfo) -> None:
        self._call("onWorkRequested", info)

    def onWorkStarted(self, workInfo: WorkInfo, reason: StartReason) -> None:
        self._call("onWorkStarted", workInfo, reason)

    def onWorkEnded(self, workInfo: WorkInfo, reason: EndReason) -> None:
        self._call("onWorkEnded", workInfo, reason)

    def getInterfaceVersion(self) -> int:
        return self._callback.getInterfaceVersion()

    def getInterfaceHash(self) -> str:
        return self._callback.getInterfaceHash()

    def _call(self, name: str, *values: object) -> None:
        method = next(m for m in ISchedulingCallback.aidl.by_code.values() if m.name == name)
        _call(self.as_binder(), method.code + 1, lambda data: method.write_request(data, *values))


def _call(binder: IBinder, code: int, write: Callable[[Any], object] = lambda data: None) -> None:
    """A call that waits for its answer, whatever that is."""
    data = binder.new_parcel()
    data.write_interface_token(ISchedulingCallback.aidl.descriptor)
    write(data)
    try:
        binder.transact(code, data).release()
    except StatusError:
        return  # a service of version 1 does not know what to say


KINDS: dict[str, type[SchedulingHal]] = {
    DEFAULT_KIND: SchedulingHal,
    "unknown-hash": UnknownHashHal,
    "unknown-version": UnknownVersionHal,
    "early": EarlyHal,
}
"""By what they are called."""


def make_hal(
    scheduler: Scheduler, kind: str = DEFAULT_KIND, *, devices: int = 1, preemption: str = "pause"
) -> SchedulingHal:
    """A HAL of a kind.

    Raises:
        ValueError: there is no such kind or preemption, or no device.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no HAL of kind {kind!r}; there is: {', '.join(KINDS)}")
    if devices < 1:
        raise ValueError(f"a HAL needs a device, not {devices}")
    return KINDS[kind](scheduler, devices=devices, preemption=Preemption(preemption))
