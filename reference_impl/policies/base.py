"""What every policy is: a function from (state, event) to (state, actions).

A policy never calls anybody and never reads a clock. The service turns calls into events and carries the
actions out; tests do the same without a service. A policy knows importance only through the function it is
handed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, assert_never

from binder import PersistableBundle
from reference_impl.constants import LoadStatus, RequestStatus
from reference_impl.policies.request_state import Event, State, next_state


class PolicyArgumentError(ValueError):
    """A client's argument that a policy refuses; the service answers with IllegalArgumentException."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Names a request: ids are the caller's own, so two uids may use the same one."""

    uid: int
    id: int


@dataclass(frozen=True, slots=True)
class CanLoad:
    """`uid` called canLoadModel."""

    key: RequestKey
    size: int
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Cancel:
    """`uid` called cancelModelLoad."""

    key: RequestKey


@dataclass(frozen=True, slots=True)
class Loaded:
    """`uid` called notifyModelLoaded."""

    key: RequestKey


@dataclass(frozen=True, slots=True)
class Unloaded:
    """`uid` called notifyModelUnloaded."""

    key: RequestKey


@dataclass(frozen=True, slots=True)
class ImportanceChanged:
    """The priority of `uid` is another one; the function handed to the step already tells the new one."""

    uid: int


@dataclass(frozen=True, slots=True)
class ClientDied:
    """The process that held a callback of `uid` is dead."""

    uid: int


@dataclass(frozen=True, slots=True)
class WorkEnded:
    """Work done in the name of `uid` stopped; `completed` is false for every reason but COMPLETED."""

    uid: int
    completed: bool


PolicyEvent = CanLoad | Cancel | Loaded | Unloaded | ImportanceChanged | ClientDied | WorkEnded


@dataclass(frozen=True, slots=True)
class AnswerCanLoad:
    """Call onCanLoadModel."""

    key: RequestKey
    status: LoadStatus


@dataclass(frozen=True, slots=True)
class RequestUnload:
    """Call onRequestUnloadModel."""

    key: RequestKey


@dataclass(frozen=True, slots=True)
class Complete:
    """Call onModelLoadRequestComplete, then forget the callback."""

    key: RequestKey
    status: RequestStatus


@dataclass(frozen=True, slots=True)
class Replaced:
    """A new request took the place of an open one with the same key; the old callback's request is over.

    Comes before any action on the new request.
    """

    key: RequestKey


@dataclass(frozen=True, slots=True)
class Forget:
    """Drop the callback without a call: its process is dead."""

    key: RequestKey


Action = AnswerCanLoad | RequestUnload | Complete | Replaced | Forget

PriorityOf = Callable[[int], int]
"""The priority of a uid, from 0, the most important, to 1000."""


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """One open request. `arrival` orders requests: the smaller came first."""

    key: RequestKey
    size: int
    priority: int
    arrival: int
    state: State = State.PENDING_LOAD


@dataclass(frozen=True, slots=True)
class PolicyState:
    """All a policy remembers.

    `completions` has, by uid, when work last completed. Only the order of completions matters, so the count
    `ticks` stands in for the monotonic clock, and two completions at one instant still have an order.
    """

    requests: Mapping[RequestKey, LoadRequest] = field(default_factory=dict)
    completions: Mapping[int, int] = field(default_factory=dict)
    ticks: int = 0


class Turn:
    """The working copy of one step: collects new state and actions, and keeps requests within the table."""

    def __init__(self, state: PolicyState, priority_of: PriorityOf) -> None:
        self.requests = dict(state.requests)
        self.completions = dict(state.completions)
        self.ticks = state.ticks
        self.priority_of = priority_of
        self.actions: list[Action] = []

    def result(self) -> tuple[PolicyState, tuple[Action, ...]]:
        """The state after the step, and what is to be done."""
        return PolicyState(self.requests, self.completions, self.ticks), tuple(self.actions)

    def open(self, event: CanLoad) -> LoadRequest:
        """Enter a new request, in place of an open one with the same key."""
        if self.requests.pop(event.key, None) is not None:
            self.actions.append(Replaced(event.key))
        request = LoadRequest(event.key, event.size, event.priority, self._tick())
        self.requests[event.key] = request
        return request

    def answer(self, request: LoadRequest, status: LoadStatus) -> None:
        """Tell the app what it may do."""
        self._move(request, Event[status.name])
        self.actions.append(AnswerCanLoad(request.key, status))

    def request_unload(self, request: LoadRequest) -> None:
        """Ask the app to give up a loaded model."""
        self._move(request, Event.UNLOAD_REQUESTED)
        self.actions.append(RequestUnload(request.key))

    def report_loaded(self, request: LoadRequest) -> None:
        """Note that the model is loaded."""
        self._move(request, Event.LOADED)

    def end(self, request: LoadRequest, event: Event) -> None:
        """End a request, by a report of the app or by the service's COMPLETED_AS_CANCELLED."""
        self._move(request, event)
        status = RequestStatus.COMPLETE if event is Event.UNLOADED else RequestStatus.CANCELLED
        self.actions.append(Complete(request.key, status))

    def forget(self, request: LoadRequest) -> None:
        """Drop a request whose app is dead."""
        del self.requests[request.key]
        self.actions.append(Forget(request.key))

    def stamp_completion(self, uid: int) -> None:
        """Note that work of `uid` completed now."""
        self.completions[uid] = self._tick()

    def _tick(self) -> int:
        self.ticks += 1
        return self.ticks

    def _move(self, request: LoadRequest, event: Event) -> None:
        state = next_state(self.requests[request.key].state, event)
        if state is State.ENDED:
            del self.requests[request.key]
        else:
            self.requests[request.key] = replace(self.requests[request.key], state=state)


class Policy(ABC):
    """Decides who may load a model. Objects hold settings only; what happened is in the PolicyState.

    Policies differ in `admit`, and may use the two hooks after it.
    """

    dump_name: ClassVar[str]
    """How a dump calls the policy."""

    @abstractmethod
    def __init__(self, params: PersistableBundle | None = None) -> None:
        """Take the parameters given to setPolicy. Raises PolicyArgumentError if they make no sense."""

    @abstractmethod
    def admit(self, turn: Turn, request: LoadRequest) -> None:
        """Answer a request that has just been opened."""

    def check(self, event: CanLoad) -> None:  # noqa: B027 - most policies refuse nothing
        """Raise PolicyArgumentError for a request that must not even be recorded."""

    def reconsider(self, turn: Turn) -> None:  # noqa: B027 - a policy may have no limit
        """Budget or ranks may have changed: find out who gains and who loses."""

    def work_completed(self, turn: Turn, uid: int) -> None:  # noqa: B027 - nor does it look at work
        """Work done in the name of `uid` completed."""

    def step(
        self, state: PolicyState, event: PolicyEvent, priority_of: PriorityOf
    ) -> tuple[PolicyState, tuple[Action, ...]]:
        """What follows from `event`. `state` is left as it is.

        Args:
            state: what the previous step returned, or `PolicyState()` for a policy just set.
            event: what happened. Calls about requests that their caller does not own change nothing.
            priority_of: the priority of a uid at this moment.

        Returns:
            The new state, and what the service has to do, in order.

        Raises:
            PolicyArgumentError: the request is refused, and nothing happened.
        """
        turn = Turn(state, priority_of)
        match event:
            case CanLoad():
                self.check(event)
                self.admit(turn, turn.open(event))
            case Cancel(key):
                self._end(turn, key, Event.CANCEL)
            case Unloaded(key):
                self._end(turn, key, Event.UNLOADED)
            case Loaded(key):
                self._report_loaded(turn, key)
            case ImportanceChanged():
                self.reconsider(turn)
            case ClientDied(uid):
                for request in [request for request in turn.requests.values() if request.key.uid == uid]:
                    turn.forget(request)
                self.reconsider(turn)
            case WorkEnded(uid, completed):
                if completed:
                    self.work_completed(turn, uid)
            case _:
                assert_never(event)
        return turn.result()

    def _end(self, turn: Turn, key: RequestKey, event: Event) -> None:
        request = turn.requests.get(key)
        if request is not None:
            turn.end(request, event)
            self.reconsider(turn)

    def _report_loaded(self, turn: Turn, key: RequestKey) -> None:
        request = turn.requests.get(key)
        if request is None:
            return
        turn.report_loaded(request)
        # An app that loads against the answer takes memory nobody accounted for: somebody has to make way.
        if request.state is State.NOT_PRIORITIZED:
            self.reconsider(turn)
