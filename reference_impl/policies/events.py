"""What a policy hears, and what it may want done: the words between a policy and the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from reference_impl.constants import LoadStatus, RequestStatus


class PolicyArgumentError(ValueError):
    """A client's argument that a policy refuses; the service answers with IllegalArgumentException."""


class RequestKey(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class ThermalChanged:
    """The platform's thermal status is another one; see `constants.ThermalStatus`."""

    status: int


PolicyEvent = (
    CanLoad | Cancel | Loaded | Unloaded | ImportanceChanged | ClientDied | WorkEnded | ThermalChanged
)


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
