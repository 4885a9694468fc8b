"""The words of scenarios for the HAL: what it knows, what it hears, what it reports, and its death."""

from __future__ import annotations

from typing import NamedTuple

from .backend import ScenarioFailure, Session
from .hal_client import HalClient
from .record import Event

KINDS = ("v1", "unknown-hash", "unknown-version", "early")
"""Which revisions a HAL may be of."""


class HalEntry(NamedTuple):
    """What the HAL knows of a uid."""

    priority: int
    direct_access: bool
    may_attribute: bool


class Hal:
    """The NPU's HAL as a scenario sees it. Everything here needs "hal"."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def table(self) -> dict[int, HalEntry]:
        """What the HAL holds by uid, once everything on its way has arrived."""
        self._session.settle()
        return {uid: HalEntry(*entry) for uid, entry in self._session.hal_table().items()}

    def knows(self, uid: int) -> bool:
        return uid in self.table()

    def entry(self, uid: int) -> HalEntry:
        """What the HAL holds of a uid. Raises `ScenarioFailure` if that is nothing."""
        entry = self.table().get(uid)
        if entry is None:
            raise ScenarioFailure(f"the HAL should know uid {uid}, but does not")
        return entry

    def heard(self) -> list[Event]:
        """Calls of the service to the HAL, in order."""
        self._session.settle()
        return [
            event
            for event in self._session.events()
            if event.method.startswith("IScheduling.") and event.sender == "system_server"
        ]

    def reported(self) -> list[Event]:
        """What the HAL has told the service of work, in order."""
        self._session.settle()
        return [event for event in self._session.events() if event.method.startswith("ISchedulingCallback.")]

    def callback_version(self) -> tuple[int, str]:
        """Interface version and hash of the callback that the HAL was given."""
        self._session.settle()
        return self._session.hal_callback_version()

    def dies(self) -> None:
        self._session.kill_hal()
        self._session.settle()

    def comes_back(self, kind: str = "v1", *, devices: int = 1, preemption: str = "pause") -> None:
        """A HAL starts: one of `KINDS`, which other than the first needs "hal-kinds"."""
        self._session.start_hal(kind, devices=devices, preemption=preemption)
        self._session.settle()

    def breaks(self, *, fail_jobs: int = 0, refuse_calls: int = 0) -> None:
        """The next so many jobs fail, and the next so many calls are refused. Needs "hal-faults"."""
        self._session.break_hal(fail_jobs=fail_jobs, refuse_calls=refuse_calls)

    def is_taken_over(self) -> HalClient:
        """The scenario talks to the HAL in the service's place. Needs "hal-client"."""
        return HalClient(self._session)
