"""The words of scenarios for the HAL: what it knows, what it hears, what it reports, and its death."""

from __future__ import annotations

from typing import NamedTuple

from .backend import ScenarioFailure, Session
from .record import Event


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
        return [event for event in self._session.events() if event.method.startswith("IScheduling.")]

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

    def comes_back(self) -> None:
        self._session.start_hal()
        self._session.settle()
