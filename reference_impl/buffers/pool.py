"""The buffers of all clients: allocated, wrapped, loaded, and taken away again when memory is short."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from mmap import PROT_READ, PROT_WRITE

from generated.android.npumanager import FileSegment, NpuBufferGetRequest

from .areas import whole_pages
from .dmabuf import buffer_name
from .preemption import Importance, in_order
from .provision import Provision
from .wrapfd import Wrapfd, refusal

MOST_EAGERLY_KEPT, LEAST_EAGERLY_KEPT = 0, 1000
"""The range of buffer priorities."""


@dataclass(eq=False, slots=True)
class Buffer:
    """One buffer of a client, from the request on.

    Attributes:
        preempted: called when it has been taken away, without a lock held.
        age: grows from buffer to buffer.
        fd: its wrap, None until it is allocated.
        loading: whether a load is going on, which nothing may disturb.
        gone: whether it has been taken away.
        freed: whether its client has given it back.
    """

    client_pid: int
    uid: int
    app_request_id: int
    priority: int
    preempted: Callable[[], None]
    age: int = 0
    heap: str = ""
    size: int = 0
    fd: int | None = None
    loading: bool = False
    gone: bool = False
    freed: bool = False

    @property
    def state(self) -> str:
        """For people."""
        if self.gone:
            return "preempted"
        if self.fd is None:
            return "allocating"
        return "loading" if self.loading else "allocated"


class BufferPool:
    """What the service has handed out.

    Args:
        provision: driver, heaps and configuration.
        pid: the service's process.
        priority_of: the priority of a uid, 0, the most important, to 1000.
    """

    def __init__(self, provision: Provision, pid: int, priority_of: Callable[[int], int]) -> None:
        self.lock = threading.RLock()
        self.provision = provision
        self._wrapfd: Wrapfd = provision.wrapfd(pid)
        self._priority_of = priority_of
        self._ages = count()
        self._buffers: list[Buffer] = []

    @property
    def driver_name(self) -> str:
        return self._wrapfd.port.name

    def buffers(self) -> list[Buffer]:
        """All of them, the oldest first."""
        with self.lock:
            return list(self._buffers)

    def heap_for(self, request: NpuBufferGetRequest) -> str | None:
        """The heap that serves a request, None if none does."""
        config = self.provision.config
        return None if config is None else config.heap_for(request.deviceNumber, request.bufferType)

    # --- allocation --------------------------------------------------------------------------------

    def allocate(self, buffer: Buffer, request: NpuBufferGetRequest) -> int:
        """Makes a buffer as it was requested. Returns a copy of its wrap's descriptor, the caller's to close.

        Raises:
            OSError: why not. Nothing is left of it.
        """
        heap = self.heap_for(request)
        if heap is None:
            kind = f"type {request.bufferType!r} for device {request.deviceNumber}"
            raise refusal(errno.ENOSYS, f"no heap serves buffers of {kind}")
        segment = request.fileSegmentToLoad
        if segment is not None and min(_numbers(segment)) < 0:
            raise refusal(errno.EINVAL, "a negative offset or length")
        check_priority(request.bufferPriority)
        dmabuf = self._allocate(buffer, heap, request.size)
        try:
            wrap = self._wrap(dmabuf, request.protectionFlags, segment)
        finally:
            os.close(dmabuf)
            # Now only the wrap holds the memory, which the stand-in can guard accordingly.
            self._wrapfd.port.collect()
        return self._keep(buffer, heap, request.size, wrap)

    def _keep(self, buffer: Buffer, heap: str, size: int, wrap: int) -> int:
        with self.lock:
            try:
                if buffer.freed:
                    raise refusal(errno.ECANCELED, "the buffer was given back before it was there")
                copy = os.dup(wrap)
            except OSError:
                os.close(wrap)
                self._wrapfd.port.collect()
                raise
            buffer.heap, buffer.size, buffer.fd = heap, whole_pages(size), wrap
            buffer.age = next(self._ages)
            self._buffers.append(buffer)
        return copy

    def _wrap(self, dmabuf: int, prot: int, segment: FileSegment | None) -> int:
        """Wraps a new dma-buf, with what is to be loaded in it."""
        if segment is None:
            return self._wrapfd.wrap(dmabuf, prot)
        # A read-only wrap cannot be loaded, so it becomes read-only when it has been.
        for_good = bool(prot & PROT_WRITE)
        wrap = self._wrapfd.wrap(dmabuf, prot if for_good else prot | PROT_READ | PROT_WRITE)
        try:
            with self._wrapfd.owning(wrap):
                self._load(wrap, segment)
                final = wrap if for_good else self._wrapfd.rewrap(wrap, prot)
        except OSError:
            os.close(wrap)
            raise
        if final != wrap:
            os.close(wrap)
        return final

    def _load(self, wrap: int, segment: FileSegment) -> None:
        file_offset, length, offset = _numbers(segment)
        self._wrapfd.load(wrap, segment.fileFd.fileno(), file_offset, offset, length)

    def _allocate(self, buffer: Buffer, heap: str, size: int) -> int:
        """Memory of a heap; that of less important buffers if there is no other."""
        name = buffer_name(buffer.client_pid, buffer.app_request_id)
        heaps = self.provision.heaps
        taken: list[Buffer] = []
        try:
            with self.lock:
                try:
                    return heaps.allocate(heap, size, name)
                except OSError as error:
                    if error.errno != errno.ENOMEM:
                        raise
                    taken = self._preempt(buffer, heap, heaps.shortage(heap, size))
                    if not taken:
                        raise
                return heaps.allocate(heap, size, name)
        finally:
            for victim in taken:
                victim.preempted()

    def _preempt(self, wanted: Buffer, heap: str, shortage: int) -> list[Buffer]:
        """Takes as many buffers away as it takes to free so many bytes, or none if that is not enough."""
        with self.lock:
            held = [
                (self._importance(buffer), buffer.age, buffer)
                for buffer in self._buffers
                if buffer.heap == heap and not (buffer.gone or buffer.loading or buffer.fd is None)
            ]
            chosen: list[Buffer] = []
            for buffer in in_order(self._importance(wanted), held):
                if sum(victim.size for victim in chosen) >= shortage:
                    break
                # Whoever has it mapped or owns it cannot be made to give it up.
                if self._try_to_own(buffer):
                    chosen.append(buffer)
            enough = sum(victim.size for victim in chosen) >= shortage
            for buffer in chosen:
                self._let_go(buffer, emptied=enough)
            return [buffer for buffer in chosen if buffer.gone]

    def _let_go(self, buffer: Buffer, *, emptied: bool) -> None:
        """Ends the ownership. Owned, an empty buffer would say that it is busy, not that it is gone."""
        fd = _fd_of(buffer)
        try:
            if emptied:
                self._wrapfd.empty(fd)
                buffer.gone = True
        finally:
            self._wrapfd.release(fd)

    def _importance(self, buffer: Buffer) -> Importance:
        return Importance(self._priority_of(buffer.uid), buffer.priority)

    def _try_to_own(self, buffer: Buffer) -> bool:
        try:
            self._wrapfd.acquire(_fd_of(buffer))
        except OSError:
            return False
        return True

    # --- afterwards --------------------------------------------------------------------------------

    @contextmanager
    def loading(self, buffer: Buffer) -> Iterator[Callable[[FileSegment], None]]:
        """Gives what fills the buffer, which stays there during the body even if it is given back."""
        with self.lock:
            copy = os.dup(_fd_of(buffer))

        def fill(segment: FileSegment) -> None:
            if min(_numbers(segment)) < 0:
                raise refusal(errno.EINVAL, "a negative offset or length")
            with self._wrapfd.owning(copy):
                self._load(copy, segment)

        try:
            yield fill
        finally:
            os.close(copy)

    def free(self, buffer: Buffer) -> None:
        """Gives a buffer's memory back, as soon as its client has closed it, too."""
        with self.lock:
            buffer.freed = True
            if buffer in self._buffers:
                self._buffers.remove(buffer)
            if buffer.fd is not None:
                os.close(buffer.fd)
                buffer.fd = None
        self._wrapfd.port.collect()

    def close(self) -> None:
        """The service's process has died: its descriptors are closed."""
        for buffer in self.buffers():
            self.free(buffer)


def check_priority(priority: int) -> None:
    """Raises OSError(EINVAL) for what is no buffer priority."""
    if not MOST_EAGERLY_KEPT <= priority <= LEAST_EAGERLY_KEPT:
        raise refusal(errno.EINVAL, f"a buffer priority is from 0 to 1000, not {priority}")


def _numbers(segment: FileSegment) -> tuple[int, int, int]:
    return segment.fileOffset, segment.segmentLength, segment.bufferOffset


def _fd_of(buffer: Buffer) -> int:
    if buffer.fd is None:
        raise refusal(errno.EINVAL, "the buffer is not allocated yet")
    return buffer.fd
