"""The real /dev/wrapfd: one system call for each call of a port."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from . import areas
from .pages import Pages
from .wrapfd import DEVICE_PATH, Request

V_co = TypeVar("V_co", covariant=True)


class MappedPages(Protocol[V_co]):
    """Pages that are mapped, into this process or where an agent is."""

    length: int

    @property
    def view(self) -> V_co: ...

    def remove(self, offset: int, length: int) -> None: ...

    def protect(self, offset: int, length: int, prot: int) -> None: ...

    def close(self) -> None: ...


class KernelMapping(Generic[V_co]):
    """A mapping that the kernel counts, this machine's or an agent's."""

    def __init__(self, pages: MappedPages[V_co]) -> None:
        self._pages = pages

    @property
    def view(self) -> V_co:
        return self._pages.view

    def unmap(self, offset: int, length: int) -> None:
        end = min(areas.page_range(offset, length), areas.whole_pages(self._pages.length))
        if end > offset:
            self._pages.remove(offset, end - offset)

    def protect(self, offset: int, length: int, prot: int) -> None:
        self._pages.protect(offset, areas.page_range(offset, length) - offset, prot)

    def close(self) -> None:
        self._pages.close()


class KernelPort:
    """This process's way to the driver.

    Args:
        path: of the device.

    Raises:
        OSError: it is not there, or may not be opened.
    """

    def __init__(self, path: str = DEVICE_PATH) -> None:
        self._path = path
        self._device = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    @property
    def name(self) -> str:
        return self._path

    def wrap(self, argument: bytes) -> int:
        # A mutable argument, because only then does Python hand on what the call returns.
        return int(fcntl.ioctl(self._device, Request.WRAP, bytearray(argument), True))

    def ioctl(self, fd: int, request: int, argument: bytes) -> tuple[int, bytes]:
        if not argument:
            return int(fcntl.ioctl(fd, request, 0)), b""
        changed = bytearray(argument)
        return int(fcntl.ioctl(fd, request, changed, True)), bytes(changed)

    def mmap(
        self, fd: int, length: int, prot: int, *, shared: bool, offset: int
    ) -> KernelMapping[memoryview]:
        return KernelMapping(Pages(fd, length, prot, shared=shared, offset=offset))

    def lseek(self, fd: int, offset: int, whence: int) -> int:
        return os.lseek(fd, offset, whence)

    def fdinfo(self, fd: int) -> dict[str, str]:
        text = Path(f"/proc/self/fdinfo/{fd}").read_text(encoding="utf-8", errors="replace")
        return driver_lines(text)

    def collect(self) -> None:
        """The kernel sees descriptors being closed."""

    def close(self) -> None:
        """Closes the device; wraps stay what they are."""
        os.close(self._device)


def driver_lines(text: str) -> dict[str, str]:
    """What is the driver's own in a text of /proc/PID/fdinfo."""
    lines = (line.partition(":") for line in text.splitlines())
    return {name: value.strip() for name, _, value in lines if name not in _ANY_FILE}


_ANY_FILE = frozenset(("pos", "flags", "mnt_id", "ino"))
