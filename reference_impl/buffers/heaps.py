"""DMA-BUF heaps: those of the kernel, and a stand-in with a capacity."""

from __future__ import annotations

import errno
import fcntl
import os
from typing import Protocol

from .contents import Contents
from .dmabuf import HEAP_ALLOCATION_STRUCT, HEAP_FOLDER, DmabufRequest
from .wrapfd import refusal


class Heaps(Protocol):
    """Where dma-bufs come from. Everything raises OSError as the system calls would."""

    @property
    def name(self) -> str:
        """What reports call them."""

    def allocate(self, heap: str, size: int, name: bytes) -> int:
        """A new dma-buf, open for reading and writing and closed on exec; the caller's to close.

        Args:
            heap: its name.
            size: in bytes, rounded up to pages. 0 and less are EINVAL.
            name: of the buffer, for those who look for leaks.
        """

    def shortage(self, heap: str, size: int) -> int:
        """How many bytes have to be freed, as far as one can know, before `size` bytes can be had."""

    def usage(self, heap: str) -> tuple[int, int] | None:
        """Bytes in use and bytes there are, None where nobody knows."""


class StandInHeaps:
    """Heaps on memory files.

    Args:
        contents: where the stand-in of wrapfd finds them, too.
    """

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    @property
    def name(self) -> str:
        return f"stand-in on {self._contents.files.name}"

    def allocate(self, heap: str, size: int, name: bytes) -> int:
        if size <= 0:
            raise refusal(errno.EINVAL, f"a buffer of {size} bytes")
        return self._contents.allocate(heap, size, name=name)

    def shortage(self, heap: str, size: int) -> int:
        with self._contents.lock:
            return self._contents.shortage(heap, size)

    def usage(self, heap: str) -> tuple[int, int] | None:
        capacity = self._contents.capacities.get(heap)
        return None if capacity is None else (self._contents.used(heap), capacity)


class KernelHeaps:
    """The heaps of this machine's kernel.

    Args:
        folder: where their devices are.
    """

    def __init__(self, folder: str = HEAP_FOLDER) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        return self._folder

    def allocate(self, heap: str, size: int, name: bytes) -> int:
        if size <= 0:
            raise refusal(errno.EINVAL, f"a buffer of {size} bytes")
        device = os.open(os.path.join(self._folder, heap), os.O_RDONLY | os.O_CLOEXEC)
        try:
            question = HEAP_ALLOCATION_STRUCT.pack(size, 0, os.O_RDWR | os.O_CLOEXEC, 0)
            answer = fcntl.ioctl(device, DmabufRequest.HEAP_ALLOC, question)
        finally:
            os.close(device)
        _, fd, _, _ = HEAP_ALLOCATION_STRUCT.unpack(answer)
        try:
            fcntl.ioctl(fd, DmabufRequest.SET_NAME, name + b"\0")
        except OSError:
            os.close(fd)
            raise
        return int(fd)

    def shortage(self, heap: str, size: int) -> int:
        return size

    def usage(self, heap: str) -> tuple[int, int] | None:
        return None
