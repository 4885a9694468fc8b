"""What a backend offers to scenarios about buffers: a process's way to the driver, its descriptors, the NDK.

Descriptors are numbers that mean something to the process they belong to, which may be on another machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from .backend import ScenarioFailure


class View(Protocol):
    """Mapped memory; parts of it are read and written by slices."""

    @property
    def readonly(self) -> bool: ...

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> memoryview | bytes: ...

    def __setitem__(self, part: slice, data: bytes, /) -> None: ...


class Mapping(Protocol):
    """Memory that a process has mapped."""

    @property
    def view(self) -> View: ...

    def unmap(self, offset: int, length: int) -> None:
        """Takes pages out of it."""

    def protect(self, offset: int, length: int, prot: int) -> None:
        """Changes the protection of pages."""

    def close(self) -> None: ...


class Port(Protocol):
    """The driver without any help: what `ioctl` and `lseek` take."""

    def wrap(self, argument: bytes) -> int: ...

    def ioctl(self, fd: int, request: int, argument: bytes) -> tuple[int, bytes]: ...

    def lseek(self, fd: int, offset: int, whence: int) -> int: ...


class Driver(Protocol):
    """The operations of /dev/wrapfd as one process does them. All raise OSError as the driver answers."""

    @property
    def port(self) -> Port: ...

    def wrap(self, fd: int, prot: int) -> int: ...

    def state(self, fd: int) -> int: ...

    def acquire(self, fd: int) -> None: ...

    def release(self, fd: int) -> None: ...

    def load(self, fd: int, file: int, file_offset: int, buffer_offset: int, length: int) -> None: ...

    def rewrap(self, fd: int, prot: int) -> int: ...

    def empty(self, fd: int) -> None: ...

    def allow_guests(self, fd: int) -> None: ...

    def prohibit_guests(self, fd: int) -> None: ...

    def size(self, fd: int) -> int: ...

    def fdinfo(self, fd: int) -> dict[str, str]: ...


class NdkBuffer(Protocol):
    """An ANpuBuffer."""

    def map(self, prot: int | None = None) -> AbstractContextManager[View]: ...

    def set_priority(self, priority: int) -> None: ...

    def free(self) -> None: ...


# What comes with these is the backend's own, so nothing more can be said of it here.
AllocCallback = Callable[[int, Any, Any], None]
PreemptCallback = Callable[[Any, Any], None]
LoadCallback = Callable[[int, Any], None]


class Wishes(Protocol):
    """What an NDK buffer should be like."""

    def __call__(
        self,
        *,
        size: int,
        prot: int,
        device: int,
        buffer_type: int,
        priority: int,
        segment: tuple[int, int, int, int] | None,
        on_alloc: AllocCallback,
        on_preempt: PreemptCallback,
        cookie: object = None,
        deleter: Callable[[object], None] | None = None,
    ) -> object:
        """A request for `Ndk`. The segment is descriptor, file offset, length, offset in the buffer."""


class Ndk(Protocol):
    """The NDK's client in a process."""

    @property
    def request(self) -> Wishes: ...

    def alloc_async(self, batch: Sequence[Any]) -> None: ...

    def is_supported(self, batch: Sequence[Any]) -> list[bool]: ...

    def load_async(self, buffer: Any, segment: tuple[int, int, int, int], on_load: LoadCallback) -> None: ...


class ProcessMemory(Protocol):
    """One process's side of buffers."""

    @property
    def driver(self) -> Driver:
        """Needs "wrapfd"."""

    @property
    def ndk(self) -> Ndk: ...

    def keep(self, fd: int) -> int:
        """Has a descriptor closed when the process ends."""

    def receive(self, fd: int, giver: Any) -> int:
        """A copy of a descriptor of the giver's, which is another process's `ProcessMemory`."""

    def close(self, fd: int) -> None: ...

    def without_descriptors(self) -> AbstractContextManager[None]:
        """During the body the process can open nothing more. Needs "few-descriptors"."""

    def dmabuf(self, size: int) -> int:
        """A dma-buf of the first heap there is."""

    def file(self, content: bytes) -> int:
        """A file that can be loaded, open for reading."""

    def special(self, kind: str) -> int:
        """Something else: path, write-only, directory, pipe, zero, proc, memfd."""

    def read(self, fd: int, length: int) -> bytes:
        """What a descriptor yields to somebody who does not ask the driver."""

    def map(self, fd: int, length: int, prot: int, *, shared: bool = True, offset: int = 0) -> Mapping: ...


class WithoutMemory:
    """An app's process at a backend that has no buffers."""

    def memory(self) -> ProcessMemory:
        raise ScenarioFailure("apps have no buffers here")
