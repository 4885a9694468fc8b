"""What scenarios about buffers have in common: errnos by name, refusals, files, and news of a buffer."""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from errno import errorcode
from mmap import PAGESIZE, PROT_READ, PROT_WRITE
from typing import TYPE_CHECKING

from generated.android.npumanager import BufferType

from .backend import NewsAbout, ScenarioFailure

if TYPE_CHECKING:
    from .vocabulary import App

PROT_NONE = 0
PROT_RW = PROT_READ | PROT_WRITE
OK = 0
EMPTY, RDONLY, RDWR = 0, 1, 2
STATE_NAMES = {EMPTY: "EMPTY", RDONLY: "RDONLY", RDWR: "RDWR"}
WEIGHTS = BufferType.MODEL_WEIGHTS


def name_of(code: int) -> str:
    """What an errno is called; OK for 0."""
    return errorcode.get(code, f"errno {code}") if code else "OK"


@contextmanager
def refused(code: int, what: str = "the call") -> Iterator[None]:
    """The body must fail with this errno."""
    try:
        yield
    except OSError as error:
        if error.errno != code:
            found = f"{name_of(error.errno or 0)} ({error.strerror})"
            raise ScenarioFailure(f"{what} should be refused with {name_of(code)}, not {found}") from error
    else:
        raise ScenarioFailure(f"{what} should be refused with {name_of(code)}, but succeeded")


def pages(text: str) -> bytes:
    """A file's content: a page of each letter."""
    return b"".join(letter.encode() * PAGESIZE for letter in text)


# Descriptors that cannot be loaded, for `ProcessMemory.special`, and the errno for trying.
NO_FILES = {
    "path": errno.EBADF,
    "write-only": errno.EBADF,
    "directory": errno.EINVAL,
    "pipe": errno.EINVAL,
    "zero": errno.EINVAL,
    "proc": errno.EINVAL,
    "memfd": errno.EINVAL,
}


class News:
    """What is heard of one buffer, in order, until somebody expects it."""

    TIMEOUT = 10.0

    def __init__(self, app: App, title: str, id: int | None = None) -> None:
        self._app = app
        self._title = title
        self._id = id
        self._taken = 0
        self._unread: deque[str] = deque()
        app.npu.watch(self)

    def hear(self, what: str) -> None:
        self._unread.append(what)

    def expect(self, *wanted: str) -> None:
        """The next news must be these. Where several are given, they come in this order."""
        session = self._app.npu.session
        for what in wanted:
            if not session.wait_until(lambda: bool(self._unread), self.TIMEOUT):
                raise self.failure(f"{self._title} should hear {what}, but heard nothing", what, "nothing")
            heard = self._unread[0]
            if heard != what:
                raise self.failure(f"{self._title} should hear {what}, but heard {heard}", what, heard)
            self._unread.popleft()
            self._taken += 1

    def expect_one_of(self, *wanted: str) -> str:
        """The next news must be one of these, where it is a matter of speed which. Returns it."""
        self._app.npu.session.wait_until(lambda: bool(self._unread), self.TIMEOUT)
        heard = self._unread.popleft() if self._unread else "nothing"
        if heard not in wanted:
            either = " or ".join(wanted)
            raise self.failure(f"{self._title} should hear {either}, but heard {heard}", either, heard)
        return heard

    def expect_nothing(self) -> None:
        self._app.npu.session.settle()
        if self._unread:
            heard = self._unread[0]
            raise self.failure(f"{self._title} should hear nothing, but heard {heard}", "nothing", heard)

    def unread(self) -> str | None:
        """The first news that no `expect` has taken."""
        return self._unread[0] if self._unread else None

    def failure(self, message: str, expected: object, actual: object) -> ScenarioFailure:
        """A failure that is about what was heard, or was not."""
        news = NewsAbout(self._app.label, self._id, self._taken, is_buffer=True)
        return ScenarioFailure(message, expected=str(expected), actual=str(actual), news=news)

    def __str__(self) -> str:
        return self._title
