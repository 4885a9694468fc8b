"""The words of scenarios for the NDK: a native runtime and its buffers."""

from __future__ import annotations

from collections.abc import Callable
from mmap import PAGESIZE, PROT_READ
from typing import TYPE_CHECKING, Any, Self

from .backend import ScenarioFailure
from .memory import NdkBuffer
from .news import PROT_RW, WEIGHTS, News, name_of

if TYPE_CHECKING:
    from .vocabulary import App


class NativeBuffer:
    """A buffer that an app has asked the NDK for."""

    def __init__(self, runtime: Runtime, title: str) -> None:
        self._runtime = runtime
        self.news = News(runtime.app, title)
        self._buffer: NdkBuffer | None = None

    @property
    def buffer(self) -> NdkBuffer:
        """The NDK's. Raises `ScenarioFailure` while there is none."""
        if self._buffer is None:
            raise ScenarioFailure(f"{self.news} has not been allocated")
        return self._buffer

    def on_alloc(self, code: int, buffer: NdkBuffer | None, cookie: object) -> None:
        self._buffer = buffer
        self.news.hear(f"onAlloc({name_of(code)})")

    def on_preempt(self, buffer: NdkBuffer | None, cookie: object) -> None:
        self.news.hear("onPreempt()")

    def on_load(self, code: int, buffer: NdkBuffer) -> None:
        self.news.hear(f"onLoad({name_of(code)})")

    def expect(self, *news: str) -> Self:
        self.news.expect(*news)
        return self

    def expect_nothing(self) -> Self:
        self.news.expect_nothing()
        return self

    def load(self, file: int, *, file_offset: int = 0, offset: int = 0, length: int = PAGESIZE) -> Self:
        segment = (file, file_offset, length, offset)
        self._runtime.app.memory.ndk.load_async(self.buffer, segment, self.on_load)
        return self

    def reads(self, length: int = 2) -> bytes:
        with self.buffer.map(PROT_READ) as view:
            return bytes(view[:length])

    def writes(self, data: bytes) -> None:
        with self.buffer.map(PROT_RW) as view:
            view[: len(data)] = data

    def free(self) -> Self:
        self.buffer.free()
        return self


class Runtime:
    """A native runtime in an app: the NDK's client. Needs "buffers"."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._count = 0

    def ask(self, **wish: Any) -> NativeBuffer:
        """Asks for one buffer; see `ask_all`."""
        return self.ask_all(wish)[0]

    def ask_all(self, *wishes: dict[str, Any]) -> list[NativeBuffer]:
        """Asks for several at once; what can be wished for are the keywords of `_request`."""
        asked = []
        requests = []
        for wish in wishes:
            self._count += 1
            native = NativeBuffer(self, f"{self.app.label}'s native buffer {self._count}")
            asked.append(native)
            requests.append(self._request(native, **wish))
        ndk = self.app.memory.ndk
        ndk.alloc_async(requests)
        return asked

    def hold(self, **wish: Any) -> NativeBuffer:
        """Asks for one and gets it."""
        return self.ask(**wish).expect("onAlloc(OK)")

    def are_supported(self, *wishes: dict[str, Any]) -> list[bool]:
        nobody = NativeBuffer(self, f"{self.app.label}'s question")
        return self.app.memory.ndk.is_supported([self._request(nobody, **wish) for wish in wishes])

    def _request(
        self,
        native: NativeBuffer,
        *,
        pages: float = 1,
        prot: int = PROT_RW,
        device: int = 0,
        kind: int = WEIGHTS,
        priority: int = 500,
        segment: tuple[int, int, int, int] | None = None,
        cookie: object = None,
        deleter: Callable[[object], None] | None = None,
    ) -> object:
        return self.app.memory.ndk.request(
            size=int(pages * PAGESIZE),
            prot=prot,
            device=device,
            buffer_type=kind,
            priority=priority,
            segment=segment,
            on_alloc=native.on_alloc,
            on_preempt=native.on_preempt,
            cookie=cookie,
            deleter=deleter,
        )
