"""A model-load request in a scenario: what it asks, what it hears, what it reports."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from generated.android.npumanager import BnModelLoadCallback, ModelLoadRequestParcelable, NpuModelSize

from .backend import NewsAbout, ScenarioFailure

if TYPE_CHECKING:
    from .vocabulary import App

# Statuses of onCanLoadModel and of onModelLoadRequestComplete.
CAN_LOAD_NOW = 0
WAIT_FOR_UNLOAD = 1
NOT_PRIORITIZED = 2
CANCELLED = 3
COMPLETE = 4

_STATUS_NAMES = {
    CAN_LOAD_NOW: "CAN_LOAD_NOW",
    WAIT_FOR_UNLOAD: "WAIT_FOR_UNLOAD",
    NOT_PRIORITIZED: "NOT_PRIORITIZED",
    CANCELLED: "CANCELLED",
    COMPLETE: "COMPLETE",
}


def _named(status: int) -> str:
    return _STATUS_NAMES.get(status, f"status {status}")


@dataclass(frozen=True, slots=True)
class Heard:
    """One call on a request's callback."""

    method: str
    status: int | None = None

    def __str__(self) -> str:
        return self.method if self.status is None else f"{self.method}({_named(self.status)})"


UNLOAD_REQUEST = Heard("onRequestUnloadModel")


def answer(status: int) -> Heard:
    return Heard("onCanLoadModel", status)


def completion(status: int) -> Heard:
    return Heard("onModelLoadRequestComplete", status)


class _Callback(BnModelLoadCallback):
    def __init__(self, heard: deque[Heard]) -> None:
        self._heard = heard

    def onCanLoadModel(self, status: int) -> None:
        self._heard.append(answer(status))

    def onRequestUnloadModel(self) -> None:
        self._heard.append(UNLOAD_REQUEST)

    def onModelLoadRequestComplete(self, status: int) -> None:
        self._heard.append(completion(status))


class Request:
    """One request of an app. Made by `App.request`, which has called canLoadModel already."""

    # What an app hears, it hears at once; this bounds the wait for what never comes.
    TIMEOUT = 5.0

    def __init__(self, app: App, parcelable: ModelLoadRequestParcelable) -> None:
        self._app = app
        self._unread: deque[Heard] = deque()
        self._taken = 0
        self._last_answer: Heard | None = None
        self.parcelable = parcelable
        self.callback = _Callback(self._unread)

    def __str__(self) -> str:
        size = self.parcelable.size
        return f"{self._app.label}'s request {self.parcelable.id} ({NpuModelSize(size).name})"

    # --- what it hears ---------------------------------------------------------------------------

    def expect(self, status: int) -> Self:
        """The next news must be this answer. A repeated earlier answer is no news."""
        return self._expect(answer(status))

    def expect_unload_request(self) -> Self:
        """The next news must be the request to unload."""
        return self._expect(UNLOAD_REQUEST)

    def is_asked_to_unload(self) -> bool:
        """Whether the next news is the request to unload, where it is open which request hears it."""
        self._app.npu.session.settle()
        return self.unread() == UNLOAD_REQUEST

    def expect_complete(self, status: int) -> Self:
        """The next news must be that the request is over, with this status."""
        return self._expect(completion(status))

    def may_be_complete(self, status: int) -> Self:
        """There may be news that the request is over, with this status, and nothing else."""
        self._app.npu.session.settle()
        return self.expect_complete(status) if self._has_news() else self

    def expect_nothing(self) -> Self:
        """There must be no news, once everything on its way has arrived."""
        self._app.npu.session.settle()
        if self._has_news():
            heard = self._unread[0]
            message = f"{self} should hear nothing more, but heard {heard}"
            raise self.failure(message, "nothing more", heard)
        return self

    def ignore(self) -> None:
        """What it hears from here on is of no concern to the scenario."""
        self._app.npu.forget(self)

    def _expect(self, wanted: Heard) -> Self:
        if not self._app.npu.session.wait_until(self._has_news, self.TIMEOUT):
            last = f"; the last answer was {self._last_answer}" if self._last_answer else ""
            message = f"{self} should hear {wanted}, but heard nothing{last}"
            raise self.failure(message, wanted, f"nothing{last}")
        heard = self._unread[0]
        if heard != wanted:
            raise self.failure(f"{self} should hear {wanted}, but heard {heard}", wanted, heard)
        self._take()
        if heard.method == "onCanLoadModel":
            self._last_answer = heard
        return self

    def _has_news(self) -> bool:
        # A device may repeat an answer whenever it reconsiders.
        while self._unread and self._unread[0] == self._last_answer:
            self._take()
        return bool(self._unread)

    def _take(self) -> None:
        self._unread.popleft()
        self._taken += 1

    def unread(self) -> Heard | None:
        """The first news that no `expect` has taken."""
        return self._unread[0] if self._has_news() else None

    def failure(self, message: str, expected: object, actual: object) -> ScenarioFailure:
        """A failure that is about the first news that no `expect` has taken, or that it has not come."""
        news = NewsAbout(self._app.label, self.parcelable.id, self._taken)
        return ScenarioFailure(message, expected=str(expected), actual=str(actual), news=news)

    # --- what it says ----------------------------------------------------------------------------

    def report_loaded(self) -> Self:
        self._app.service.notifyModelLoaded(self.parcelable)
        return self

    def report_unloaded(self) -> Self:
        self._app.service.notifyModelUnloaded(self.parcelable)
        return self

    def cancel(self) -> Self:
        self._app.service.cancelModelLoad(self.parcelable)
        return self

    # --- what is said often ----------------------------------------------------------------------

    def load(self) -> Self:
        """The request is granted and the model loaded."""
        return self.expect(CAN_LOAD_NOW).report_loaded()

    def load_in_the_end(self) -> Self:
        """The request is granted, perhaps after having been told to wait, and the model loaded."""
        if self._app.npu.session.wait_until(self._has_news, self.TIMEOUT) and (
            self._unread[0] == answer(WAIT_FOR_UNLOAD)
        ):
            self.expect(WAIT_FOR_UNLOAD)
        return self.load()

    def give_way(self) -> Self:
        """Asked to unload, it does, and is done."""
        return self.expect_unload_request().unload()

    def unload(self) -> Self:
        """It unloads and is done."""
        return self.report_unloaded().expect_complete(COMPLETE)
