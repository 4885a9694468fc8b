"""What a device said about itself, each answer with a place for why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ..adb import android
from ..adb.apps import Candidate

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A value, or the problem that there was in asking for it."""

    value: T | None = None
    problem: str = ""

    @property
    def known(self) -> bool:
        return not self.problem

    def get(self, default: T) -> T:
        """The value, or what to take it for if there is none."""
        return default if self.value is None else self.value


@dataclass(frozen=True, slots=True)
class Hal:
    """What the HAL says of itself: its interface's version and hash; and telling names in its program."""

    version: Answer[int] = Answer(problem="not asked")
    hash: Answer[str] = Answer(problem="not asked")
    names: Answer[frozenset[str]] = Answer(problem="not asked")


@dataclass(frozen=True, slots=True)
class AgentTest:
    """How a try of the agent went.

    Attributes:
        uid: whom it ran as.
        ping_ms: how long a ping of the service manager took, in milliseconds.
        reached_npu: whether it found the npu service and had it answer a ping.
        generation: of the wrapfd driver, where there is one.
    """

    uid: int
    ping_ms: float
    reached_npu: bool
    hal: Hal = Hal()
    generation: Answer[str] = Answer(problem="not asked")


@dataclass(slots=True)
class Facts:
    """Everything that was asked.

    Attributes:
        uid: of the shell.
        su: the uid that `su 0` gives.
        agent: a try as the shell's user; `agent_as_app` as the first candidate's, or another app's uid.
    """

    serial: str
    properties: Answer[Mapping[str, str]] = Answer(problem="not asked")
    uid: Answer[int] = Answer(problem="not asked")
    su: Answer[int] = Answer(problem="not asked")
    enforcing: Answer[bool] = Answer(problem="not asked")
    apexes: Answer[set[str]] = Answer(problem="not asked")
    services: Answer[Mapping[str, str]] = Answer(problem="not asked")
    features: Answer[Mapping[str, int]] = Answer(problem="not asked")
    flags: Mapping[str, Answer[bool | None]] = field(default_factory=dict)
    info: Answer[android.NpuInfo] = Answer(problem="not asked")
    buffers: Answer[android.NpuBuffers] = Answer(problem="not asked")
    heaps: Answer[tuple[str, ...]] = Answer(problem="not asked")
    wrapfd: Answer[bool] = Answer(problem="not asked")
    inference: Answer[str] = Answer(problem="not asked")
    candidates: Answer[list[Candidate]] = Answer(problem="not asked")
    hal: Hal = Hal()
    agent: Answer[AgentTest] = Answer(problem="not tried")
    agent_as_app: Answer[AgentTest] = Answer(problem="not tried")

    def property(self, name: str) -> str:
        """A property's value, "" if it has none."""
        return self.properties.get({}).get(name, "")
