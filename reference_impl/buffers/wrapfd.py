"""/dev/wrapfd as its users see it: request numbers, structs, and a call for each operation.

The same client talks to the real driver and to the stand-in. They differ in the `Port` behind it, which takes
what a process would hand to `ioctl`, `mmap` and `lseek`: real bytes, real descriptors.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from mmap import PROT_READ, PROT_WRITE
from struct import Struct
from typing import Final, Protocol

PROT_NONE: Final = 0
PROT_RW: Final = PROT_READ | PROT_WRITE
DEVICE_PATH: Final = "/dev/wrapfd"

_NONE, _WRITE, _READ = 0, 1, 2  # direction bits of include/uapi/asm-generic/ioctl.h


def ioctl_number(direction: int, kind: int, number: int, size: int) -> int:
    """A request number as `_IOC` makes it; `direction` has 1 for data to the kernel, 2 for data from it."""
    return direction << 30 | size << 16 | kind << 8 | number


WRAP_STRUCT: Final = Struct("<IIQ")  # fd, prot, reserved
STATE_STRUCT: Final = Struct("<IIQ")  # state, pad, reserved
LOAD_STRUCT: Final = Struct("<IIQQQQ")  # fd, pad, file offset, buffer offset, length, reserved
REWRAP_STRUCT: Final = Struct("<IIQ")  # prot, pad, reserved

_WRAPFD = 0xBC


class Request(IntEnum):
    """What `ioctl` takes."""

    WRAP = ioctl_number(_WRITE, _WRAPFD, 0, WRAP_STRUCT.size)
    GET_STATE = ioctl_number(_READ | _WRITE, _WRAPFD, 1, STATE_STRUCT.size)
    ACQUIRE_OWNERSHIP = ioctl_number(_NONE, _WRAPFD, 2, 0)
    RELEASE_OWNERSHIP = ioctl_number(_NONE, _WRAPFD, 3, 0)
    LOAD = ioctl_number(_WRITE, _WRAPFD, 4, LOAD_STRUCT.size)
    REWRAP = ioctl_number(_WRITE, _WRAPFD, 5, REWRAP_STRUCT.size)
    EMPTY = ioctl_number(_NONE, _WRAPFD, 6, 0)
    ALLOW_GUESTS = ioctl_number(_NONE, _WRAPFD, 7, 0)
    PROHIBIT_GUESTS = ioctl_number(_NONE, _WRAPFD, 8, 0)


class WrapState(IntEnum):
    """What a wrap holds: WrapfdState of wrapfd.h."""

    EMPTY = 0
    RDONLY = 1
    RDWR = 2


class View(Protocol):
    """Mapped memory, a memoryview where it is this process's own."""

    @property
    def readonly(self) -> bool: ...

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> memoryview | bytes: ...

    def __setitem__(self, part: slice, data: bytes, /) -> None: ...


class Mapping(Protocol):
    """A mapping of a wrap into a process."""

    @property
    def view(self) -> View:
        """The memory, all of it. Raises OSError(EACCES) where it cannot be read."""

    def unmap(self, offset: int, length: int) -> None:
        """Takes whole pages out of it, as munmap does of a part."""

    def protect(self, offset: int, length: int, prot: int) -> None:
        """Changes how whole pages of it may be used, as mprotect does. Raises OSError(EACCES)."""

    def close(self) -> None:
        """Ends it. Views must not be used afterwards. Doing it twice is fine."""


class Port(Protocol):
    """One process's way to a wrapfd driver. Every call raises OSError as the system call would."""

    @property
    def name(self) -> str:
        """What reports call the driver behind it."""

    def wrap(self, argument: bytes) -> int:
        """The one request that goes to the device itself. Returns a new descriptor."""

    def ioctl(self, fd: int, request: int, argument: bytes) -> tuple[int, bytes]:
        """A request to a wrap: what `ioctl` returns, and the argument as the driver left it."""

    def mmap(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> Mapping:
        """Maps part of a wrap."""

    def lseek(self, fd: int, offset: int, whence: int) -> int:
        """Asks for the size, which is all that a wrap's position is good for."""

    def fdinfo(self, fd: int) -> dict[str, str]:
        """The driver's lines of /proc/PID/fdinfo/FD, by name."""

    def collect(self) -> None:
        """Has a driver that cannot see descriptors being closed look for it."""


class Wrapfd:
    """The driver's operations. All raise OSError with what the driver answers."""

    def __init__(self, port: Port) -> None:
        self.port = port

    def wrap(self, fd: int, prot: int) -> int:
        """Wraps a dma-buf. Returns the wrap's descriptor, the caller's to close.

        Args:
            fd: of the dma-buf; it is not restricted by its wraps.
            prot: PROT_NONE, or PROT_READ and PROT_WRITE as mappings may have.
        """
        return self.port.wrap(WRAP_STRUCT.pack(fd & 0xFFFFFFFF, prot & 0xFFFFFFFF, 0))

    def state(self, fd: int) -> WrapState:
        """What the wrap holds."""
        _, answer = self.port.ioctl(fd, Request.GET_STATE, STATE_STRUCT.pack(0, 0, 0))
        state, _, _ = STATE_STRUCT.unpack(answer)
        return WrapState(state)

    def acquire(self, fd: int) -> None:
        """Makes this process the owner, which keeps all others out."""
        self.port.ioctl(fd, Request.ACQUIRE_OWNERSHIP, b"")

    def release(self, fd: int) -> None:
        """Ends this process's ownership, and what guests were allowed."""
        self.port.ioctl(fd, Request.RELEASE_OWNERSHIP, b"")

    @contextmanager
    def owning(self, fd: int) -> Iterator[None]:
        """Owns the wrap during the body. A wrap that was the process's own stays so only for the body."""
        self.acquire(fd)
        try:
            yield
        finally:
            self.release(fd)

    def load(self, fd: int, file: int, file_offset: int, buffer_offset: int, length: int) -> None:
        """Copies `length` bytes of a file into the wrap. Offsets are in bytes."""
        numbers = (value & 0xFFFFFFFF_FFFFFFFF for value in (file_offset, buffer_offset, length))
        self.port.ioctl(fd, Request.LOAD, LOAD_STRUCT.pack(file & 0xFFFFFFFF, 0, *numbers, 0))

    def rewrap(self, fd: int, prot: int) -> int:
        """Moves the content into a new wrap with another mask; this one is EMPTY then. Returns the new."""
        new, _ = self.port.ioctl(fd, Request.REWRAP, REWRAP_STRUCT.pack(prot & 0xFFFFFFFF, 0, 0))
        return new

    def empty(self, fd: int) -> None:
        """Frees the content. Mapping it fails with ENOENT from now on."""
        self.port.ioctl(fd, Request.EMPTY, b"")

    def allow_guests(self, fd: int) -> None:
        """Lets others map the wrap although it is owned."""
        self.port.ioctl(fd, Request.ALLOW_GUESTS, b"")

    def prohibit_guests(self, fd: int) -> None:
        """Takes `allow_guests` back."""
        self.port.ioctl(fd, Request.PROHIBIT_GUESTS, b"")

    def map(
        self, fd: int, length: int, prot: int = PROT_READ, *, shared: bool = True, offset: int = 0
    ) -> Mapping:
        """Maps part of the wrap. `length` is in bytes; `offset` is a multiple of the page size."""
        return self.port.mmap(fd, length, prot, shared=shared, offset=offset)

    def size(self, fd: int) -> int:
        """The size in bytes, through lseek; fails where the driver has none."""
        return self.port.lseek(fd, 0, os.SEEK_END)

    def fdinfo(self, fd: int) -> dict[str, str]:
        """What /proc/PID/fdinfo/FD says of the wrap: owner, guests, maps, empty and so on."""
        return self.port.fdinfo(fd)


def refusal(code: int, why: str) -> OSError:
    """The error of a call that was refused: the errno, and what to say of it."""
    return OSError(code, f"{os.strerror(code)}: {why}" if why else os.strerror(code))


def error_name(code: int) -> str:
    """What an errno is called."""
    return errno.errorcode.get(code, f"errno {code}")
