"""The NDK's client of the allocator: ANpuManager_allocAsync and ANpuBuffer.

Names are the NDK's in Python's spelling, errors are OSError with the NDK's errno. Callbacks run on any
thread, and never with a lock held, so they may call anything here.
"""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from mmap import PAGESIZE

from binder import BinderError, ParcelFileDescriptor, Status, StatusError, clear_calling_identity
from generated.android.npumanager import BnNpuAllocatorCallback, INpuAllocator, INpuManagerService

from .buffer_state import Action, Event, State, step
from .ndk_errors import errno_of
from .ndk_request import AllocRequest, Cookie, Segment, Wanted
from .wrapfd import View, Wrapfd, refusal

LoadCallback = Callable[[int, "Buffer"], None]
"""Hears an errno, 0 for success, and the buffer."""

_DEAD = errno_of(StatusError(Status.DEAD_OBJECT))

Call = Callable[[], None]


class Buffer:
    """An ANpuBuffer: memory that may be taken away. Free it in the end, even then."""

    def __init__(
        self, manager: NpuBufferManager, app_request_id: int, wanted: Wanted, cookie: Cookie
    ) -> None:
        self._manager = manager
        self.app_request_id = app_request_id
        self.wanted = wanted
        self.cookie = cookie
        self.state = State.ALLOCATING
        self.fd: ParcelFileDescriptor | None = None
        self.on_load: LoadCallback | None = None

    @contextmanager
    def map(self, prot: int | None = None, *, length: int | None = None, offset: int = 0) -> Iterator[View]:
        """Maps the memory during the body.

        Args:
            prot: a subset of the protection flags; all of them by default.
            length: in bytes; by default all that is left from `offset`, a multiple of the page size.

        Raises:
            OSError: ENOENT if it has been taken away, EBUSY while it is loaded, EACCES for more than the
                protection flags allow, EBADF once it is freed, and what the driver says.
        """
        prot = self.wanted.prot if prot is None else prot
        size = -(-self.wanted.size // PAGESIZE) * PAGESIZE
        fd = self._manager.fd_to_map(self, prot)
        with fd:
            mapping = self._manager.wrapfd.map(
                fd.fileno(), size - offset if length is None else length, prot, offset=offset
            )
        try:
            yield mapping.view
        finally:
            mapping.close()

    def load_async(self, segment: Segment, on_load: LoadCallback) -> None:
        """Has part of a file loaded; the result comes to `on_load`, as EINVAL where it cannot even begin."""
        self._manager.load(self, segment, on_load)

    def set_priority(self, priority: int) -> None:
        """From 0, the last to be taken away, to 1000. Raises OSError."""
        self._manager.set_priority(self, priority)

    def free(self) -> None:
        """Gives it back; it cannot be used any more, whatever is raised. Raises OSError."""
        self._manager.free(self)


class NpuBufferManager:
    """A process's client of the service's allocator, made when it is first needed.

    Args:
        service: the npu service.
        wrapfd: the process's way to the driver.
    """

    def __init__(self, service: INpuManagerService, wrapfd: Wrapfd) -> None:
        self.wrapfd = wrapfd
        self._service = service
        self._lock = threading.RLock()
        self._ids = count(1)
        self._buffers: dict[int, Buffer] = {}
        self._allocator: INpuAllocator | None = None

    # --- ANpuManager -------------------------------------------------------------------------------

    def alloc_async(self, batch: Sequence[AllocRequest]) -> None:
        """Asks for a buffer for each request, as the requests are now. Each result goes to its `on_alloc`.

        Raises:
            ValueError: a request has no `on_alloc`. Nothing was asked for.
        """
        if any(request.wanted.on_alloc is None for request in batch):
            raise ValueError("a request without onAlloc")
        with self._lock:
            buffers = [
                Buffer(self, next(self._ids), request.wanted, request.cookie.hold()) for request in batch
            ]
            self._buffers |= {buffer.app_request_id: buffer for buffer in buffers}
        try:
            requests = [buffer.wanted.to_parcelable(buffer.app_request_id) for buffer in buffers]
            self._connect().getBuffers(requests)
        except BinderError as error:
            for buffer in buffers:
                self._happen(buffer, Event.GOT_ERROR, code=errno_of(error))

    def is_supported(self, batch: Sequence[AllocRequest]) -> list[bool]:
        """Whether there is memory of such a kind, for each request. Its file is not sent. Raises OSError."""
        with _failures():
            return self._connect().isSupported(
                [request.wanted.to_parcelable(with_segment=False) for request in batch]
            )

    # --- ANpuBuffer --------------------------------------------------------------------------------

    def fd_to_map(self, buffer: Buffer, prot: int) -> ParcelFileDescriptor:
        """A copy of a buffer's descriptor, if it may be mapped so now."""
        with self._lock:
            if buffer.state in _CANNOT_MAP:
                raise refusal(*_CANNOT_MAP[buffer.state])
            if prot & ~buffer.wanted.prot:
                raise refusal(errno.EACCES, f"protection {prot:#x} is more than {buffer.wanted.prot:#x}")
            if buffer.fd is None:
                raise refusal(errno.EBADF, "there is no descriptor")
            return buffer.fd.copy()

    def load(self, buffer: Buffer, segment: Segment, on_load: LoadCallback) -> None:
        self._happen(buffer, Event.LOAD, segment=segment, on_load=on_load)

    def set_priority(self, buffer: Buffer, priority: int) -> None:
        with self._lock:
            if buffer.state is State.FREED:
                raise refusal(errno.EBADF, "the buffer is freed")
        with _failures():
            self._connect().setPriority(buffer.app_request_id, priority)

    def free(self, buffer: Buffer) -> None:
        if buffer.state is State.FREED:
            raise refusal(errno.EBADF, "the buffer is freed")
        self._happen(buffer, Event.FREE)

    # --- the service -------------------------------------------------------------------------------

    def _connect(self) -> INpuAllocator:
        with self._lock:
            if self._allocator is None:
                self._allocator = self._service.createAllocator(_Callback(self))
                self._allocator.as_binder().link_to_death(self._service_died)
            return self._allocator

    def _service_died(self) -> None:
        with self._lock:
            self._allocator = None
            buffers = list(self._buffers.values())
        for buffer in buffers:
            self._happen(buffer, Event.GOT_ERROR, code=_DEAD)
            self._happen(buffer, Event.LOADED, code=_DEAD)

    def heard(
        self, app_request_id: int, event: Event, *, code: int = 0, fd: ParcelFileDescriptor | None = None
    ) -> None:
        """The service says something of a buffer."""
        with self._lock:
            buffer = self._buffers.get(app_request_id)
        if buffer is not None:
            # The user's code runs in the user's name, not in that of the service that called.
            with clear_calling_identity():
                self._happen(buffer, event, code=code, fd=fd)
        elif fd is not None:
            fd.close()

    # --- the machine -------------------------------------------------------------------------------

    def _happen(
        self,
        buffer: Buffer,
        event: Event,
        *,
        code: int = 0,
        fd: ParcelFileDescriptor | None = None,
        segment: Segment | None = None,
        on_load: LoadCallback | None = None,
    ) -> None:
        """Takes a step, and then, without the lock, whatever calls it leads to."""
        calls: list[Call] = []
        with self._lock:
            buffer.state, actions = step(buffer.state, event)
            for action in actions:
                match action:
                    case Action.TELL_ALLOC:
                        buffer.fd = fd
                        calls.append(self._tell_alloc(buffer, 0, buffer))
                    case Action.TELL_ALLOC_ERROR:
                        calls.append(self._tell_alloc(buffer, code, None))
                    case Action.TELL_ALLOC_CANCELED:
                        calls.append(self._tell_alloc(buffer, errno.ECANCELED, None))
                    case Action.TELL_LOAD | Action.TELL_LOAD_CANCELED:
                        told = code if action is Action.TELL_LOAD else errno.ECANCELED
                        calls += _load_calls(buffer, buffer.on_load, told)
                        buffer.on_load = None
                    case Action.TELL_LOAD_INVALID:
                        calls += _load_calls(buffer, on_load, errno.EINVAL)
                    case Action.TELL_PREEMPT:
                        calls += self._tell_preempt(buffer)
                    case Action.ASK_LOAD:
                        buffer.on_load = on_load
                        calls.append(partial(self._ask_load, buffer, segment))
                    case Action.CLOSE_NEW_FD if fd is not None:
                        fd.close()
                    case Action.FORGET:
                        calls.append(partial(self._forget, buffer))
                    case Action.GIVE_BACK:
                        calls.append(partial(self._give_back, buffer))
        _make(calls)

    @staticmethod
    def _tell_alloc(buffer: Buffer, code: int, given: Buffer | None) -> Call:
        if buffer.wanted.on_alloc is None:
            raise ValueError("a buffer without onAlloc")
        return partial(buffer.wanted.on_alloc, code, given, buffer.cookie.value)

    @staticmethod
    def _tell_preempt(buffer: Buffer) -> list[Call]:
        if buffer.wanted.on_preempt is None:
            return []
        known = None if buffer.fd is None else buffer
        return [partial(buffer.wanted.on_preempt, known, buffer.cookie.value)]

    def _ask_load(self, buffer: Buffer, segment: Segment | None) -> None:
        if segment is None:
            raise ValueError("a load without a segment")
        try:
            self._connect().loadFileSegmentToBuffer(buffer.app_request_id, segment.to_parcelable())
        except BinderError as error:
            self._happen(buffer, Event.LOADED, code=errno_of(error))

    def _forget(self, buffer: Buffer) -> None:
        with self._lock:
            self._buffers.pop(buffer.app_request_id, None)
            fd, buffer.fd = buffer.fd, None
        if fd is not None:
            fd.close()
        buffer.cookie.drop()

    def _give_back(self, buffer: Buffer) -> None:
        with _failures():
            self._connect().putBuffers([buffer.app_request_id])


_CANNOT_MAP = {
    State.ALLOCATING: (errno.EBUSY, "the buffer is not allocated yet"),
    State.LOADING: (errno.EBUSY, "the buffer is being loaded"),
    State.GONE: (errno.ENOENT, "the memory has been taken away"),
    State.FREED: (errno.EBADF, "the buffer is freed"),
}


def _load_calls(buffer: Buffer, on_load: LoadCallback | None, code: int) -> list[Call]:
    return [] if on_load is None else [partial(on_load, code, buffer)]


def _make(calls: Sequence[Call]) -> None:
    """Makes all calls, even if one of them, which is the user's, raises something; that is raised then."""
    failure: Exception | None = None
    for call in calls:
        try:
            call()
        except Exception as error:
            failure = failure or error
    if failure is not None:
        raise failure


@contextmanager
def _failures() -> Iterator[None]:
    """A call that fails becomes an OSError."""
    try:
        yield
    except BinderError as error:
        raise refusal(errno_of(error), str(error)) from error


class _Callback(BnNpuAllocatorCallback):
    """Hears the service."""

    def __init__(self, manager: NpuBufferManager) -> None:
        self._manager = manager

    def onGetBuffer(
        self, appReqId: int, bufFd: ParcelFileDescriptor | None, errno: int, errMsg: str | None
    ) -> None:
        if errno == 0 and bufFd is not None:
            self._manager.heard(appReqId, Event.GOT_FD, fd=bufFd)
            return
        if bufFd is not None:
            bufFd.close()
        self._manager.heard(appReqId, Event.GOT_ERROR, code=errno or _NO_BUFFER)

    def onLoad(self, appReqId: int, errno: int, errMsg: str | None) -> None:
        self._manager.heard(appReqId, Event.LOADED, code=errno)

    def onNotifyPreempted(self, appReqId: int) -> None:
        self._manager.heard(appReqId, Event.PREEMPTED)


_NO_BUFFER = errno.ENOSYS
"""What an answer without an errno and without a descriptor counts as."""
