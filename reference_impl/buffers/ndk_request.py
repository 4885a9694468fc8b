"""ANpuManager_AllocRequest: what a native runtime says of a buffer it wants."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from mmap import PROT_READ
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from binder import ParcelFileDescriptor
from generated.android.npumanager import BufferType, FileSegment, NpuBufferGetRequest

from .wrapfd import PROT_RW, refusal

if TYPE_CHECKING:
    from .ndk import Buffer

AllocCallback = Callable[[int, "Buffer | None", Any], None]
"""Hears an errno, 0 for success; the buffer, or None; the cookie."""

PreemptCallback = Callable[["Buffer | None", Any], None]
"""Hears the buffer, None if it had not been allocated yet; the cookie."""


class Cookie:
    """A value of the user's, and who still needs it. Its deleter runs once, when nobody does any more."""

    def __init__(self, value: Any = None, deleter: Callable[[Any], None] | None = None) -> None:
        self.value = value
        self._deleter = deleter
        self._holders = 1
        self._lock = threading.Lock()

    def hold(self) -> Self:
        """One more needs it."""
        with self._lock:
            self._holders += 1
        return self

    def drop(self) -> None:
        """One needs it no more."""
        with self._lock:
            self._holders -= 1
            last = self._holders == 0
        if last and self._deleter is not None:
            self._deleter(self.value)


@dataclass(frozen=True, slots=True)
class Segment:
    """Part of a file. The descriptor stays its owner's; offsets and length are in bytes."""

    fd: int
    file_offset: int
    length: int
    buffer_offset: int = 0

    def to_parcelable(self) -> FileSegment:
        """The segment as it travels, with the descriptor only lent."""
        lent = ParcelFileDescriptor(self.fd, owned=False)
        return FileSegment(
            fileFd=lent,
            fileOffset=self.file_offset,
            segmentLength=self.length,
            bufferOffset=self.buffer_offset,
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request's values at one moment. The defaults are the NDK's; number and type have to be chosen."""

    device_number: int = -1
    buffer_type: BufferType = BufferType.UNKNOWN
    size: int = 0
    priority: int = NpuBufferGetRequest.BUFFER_PRIORITY_DEFAULT
    prot: int = PROT_READ
    segment: Segment | None = None
    on_alloc: AllocCallback | None = None
    on_preempt: PreemptCallback | None = None

    def to_parcelable(self, app_request_id: int = 0, *, with_segment: bool = True) -> NpuBufferGetRequest:
        """The request as it travels."""
        segment = self.segment if with_segment else None
        return NpuBufferGetRequest(
            appReqId=app_request_id,
            deviceNumber=self.device_number,
            bufferType=self.buffer_type,
            size=self.size,
            bufferPriority=self.priority,
            protectionFlags=self.prot,
            fileSegmentToLoad=None if segment is None else segment.to_parcelable(),
        )


class AllocRequest:
    """A request that can be used, and changed, any number of times. Close it, or use it with `with`.

    Setters raise OSError(EINVAL) for values that no buffer can have.
    """

    def __init__(self) -> None:
        self.wanted = Wanted()
        self.cookie = Cookie()
        self._closed = False

    def set_device_number(self, number: int) -> Self:
        """Which NPU, counted as its vendor does, from 0."""
        return self._set(number >= 0, f"device number {number}", device_number=number)

    def set_buffer_type(self, kind: int) -> Self:
        """What it will hold, one of `BufferType` but not UNKNOWN."""
        known = kind in BufferType.__members__.values() and kind != BufferType.UNKNOWN
        return self._set(known, f"buffer type {int(kind)}", buffer_type=BufferType(kind))

    def set_size(self, size: int) -> Self:
        """In bytes, more than 0."""
        return self._set(size > 0, f"a size of {size}", size=size)

    def set_buffer_priority(self, priority: int) -> Self:
        """From 0, the last to be taken away, to 1000."""
        return self._set(0 <= priority <= 1000, f"buffer priority {priority}", priority=priority)

    def set_protection_flags(self, prot: int) -> Self:
        """How it may be mapped: PROT_READ, PROT_WRITE, both or none. Fixed once it is allocated."""
        return self._set(prot & ~PROT_RW == 0, f"protection flags {prot:#x}", prot=prot)

    def set_file_segment_to_load(
        self, fd: int, file_offset: int, length: int, buffer_offset: int = 0
    ) -> Self:
        """What is loaded into it at once. `fd` must stay open until `alloc_async` has returned."""
        good = fd >= 0 and min(file_offset, length, buffer_offset) >= 0
        segment = Segment(fd, file_offset, length, buffer_offset)
        return self._set(good, f"a segment {segment}", segment=segment)

    def set_on_alloc(self, callback: AllocCallback) -> Self:
        """Who hears the result. Raises TypeError for None: without it nobody would get the buffer."""
        if not callable(callback):
            raise TypeError("onAlloc must be a function")
        return self._set(True, "", on_alloc=callback)

    def set_on_preempt(self, callback: PreemptCallback | None) -> Self:
        """Who hears that the memory has been taken away."""
        return self._set(True, "", on_preempt=callback)

    def set_cookie(self, value: Any, deleter: Callable[[Any], None] | None = None) -> Self:
        """A value that callbacks get. `deleter` runs once, when neither request nor buffers need it."""
        before, self.cookie = self.cookie, Cookie(value, deleter)
        before.drop()
        return self

    def close(self) -> None:
        """The request is not needed any more; its buffers live on. Twice is fine."""
        if not self._closed:
            self._closed = True
            self.cookie.drop()

    def _set(self, good: bool, what: str, **change: Any) -> Self:
        if not good:
            raise refusal(errno.EINVAL, f"{what} is not possible")
        self.wanted = replace(self.wanted, **change)
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # One whose __init__ was called wrongly has nothing.
        if hasattr(self, "_closed"):
            self.close()
