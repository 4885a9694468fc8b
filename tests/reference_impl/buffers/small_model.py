"""A second, independent account of the wrapfd driver, to hold the stand-in against.

Written from the tables as straight-line code, a method for each operation, and sharing nothing with the
implementation: content is a bytearray, a mapping a list of pages, an answer 0 or an errno's name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

PAGE = 4096
READ, WRITE = 1, 2


@dataclass(eq=False)
class Buffer:
    data: bytearray
    writable: bool


@dataclass(eq=False)
class WrapModel:
    buffer: Buffer | None
    size: int
    rdwr: bool
    source_writable: bool
    owner: int = 0
    guests: bool = False
    maps: list[MapModel] = field(default_factory=list)

    @property
    def vmas(self) -> int:
        return sum(mapping.vmas() for mapping in self.maps)


@dataclass(eq=False)
class MapModel:
    """Pages in order; None for a hole. `cuts` are the page numbers where one area ends and another begins."""

    wrap: WrapModel
    pid: int
    first_page: int
    pages: list[int | None]
    cuts: set[int] = field(default_factory=set)

    def vmas(self) -> int:
        count = 0
        for number, prot in enumerate(self.pages):
            if prot is None:
                continue
            starts = number == 0 or self.pages[number - 1] is None or number in self.cuts
            count += starts
        return count


class SmallModel:
    """Processes 1, 2, ... and their wraps. `generation` is contract, newest or first."""

    def __init__(self, generation: str) -> None:
        self.generation = generation

    def wrap(self, buffer: Buffer, prot: int, reserved: int) -> WrapModel | str:
        if reserved or prot not in (0, 1, 2, 3):
            return "EINVAL"
        if prot & WRITE and not buffer.writable and self.generation != "first":
            return "EACCES"
        return WrapModel(buffer, len(buffer.data), bool(prot & WRITE), buffer.writable)

    def state(self, wrap: WrapModel) -> str:
        return "EMPTY" if wrap.buffer is None else "RDWR" if wrap.rdwr else "RDONLY"

    def acquire(self, pid: int, wrap: WrapModel) -> str:
        if wrap.owner == pid:
            return "ok"
        if wrap.owner:
            return "EBUSY"
        if wrap.vmas:
            return "EINVAL"
        if wrap.buffer is None:
            return "ENOENT"
        wrap.owner = pid
        return "ok"

    def release(self, pid: int, wrap: WrapModel) -> str:
        if wrap.owner != pid:
            return "EBUSY"
        if wrap.vmas:
            return "EINVAL"
        wrap.owner, wrap.guests = 0, False
        return "ok"

    def _changeable(self, pid: int, wrap: WrapModel) -> str:
        if wrap.owner != pid:
            return "EBUSY"
        if wrap.vmas:
            return "EINVAL"
        return "ENOENT" if wrap.buffer is None else "ok"

    def empty(self, pid: int, wrap: WrapModel) -> str:
        answer = self._changeable(pid, wrap)
        if answer == "ok":
            wrap.buffer = None
        return answer

    def guests(self, pid: int, wrap: WrapModel, allowed: bool) -> str:
        answer = self._changeable(pid, wrap)
        if answer == "ok":
            wrap.guests = allowed
        return answer

    def rewrap(self, pid: int, wrap: WrapModel, prot: int, pad: int) -> WrapModel | str:
        if pad or prot not in (0, 1, 2, 3):
            return "EINVAL"
        answer = self._changeable(pid, wrap)
        if answer != "ok":
            return answer
        if prot & WRITE and not wrap.source_writable and self.generation != "first":
            return "EACCES"
        new = WrapModel(wrap.buffer, wrap.size, bool(prot & WRITE), wrap.source_writable)
        wrap.buffer = None
        return new

    def load(
        self, pid: int, wrap: WrapModel, file: bytes, file_offset: int, offset: int, length: int, pad: int
    ) -> str:
        if min(file_offset, offset, length) < 0 or pad:
            return "EINVAL"
        if self.generation != "newest" and (file_offset % PAGE or offset % PAGE):
            return "EINVAL"
        if file_offset + length > len(file):
            return "EINVAL"
        if self.generation != "newest" and wrap.owner != pid:
            return "EBUSY"
        if self.generation == "first" and wrap.vmas:
            return "EINVAL"
        if wrap.buffer is None:
            return "ENOENT"
        if not wrap.rdwr and self.generation != "first":
            return "EACCES"
        if offset + length > wrap.size:
            return "EINVAL"
        wrap.buffer.data[offset : offset + length] = file[file_offset : file_offset + length]
        return "ok"

    def mmap(
        self, pid: int, wrap: WrapModel, first_page: int, length: int, prot: int, shared: bool
    ) -> MapModel | str:
        if shared and prot & WRITE and not wrap.rdwr:
            return "EACCES"
        if wrap.owner not in (0, pid) and not wrap.guests:
            return "EBUSY"
        if wrap.buffer is None:
            return "ENOENT"
        if prot & WRITE and not wrap.rdwr:
            return "EACCES"
        pages = -(-length // PAGE)
        if (first_page + pages) * PAGE > wrap.size:
            return "EINVAL"
        mapping = MapModel(wrap, pid, first_page, [prot] * pages)
        wrap.maps.append(mapping)
        return mapping

    def munmap(self, mapping: MapModel, first: int, count: int) -> None:
        for number in range(first, min(first + count, len(mapping.pages))):
            mapping.pages[number] = None
        if all(prot is None for prot in mapping.pages) and mapping in mapping.wrap.maps:
            mapping.wrap.maps.remove(mapping)

    def mprotect(self, mapping: MapModel, first: int, count: int, prot: int) -> str:
        touched = range(first, first + count)
        if any(number >= len(mapping.pages) or mapping.pages[number] is None for number in touched):
            return "ENOMEM"
        if prot & WRITE and not mapping.wrap.rdwr:
            return "EACCES"
        before = list(mapping.pages)
        for number in touched:
            mapping.pages[number] = prot
        # An area that is changed as a whole is not cut; neither is one that is as it should be already.
        for edge in (first, first + count):
            inside = edge if edge == first else edge - 1
            if before[inside] != prot and 0 < edge < len(before) and before[edge - 1] is not None:
                mapping.cuts.add(edge)
        return "ok"

    def fork(self, wraps: list[WrapModel], parent: int, child: int) -> list[MapModel]:
        copies = []
        for wrap in wraps:
            for mapping in [mapping for mapping in wrap.maps if mapping.pid == parent]:
                copies.append(
                    MapModel(wrap, child, mapping.first_page, list(mapping.pages), set(mapping.cuts))
                )
                wrap.maps.append(copies[-1])
        return copies

    def exit(self, wraps: list[WrapModel], pid: int) -> None:
        for wrap in wraps:
            wrap.maps[:] = [mapping for mapping in wrap.maps if mapping.pid != pid]
            if wrap.owner == pid and self.generation != "first":
                wrap.owner, wrap.guests = 0, False

    def lseek(self, wrap: WrapModel, offset: int, at_end: bool) -> int | str:
        if self.generation == "first":
            return "ESPIPE"
        if wrap.buffer is None:
            return "ENOENT"
        if offset:
            return "EINVAL"
        return wrap.size if at_end else 0

    def other_ioctl(self, pid: int, wrap: WrapModel, known: bool) -> str:
        if wrap.owner not in (0, pid) and not wrap.guests and self.generation != "first":
            return "EBUSY"
        if wrap.buffer is None:
            return "ENOENT"
        return "ok" if known else "ENOTTY"

    def fdinfo(self, wrap: WrapModel) -> tuple[str, str, str, str]:
        def yes(value: bool) -> str:
            return "yes" if value else "no"

        return (
            str(wrap.owner) if wrap.owner else "<none>",
            yes(wrap.guests),
            str(wrap.vmas),
            yes(wrap.buffer is None),
        )
