"""What a process on the reference device can do with buffers, and the descriptors it has open.

Processes are pretended and share one table of descriptors, so each remembers its own, and closes them when it
ends.
"""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

from generated.android.npumanager import INpuManagerService

from .memory import MemoryFiles, MemoryUnavailable, reads_directly
from .ndk import Buffer, LoadCallback, NpuBufferManager
from .ndk_request import AllocCallback, AllocRequest, PreemptCallback, Segment
from .provision import Provision
from .wrapfd import Mapping as WrapMapping
from .wrapfd import Wrapfd, refusal


@contextmanager
def no_more_descriptors() -> Iterator[None]:
    """In the body this process can open no descriptor."""
    lowest = os.dup(0)
    os.close(lowest)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


class NoDirectFiles(Exception):
    """No folder on this machine has files that can be read directly."""


Numbers = tuple[int, int, int, int]
"""A segment: descriptor, file offset, length, offset in the buffer."""


class NdkClient:
    """The NDK's client, with a request made in one call."""

    def __init__(self, manager: NpuBufferManager) -> None:
        self._manager = manager

    def request(
        self,
        *,
        size: int,
        prot: int,
        device: int,
        buffer_type: int,
        priority: int,
        segment: Numbers | None,
        on_alloc: AllocCallback,
        on_preempt: PreemptCallback,
        cookie: object = None,
        deleter: Callable[[object], None] | None = None,
    ) -> AllocRequest:
        request = AllocRequest().set_device_number(device).set_buffer_type(buffer_type).set_size(size)
        request.set_protection_flags(prot).set_buffer_priority(priority)
        if segment is not None:
            request.set_file_segment_to_load(*segment)
        return request.set_on_alloc(on_alloc).set_on_preempt(on_preempt).set_cookie(cookie, deleter)

    def alloc_async(self, batch: Sequence[AllocRequest]) -> None:
        self._manager.alloc_async(batch)

    def is_supported(self, batch: Sequence[AllocRequest]) -> list[bool]:
        return self._manager.is_supported(batch)

    def load_async(self, buffer: Buffer, segment: Numbers, on_load: LoadCallback) -> None:
        buffer.load_async(Segment(*segment), on_load)


class ProcessMemory:
    """One process's side.

    Args:
        provision: what buffers are made of.
        pid: the process's.
        service: the npu service as the process sees it.
    """

    def __init__(self, provision: Provision, pid: int, service: Callable[[], INpuManagerService]) -> None:
        self._provision = provision
        self.driver: Wrapfd = provision.wrapfd(pid)
        self._service = service
        self._ndk: NdkClient | None = None
        self._fds: set[int] = set()

    @property
    def ndk(self) -> NdkClient:
        """The NDK's client, made when it is first needed."""
        if self._ndk is None:
            self._ndk = NdkClient(NpuBufferManager(self._service(), self.driver))
        return self._ndk

    # --- descriptors -------------------------------------------------------------------------------

    def keep(self, fd: int) -> int:
        """A descriptor is the process's own from now on."""
        self._fds.add(fd)
        return fd

    def receive(self, fd: int, giver: ProcessMemory) -> int:
        """A copy of another process's descriptor, as binder or a socket would bring it."""
        return self.keep(os.dup(fd))

    def close(self, fd: int) -> None:
        """Closes one of its descriptors."""
        self._fds.discard(fd)
        os.close(fd)
        self.driver.port.collect()

    def end(self) -> None:
        """The process has ended."""
        for fd in list(self._fds):
            self.close(fd)

    def without_descriptors(self) -> AbstractContextManager[None]:
        """During the body the process can open nothing more."""
        return no_more_descriptors()

    # --- what it opens -----------------------------------------------------------------------------

    def dmabuf(self, size: int) -> int:
        """A dma-buf of the first heap there is."""
        config = self._provision.config
        heaps = [] if config is None else config.names()
        if not heaps:
            raise refusal(2, "no heap is configured")
        return self.keep(self._provision.heaps.allocate(heaps[0], size, b"scenario"))

    def file(self, content: bytes) -> int:
        """A file, open for reading, in a folder whose files can be read directly. It has no name any more."""
        with tempfile.NamedTemporaryFile(dir=direct_folder(), prefix="npukit-") as file:
            file.write(content)
            file.flush()
            return self.keep(os.open(file.name, os.O_RDONLY))

    def special(self, kind: str) -> int:
        """A descriptor of a kind that is no file to be loaded; see `SPECIAL`."""
        return self.keep(SPECIAL[kind]())

    def read(self, fd: int, length: int) -> bytes:
        """What a descriptor yields to somebody who does not ask the driver, b"" if nothing."""
        try:
            return os.pread(fd, length, 0)
        except OSError:
            return b""

    def map(self, fd: int, length: int, prot: int, *, shared: bool = True, offset: int = 0) -> WrapMapping:
        """Maps a wrap."""
        return self.driver.map(fd, length, prot, shared=shared, offset=offset)


def _write_only() -> int:
    with tempfile.NamedTemporaryFile(dir=direct_folder(), prefix="npukit-") as file:
        file.write(bytes(8192))
        file.flush()
        return os.open(file.name, os.O_WRONLY)


def _pipe() -> int:
    reading, writing = os.pipe()
    os.close(writing)
    return reading


SPECIAL: Mapping[str, Callable[[], int]] = {
    "path": lambda: os.open("/", os.O_PATH),
    "write-only": _write_only,
    "directory": lambda: os.open("/", os.O_RDONLY),
    "pipe": _pipe,
    "zero": lambda: os.open("/dev/zero", os.O_RDONLY),
    "proc": lambda: os.open("/proc/self/status", os.O_RDONLY),
    "memfd": lambda: os.memfd_create("npukit-scenario"),
}
"""Descriptors that cannot be loaded, by kind."""


def direct_folder() -> str:
    """A folder whose files can be read directly, which those of an old tmpfs cannot.

    Raises:
        NoDirectFiles: none was found.
    """
    for folder in (tempfile.gettempdir(), "/var/tmp", str(Path.home()), "."):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                if reads_directly(file.fileno()):
                    return folder
        except OSError:
            continue
    raise NoDirectFiles("no folder here has files that can be read directly (O_DIRECT); set TMPDIR to one")


@cache
def why_no_buffers() -> str:
    """What this machine lacks for stand-in buffers, "" if nothing."""
    try:
        MemoryFiles().check()
        direct_folder()
    except (MemoryUnavailable, NoDirectFiles) as lack:
        return str(lack)
    return ""
