"""The dma-bufs of the stand-in: memory files, and every open file description that was handed out of one.

A description is known by its mark (see `memory`), so that copies of a descriptor are recognised wherever they
come from, and it is noticed when the last of them has been closed. That is looked for whenever the table is
used, not at once: nobody tells.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from errno import EBADF, ENODEV, ENOMEM
from itertools import count

from . import memory
from .areas import Areas, whole_pages
from .memory import MemoryFiles
from .rules import Wrap
from .wrapfd import refusal


@dataclass(eq=False, slots=True)
class MappedAreas:
    """One mapping of a wrap."""

    pid: int
    areas: Areas


@dataclass(eq=False, slots=True)
class Description:
    """An open file description: a wrap's, or the dma-buf's own, which has no wrap."""

    number: int
    writable: bool
    wrap: Wrap | None = None
    mappings: list[MappedAreas] = field(default_factory=list)

    @property
    def uses_content(self) -> bool:
        return self.wrap is None or not self.wrap.empty


@dataclass(eq=False, slots=True)
class Content:
    """A dma-buf's memory.

    Attributes:
        file: a descriptor of our own, open for reading and writing.
        guarded: whether the file has been sealed as its only wrap demands.
        freed: whether the pages have been given back, because nothing uses them any more.
    """

    file: int
    size: int
    heap: str
    name: bytes = b""
    descriptions: dict[int, Description] = field(default_factory=dict)
    guarded: bool = False
    freed: bool = False

    def users(self) -> list[Description]:
        return [description for description in self.descriptions.values() if description.uses_content]


class Contents:
    """All dma-bufs there are.

    Args:
        files: makes their memory.
        capacities: by the heap's name, how many bytes it has.
        keep_writable: whether read-only wraps may still be written by the driver, so are not sealed.
    """

    def __init__(
        self, files: MemoryFiles, capacities: dict[str, int], *, keep_writable: bool = False
    ) -> None:
        self.lock = threading.RLock()
        self.files = files
        self.capacities = capacities
        self._keep_writable = keep_writable
        self._contents: dict[tuple[int, int], Content] = {}
        self._numbers = count()

    # --- allocation --------------------------------------------------------------------------------

    def allocate(self, heap: str, size: int, *, name: bytes = b"", writable: bool = True) -> int:
        """A new dma-buf's descriptor. Raises OSError: ENODEV for an unknown heap, ENOMEM if it is full."""
        size = whole_pages(size)
        with self.lock:
            missing = self.shortage(heap, size)
            if missing:
                left = self.capacities[heap] - self.used(heap)
                whose = (
                    f"heap {heap} has {left} bytes left" if left < size else "the machine has too few left"
                )
                raise refusal(ENOMEM, f"{size} bytes are wanted, {whose}")
            content = self._create(heap, size)
            content.name = name
            try:
                return self.hand_out(content, None, writable=writable)
            except OSError:
                self._drop(content)
                raise

    def shortage(self, heap: str, size: int) -> int:
        """How many bytes must become free in a heap, or on the machine, before `size` of them can be had."""
        capacity = self.capacities.get(heap)
        if capacity is None:
            raise refusal(ENODEV, f"there is no heap {heap}")
        self.collect()
        available = memory.available_memory()
        lacking = size - (capacity - self.used(heap))
        return max(0, lacking, 0 if available is None else size - available)

    def used(self, heap: str) -> int:
        """How many bytes of a heap are taken."""
        with self.lock:
            return sum(c.size for c in self._contents.values() if c.heap == heap and not c.freed)

    def _create(self, heap: str, size: int) -> Content:
        content = Content(self.files.create("npubuf", size), size, heap)
        status = os.fstat(content.file)
        self._contents[status.st_dev, status.st_ino] = content
        return content

    def _drop(self, content: Content) -> None:
        self._contents = {key: other for key, other in self._contents.items() if other is not content}
        os.close(content.file)

    # --- descriptions ------------------------------------------------------------------------------

    def hand_out(self, content: Content, wrap: Wrap | None, *, writable: bool) -> int:
        """A new description's descriptor. Raises OSError(EMFILE) and changes nothing if there is no more."""
        fd = memory.reopen(content.file, os.O_RDWR if writable else os.O_RDONLY)
        number = next(self._numbers)
        try:
            memory.mark(fd, number)
        except OSError:
            os.close(fd)
            raise
        content.descriptions[number] = Description(number, writable, wrap)
        return fd

    def find(self, fd: int) -> tuple[Content, Description] | None:
        """What a descriptor is of; None for something else. Raises OSError(EBADF) for a closed one."""
        try:
            status = os.fstat(fd)
            # fstat does not mind O_PATH, which no call of a driver's gets to see.
            if os.O_PATH & memory.status_flags(fd):
                raise OSError(EBADF, os.strerror(EBADF))
        except OverflowError:
            raise OSError(EBADF, os.strerror(EBADF)) from None
        content = self._contents.get((status.st_dev, status.st_ino))
        if content is None:
            return None
        self.refresh(content)
        for description in content.descriptions.values():
            if not memory.sees_mark(fd, description.number):
                return content, description
        return None

    def wraps(self) -> Iterator[Description]:
        """Every wrap, as long as a descriptor or a mapping of it is left."""
        self.collect()
        for content in self._contents.values():
            yield from (d for d in content.descriptions.values() if d.wrap is not None)

    def collect(self) -> None:
        """Forgets what nobody has open or mapped any more, and gives its memory back."""
        with self.lock:
            for content in list(self._contents.values()):
                self.refresh(content)
                if not content.descriptions:
                    self._drop(content)

    def close(self) -> None:
        """Ends them all, whoever still has one open; there is nothing in it any more."""
        with self.lock:
            for content in list(self._contents.values()):
                if not content.freed:
                    memory.free(content.file, content.size)
                self._drop(content)

    def refresh(self, content: Content) -> None:
        """Looks at what is still open of a content, frees it or guards it accordingly."""
        for number in list(content.descriptions):
            if not memory.sees_mark(content.file, number):
                del content.descriptions[number]
        users = content.users()
        if not users and not content.freed:
            if content.descriptions:
                memory.free(content.file, content.size)
            content.freed = True
        elif len(users) == 1 and users[0].wrap is not None and not content.guarded:
            self._guard(content, users[0].wrap)

    def _guard(self, content: Content, wrap: Wrap) -> None:
        """Seals what only one wrap uses: nobody else can be hindered by it."""
        if self.files.sealable and (wrap.writable or not self._keep_writable):
            memory.seal(content.file, memory.WRITABLE_SEALS if wrap.writable else memory.READ_ONLY_SEALS)
        content.guarded = True

    def moved(self, content: Content, description: Description, wrap: Wrap, *, writable: bool) -> int:
        """Has another description use a content instead of this one. Returns its descriptor.

        If nothing else uses the content it moves to another file, so that whoever still has the old one open
        does not see it. Raises OSError and changes nothing if that does not work.
        """
        if content.users() != [description]:
            return self.hand_out(content, wrap, writable=writable)
        new = self._create(content.heap, content.size)
        new.name = content.name
        try:
            memory.copy(content.file, 0, new.file, 0, content.size)
            return self.hand_out(new, wrap, writable=writable)
        except OSError:
            self._drop(new)
            raise
