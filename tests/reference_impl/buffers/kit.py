"""Stand-in drivers, processes and files for tests of buffers."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import errorcode
from mmap import PAGESIZE
from pathlib import Path

import pytest

from reference_impl.buffers.contents import Contents
from reference_impl.buffers.memory import MemoryFiles
from reference_impl.buffers.profiles import CONTRACT, Profile
from reference_impl.buffers.standin import StandInDriver
from reference_impl.buffers.wrapfd import PROT_RW, Wrapfd

MEBIBYTE = 1 << 20


class Bench:
    """A driver with one heap, and descriptors that are closed in the end."""

    def __init__(self, profile: Profile = CONTRACT, capacity: int = 64 * MEBIBYTE) -> None:
        self.contents = Contents(MemoryFiles(), {"npu": capacity}, keep_writable=profile.loads_read_only)
        self.driver = StandInDriver(self.contents, profile)
        self._fds: list[int] = []

    def process(self, pid: int = 1) -> Wrapfd:
        return Wrapfd(self.driver.port(pid))

    def dmabuf(self, pages: int = 2, *, writable: bool = True) -> int:
        return self.keep(self.contents.allocate("npu", pages * PAGESIZE, writable=writable))

    def wrap(self, prot: int = PROT_RW, pages: int = 2, *, alone: bool = True) -> int:
        """A wrap; if `alone`, the dma-buf's own descriptor is closed."""
        dmabuf = self.contents.allocate("npu", pages * PAGESIZE)
        made = self.keep(self.process(999).wrap(dmabuf, prot))
        if alone:
            os.close(dmabuf)
        else:
            self.keep(dmabuf)
        return made

    def keep(self, fd: int) -> int:
        self._fds.append(fd)
        return fd

    def close(self) -> None:
        for pid in range(1, 10):
            self.driver.exit(pid)
        for fd in self._fds:
            os.close(fd)
        self._fds.clear()
        self.contents.collect()


@contextmanager
def refused(code: int) -> Iterator[None]:
    """The body must fail with this errno."""
    with pytest.raises(OSError) as caught:  # noqa: PT011 -- the errno is looked at below
        yield
    found = errorcode.get(caught.value.errno or 0, caught.value.errno)
    assert caught.value.errno == code, f"{found} instead of {errorcode[code]}: {caught.value}"


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def is_back_at(before: int) -> bool:
    """Whether as many descriptors are open as before, once garbage has been collected if need be."""
    if open_descriptors() != before:
        gc.collect()
    return open_descriptors() == before


def memory_file_mappings() -> int:
    return sum("/memfd:npubuf" in line for line in Path("/proc/self/maps").read_text().splitlines())


def weights(folder: Path, pages: int = 4, extra: int = 0) -> Path:
    """A file of pages of `A`, `B`, `C` and so on."""
    path = folder / f"weights-{pages}-{extra}"
    path.write_bytes(b"".join(bytes([65 + n % 26]) * PAGESIZE for n in range(pages)) + b"z" * extra)
    return path
