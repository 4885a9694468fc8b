"""The words of scenarios for buffers: the allocator as a client sees it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from mmap import PAGESIZE
from typing import TYPE_CHECKING, Any, Self

from binder import ParcelFileDescriptor
from generated.android.npumanager import (
    BnNpuAllocatorCallback,
    BufferType,
    FileSegment,
    INpuAllocator,
    NpuBufferGetRequest,
)

from .backend import ScenarioFailure
from .news import OK, PROT_RW, WEIGHTS, News, name_of
from .wrapfd import Wrap

if TYPE_CHECKING:
    from .vocabulary import App


class Held:
    """A buffer that an app has asked its allocator for."""

    def __init__(self, buffers: Buffers, request: NpuBufferGetRequest) -> None:
        self._buffers = buffers
        self.request = request
        self.news = News(buffers.app, f"{buffers.app.label}'s buffer {request.appReqId}", request.appReqId)
        self._fd: ParcelFileDescriptor | None = None
        self.answered = False
        self.was_given = False

    @property
    def id(self) -> int:
        return self.request.appReqId

    @property
    def wrap(self) -> Wrap:
        """Its wrap. Raises `ScenarioFailure` while there is none."""
        if self._fd is None:
            raise ScenarioFailure(f"{self.news} has no descriptor")
        return Wrap(self._buffers.app, self._fd.fileno())

    def hear_buffer(self, fd: ParcelFileDescriptor | None, code: int, message: str | None) -> None:
        self.answered = True
        if fd is not None and code == 0:
            self._fd, self.was_given = fd, True
        elif fd is not None:
            fd.close()
        if (fd is None) != (code != 0):
            self.news.hear(f"onGetBuffer({'a descriptor' if fd else 'none'}, {name_of(code)})")
            return
        self.news.hear(f"onGetBuffer({name_of(code)})")

    def expect_buffer(self, code: int = OK) -> Self:
        """The answer to the request."""
        self.news.expect(f"onGetBuffer({name_of(code)})")
        return self

    def load(self, file: int, *, file_offset: int = 0, offset: int = 0, length: int = PAGESIZE) -> Self:
        with self._buffers.segment((file, file_offset, length, offset)) as segment:
            self._buffers.allocator.loadFileSegmentToBuffer(self.id, segment)
        return self

    def expect_load(self, code: int = OK) -> Self:
        self.news.expect(f"onLoad({name_of(code)})")
        return self

    def expect_preempted(self) -> Self:
        self.news.expect("onNotifyPreempted()")
        return self

    def expect_nothing(self) -> Self:
        self.news.expect_nothing()
        return self

    def set_priority(self, priority: int) -> Self:
        self._buffers.allocator.setPriority(self.id, priority)
        return self

    def put(self) -> Self:
        """Gives it back; its descriptor stays open."""
        self._buffers.allocator.putBuffers([self.id])
        return self

    def close(self) -> Self:
        """Closes its descriptor."""
        if self._fd is not None:
            self._fd.close()
            self._fd = None
        return self


class Buffers:
    """An app's allocator, made when it is first used. Needs "buffers"."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._asked: dict[int, list[Held]] = {}
        self._allocator: INpuAllocator | None = None
        self._next = 1

    @property
    def allocator(self) -> INpuAllocator:
        if self._allocator is None:
            self._allocator = self.app.service.createAllocator(_Callback(self))
        return self._allocator

    def request(
        self,
        *,
        pages: float = 1,
        prot: int = PROT_RW,
        device: int = 0,
        kind: int = WEIGHTS,
        priority: int = 500,
        id: int | None = None,
    ) -> NpuBufferGetRequest:
        """A request as it travels; its id is the app's next one, counted from 1."""
        if id is None:
            id, self._next = self._next, self._next + 1
        return NpuBufferGetRequest(
            appReqId=id,
            deviceNumber=device,
            bufferType=BufferType(kind),
            size=int(pages * PAGESIZE),
            bufferPriority=priority,
            protectionFlags=prot,
        )

    def ask(self, *, segment: tuple[int, int, int, int] | None = None, **wish: Any) -> Held:
        """Asks for one buffer; `segment` is descriptor, file offset, length, offset in the buffer."""
        held = Held(self, self.request(**wish))
        with self.segment(segment) as loaded:
            held.request.fileSegmentToLoad = loaded
            self._remember(held)
            self.allocator.getBuffers([held.request])
        held.request.fileSegmentToLoad = None
        return held

    def ask_all(self, *requests: NpuBufferGetRequest) -> list[Held]:
        """Asks for several in one call."""
        held = [Held(self, request) for request in requests]
        for buffer in held:
            self._remember(buffer)
        self.allocator.getBuffers(list(requests))
        return held

    def hold(self, **wish: Any) -> Held:
        """Asks for one and gets it."""
        return self.ask(**wish).expect_buffer()

    def are_supported(self, *requests: NpuBufferGetRequest) -> list[bool]:
        return self.allocator.isSupported(list(requests))

    def put(self, *ids: int) -> None:
        self.allocator.putBuffers(list(ids))

    @contextmanager
    def segment(self, numbers: tuple[int, int, int, int] | None) -> Iterator[Any]:
        """A segment as it travels, its descriptor lent during the body."""
        if numbers is None:
            yield None
            return
        fd, file_offset, length, offset = numbers
        lent = ParcelFileDescriptor(fd, owned=False)
        yield FileSegment(fileFd=lent, fileOffset=file_offset, segmentLength=length, bufferOffset=offset)

    def _remember(self, held: Held) -> None:
        self._asked.setdefault(held.id, []).append(held)

    def awaiting(self, app_request_id: int, code: int) -> Held:
        """Whom an answer is for: a refusal for the latest request with the id, a buffer for the first."""
        known = [held for held in self._asked.get(app_request_id, ()) if not held.answered]
        return self._known(known[-1:] if code else known[:1], app_request_id)

    def about(self, app_request_id: int) -> Held:
        """Whom other news are about: the latest that got a buffer."""
        known = self._asked.get(app_request_id, [])
        return self._known([held for held in known if held.was_given] or known, app_request_id)

    def _known(self, found: list[Held], app_request_id: int) -> Held:
        if not found:
            raise ScenarioFailure(f"{self.app.label} hears of a buffer {app_request_id} it does not know")
        return found[-1]


class _Callback(BnNpuAllocatorCallback):
    """Hears for all buffers of an app."""

    def __init__(self, buffers: Buffers) -> None:
        self._buffers = buffers

    def onGetBuffer(
        self, appReqId: int, bufFd: ParcelFileDescriptor | None, errno: int, errMsg: str | None
    ) -> None:
        self._buffers.awaiting(appReqId, errno).hear_buffer(bufFd, errno, errMsg)

    def onLoad(self, appReqId: int, errno: int, errMsg: str | None) -> None:
        self._buffers.about(appReqId).news.hear(f"onLoad({name_of(errno)})")

    def onNotifyPreempted(self, appReqId: int) -> None:
        self._buffers.about(appReqId).news.hear("onNotifyPreempted()")
