"""A wrapfd driver without a kernel: the rules on memory files, for processes that say who they are.

What the rules refuse, the port refuses. What a process could do without asking, with nothing but a descriptor
it was given, the kernel refuses as far as it can: see `memory`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from mmap import PROT_WRITE
from typing import Final

from . import areas, memory
from .contents import Content, Contents, Description, MappedAreas
from .dmabuf import LONGEST_NAME, DmabufRequest
from .pages import Pages
from .profiles import CONTRACT, Profile
from .rules import Call, FileFacts, Op, Wrap, after, refused_by, rewrapped, without_process
from .wrapfd import LOAD_STRUCT, REWRAP_STRUCT, STATE_STRUCT, WRAP_STRUCT, Request, WrapState, refusal

_SIMPLE: Final = {
    Request.ACQUIRE_OWNERSHIP: Op.ACQUIRE,
    Request.RELEASE_OWNERSHIP: Op.RELEASE,
    Request.EMPTY: Op.EMPTY,
    Request.ALLOW_GUESTS: Op.ALLOW_GUESTS,
    Request.PROHIBIT_GUESTS: Op.PROHIBIT_GUESTS,
}


class StandInDriver:
    """The driver. Give every process a port of its own.

    Args:
        contents: the dma-bufs it wraps.
        profile: the generation it is.
    """

    def __init__(self, contents: Contents, profile: Profile = CONTRACT) -> None:
        self.contents = contents
        self.profile = profile
        self._mappings: list[StandInMapping] = []

    def port(self, pid: int) -> StandInPort:
        """The way in of a process."""
        return StandInPort(self, pid)

    # --- processes ---------------------------------------------------------------------------------

    def exit(self, pid: int) -> None:
        """A process has died: its mappings go, and what it owned."""
        with self.contents.lock:
            self.exec(pid)
            if self.profile.frees_at_death:
                for description in self.contents.wraps():
                    description.wrap = without_process(_wrap_of(description), pid)

    def exec(self, pid: int) -> None:
        """A process runs another program: its mappings go, and nothing else."""
        with self.contents.lock:
            for mapping in [mapping for mapping in self._mappings if mapping.pid == pid]:
                mapping.vanish()

    def fork(self, parent: int, child: int) -> list[StandInMapping]:
        """A process has a child, which has its mappings too, but owns nothing. Returns the child's."""
        with self.contents.lock:
            return [mapping.inherited(child) for mapping in self._mappings if mapping.pid == parent]

    def mappings_of(self, pid: int) -> list[StandInMapping]:
        """What a process has mapped."""
        return [mapping for mapping in self._mappings if mapping.pid == pid]

    # --- calls -------------------------------------------------------------------------------------

    def wrap(self, pid: int, fd: int, prot: int, reserved: int) -> int:
        with self.contents.lock:
            # What the source allows can only be known once it is known.
            unknown = Wrap(0, bool(prot & PROT_WRITE))
            self._check(unknown, Call(Op.WRAP, pid, prot=prot, padding=reserved))
            found = self.contents.find(fd)
            if found is None or found[1].wrap is not None:
                raise refusal(errno.EINVAL, f"descriptor {fd} is no dma-buf")
            content, source = found
            wrap = Wrap(content.size, bool(prot & PROT_WRITE), source.writable)
            self._check(wrap, Call(Op.WRAP, pid, prot=prot))
            return self._hand_out(fd, lambda: self.contents.hand_out(content, wrap, writable=wrap.writable))

    def ioctl(self, pid: int, fd: int, request: int, argument: bytes) -> tuple[int, bytes]:
        with self.contents.lock:
            found = self.contents.find(fd)
            if found is None:
                raise refusal(errno.ENOTTY, f"descriptor {fd} is no wrapfd")
            content, description = found
            if description.wrap is None:
                return self._dmabuf_ioctl(content, request, argument)
            if request == Request.GET_STATE:
                return 0, self._state(pid, description, argument)
            if request in _SIMPLE:
                self._change(content, description, Call(_SIMPLE[Request(request)], pid))
                return 0, argument
            if request == Request.REWRAP:
                return self._rewrap(pid, fd, content, description, argument), argument
            if request != Request.LOAD:
                self._check(description.wrap, Call(Op.OTHER_IOCTL, pid))
                return self._dmabuf_ioctl(content, request, argument)
        self._load(pid, content, description, argument)
        return 0, argument

    def mmap(self, pid: int, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> StandInMapping:
        with self.contents.lock:
            description = self._find_wrap(fd)
            call = Call(Op.MMAP, pid, prot=prot, offset=offset, length=length, shared=shared)
            self._check(_wrap_of(description), call)
            pages = Pages(fd, length, prot, shared=shared, offset=offset)
            size = areas.whole_pages(length)
            return self._add(description, MappedAreas(pid, areas.mapped(size, prot)), pages)

    def lseek(self, pid: int, fd: int, offset: int, whence: int) -> int:
        with self.contents.lock:
            wrap = _wrap_of(self._find_wrap(fd))
            if not self.profile.seekable:
                raise refusal(errno.ESPIPE, "this generation of the driver has no lseek")
            self._check(wrap, Call(Op.LSEEK, pid))
            if offset != 0 or whence not in (os.SEEK_SET, os.SEEK_END):
                raise refusal(errno.EINVAL, "a wrap can only be sought to its start and to its end")
            return wrap.size if whence == os.SEEK_END else 0

    def fdinfo(self, fd: int) -> dict[str, str]:
        with self.contents.lock:
            found = self.contents.find(fd)
            if found is None or found[1].wrap is None:
                raise refusal(errno.ENOTTY, f"descriptor {fd} is no wrapfd")
            content, description = found
            wrap = _wrap_of(description)
            lines = {
                "owner": "<none>" if wrap.owner is None else str(wrap.owner),
                "guests": _yes(wrap.guests),
                "maps": str(wrap.areas),
                "empty": _yes(wrap.empty),
            }
            if not wrap.empty:
                lines |= {
                    "rdonly": _yes(not wrap.writable),
                    "type": "dmabuf",
                    "size": str(wrap.size),
                    "count": str(len(content.users())),
                    "exp_name": content.heap,
                }
                if content.name:
                    lines["name"] = content.name.decode(errors="replace")
            return lines

    # --- how ---------------------------------------------------------------------------------------

    def _check(self, wrap: Wrap, call: Call) -> None:
        """Raises OSError for a call that is refused."""
        check = refused_by(self.profile.checks, wrap, call)
        if check is not None and check.errno:
            raise refusal(check.errno, f"{call.op.value}: {check.name}")

    def _find_wrap(self, fd: int) -> Description:
        found = self.contents.find(fd)
        if found is None or found[1].wrap is None:
            raise refusal(errno.ENODEV, f"descriptor {fd} is no wrapfd")
        return found[1]

    def _change(self, content: Content, description: Description, call: Call) -> None:
        wrap = _wrap_of(description)
        check = refused_by(self.profile.checks, wrap, call)
        if check is None:
            description.wrap = after(wrap, call)
            self.contents.refresh(content)
        elif check.errno:
            raise refusal(check.errno, f"{call.op.value}: {check.name}")

    def _state(self, pid: int, description: Description, argument: bytes) -> bytes:
        _, pad, reserved = STATE_STRUCT.unpack(argument)
        wrap = _wrap_of(description)
        self._check(wrap, Call(Op.GET_STATE, pid, padding=pad | reserved))
        held = WrapState.RDWR if wrap.writable else WrapState.RDONLY
        return STATE_STRUCT.pack(WrapState.EMPTY if wrap.empty else held, 0, 0)

    def _rewrap(self, pid: int, fd: int, content: Content, description: Description, argument: bytes) -> int:
        prot, pad, reserved = REWRAP_STRUCT.unpack(argument)
        wrap = _wrap_of(description)
        call = Call(Op.REWRAP, pid, prot=prot, padding=pad | reserved)
        self._check(wrap, call)
        new = rewrapped(wrap, prot)
        made = self._hand_out(
            fd, lambda: self.contents.moved(content, description, new, writable=new.writable)
        )
        description.wrap = after(wrap, call)
        self.contents.refresh(content)
        return made

    def _hand_out(self, like: int, make: Callable[[], int]) -> int:
        """A new descriptor, closed on exec if `like` is."""
        made = make()
        os.set_inheritable(made, os.get_inheritable(like))
        return made

    def _load(self, pid: int, content: Content, description: Description, argument: bytes) -> None:
        file, pad, file_offset, offset, length, reserved = LOAD_STRUCT.unpack(argument)
        call = Call(
            Op.LOAD,
            pid,
            padding=pad | reserved,
            file=file_facts(file),
            offset=_signed(offset),
            file_offset=_signed(file_offset),
            length=_signed(length),
        )
        with self.contents.lock:
            wrap = _wrap_of(description)
            self._check(wrap, call)
            target = memory.reopen(content.file, os.O_RDWR)
            description.wrap = after(wrap, call)
        try:
            memory.copy(file, file_offset, target, offset, length)
        finally:
            os.close(target)
            with self.contents.lock:
                loaded = _wrap_of(description)
                description.wrap = replace(loaded, loads=loaded.loads - 1)

    def _dmabuf_ioctl(self, content: Content, request: int, argument: bytes) -> tuple[int, bytes]:
        if request == DmabufRequest.SET_NAME:
            name = argument.partition(b"\0")[0]
            if len(name) > LONGEST_NAME:
                raise refusal(errno.EINVAL, f"a name of {len(name)} bytes")
            content.name = name
        elif request != DmabufRequest.SYNC:
            raise refusal(errno.ENOTTY, f"a dma-buf knows no request {request:#x}")
        return 0, argument

    # --- mappings ----------------------------------------------------------------------------------

    def _add(self, description: Description, mapped: MappedAreas, pages: Pages) -> StandInMapping:
        description.mappings.append(mapped)
        self._count(description)
        mapping = StandInMapping(self, description, mapped, pages)
        self._mappings.append(mapping)
        return mapping

    def inherit(self, mapping: StandInMapping, child: int) -> StandInMapping:
        """The same mapping in a forked child."""
        mapped = MappedAreas(child, mapping.mapped.areas)
        return self._add(mapping.description, mapped, mapping.pages)

    def remap(self, mapping: StandInMapping, changed: areas.Areas) -> None:
        """A mapping consists of other areas now, possibly of none."""
        mapping.mapped.areas = changed
        if not changed and mapping in self._mappings:
            self._mappings.remove(mapping)
            mapping.description.mappings.remove(mapping.mapped)
        self._count(mapping.description)

    def check_protection(self, mapping: StandInMapping, prot: int) -> None:
        """Raises OSError if the mapping may not be used so."""
        self._check(_wrap_of(mapping.description), Call(Op.MPROTECT, mapping.pid, prot=prot))

    def shares_pages(self, mapping: StandInMapping) -> bool:
        """Whether another mapping, of a parent or a child, uses the same pages."""
        return any(other.pages is mapping.pages and other is not mapping for other in self._mappings)

    @staticmethod
    def _count(description: Description) -> None:
        number = sum(len(mapped.areas) for mapped in description.mappings)
        description.wrap = replace(_wrap_of(description), areas=number)


class StandInMapping:
    """A mapping through the stand-in, which counts its areas."""

    def __init__(
        self, driver: StandInDriver, description: Description, mapped: MappedAreas, pages: Pages
    ) -> None:
        self._driver = driver
        self.description = description
        self.mapped = mapped
        self.pages = pages

    @property
    def pid(self) -> int:
        return self.mapped.pid

    @property
    def view(self) -> memoryview:
        if not self.mapped.areas:
            raise refusal(errno.EFAULT, "the mapping has been closed")
        return self.pages.view

    def unmap(self, offset: int, length: int) -> None:
        with self._driver.contents.lock:
            # What lies beyond the mapping is not ours to take away.
            end = min(areas.page_range(offset, length), areas.whole_pages(self.pages.length))
            left = areas.without(self.mapped.areas, offset, end)
            if left != self.mapped.areas:
                self.pages.remove(offset, end - offset)
                if not left:
                    self._close_pages()
                self._driver.remap(self, left)

    def protect(self, offset: int, length: int, prot: int) -> None:
        with self._driver.contents.lock:
            end = areas.page_range(offset, length)
            if not areas.covers(self.mapped.areas, offset, end):
                raise refusal(errno.ENOMEM, "pages that are not mapped")
            self._driver.check_protection(self, prot)
            self.pages.protect(offset, end - offset, prot)
            self._driver.remap(self, areas.protected(self.mapped.areas, offset, end, prot))

    def close(self) -> None:
        with self._driver.contents.lock:
            if self.mapped.areas:
                self._close_pages()
                self._driver.remap(self, ())

    def vanish(self) -> None:
        """The process has gone; who still looks at the memory here, where processes are pretended, may."""
        try:
            self.close()
        except BufferError:
            self.pages.abandon()
            self._driver.remap(self, ())

    def inherited(self, child: int) -> StandInMapping:
        return self._driver.inherit(self, child)

    def _close_pages(self) -> None:
        if not self._driver.shares_pages(self):
            self.pages.close()


class StandInPort:
    """A process's way to the stand-in."""

    def __init__(self, driver: StandInDriver, pid: int) -> None:
        self._driver = driver
        self.pid = pid

    @property
    def name(self) -> str:
        return f"stand-in ({self._driver.profile.name}) on {self._driver.contents.files.name}"

    def wrap(self, argument: bytes) -> int:
        return self._driver.wrap(self.pid, *WRAP_STRUCT.unpack(argument))

    def ioctl(self, fd: int, request: int, argument: bytes) -> tuple[int, bytes]:
        return self._driver.ioctl(self.pid, fd, request, argument)

    def mmap(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> StandInMapping:
        return self._driver.mmap(self.pid, fd, length, prot, shared=shared, offset=offset)

    def lseek(self, fd: int, offset: int, whence: int) -> int:
        return self._driver.lseek(self.pid, fd, offset, whence)

    def fdinfo(self, fd: int) -> dict[str, str]:
        return self._driver.fdinfo(fd)

    def collect(self) -> None:
        self._driver.contents.collect()

    def mappings(self) -> Iterator[StandInMapping]:
        """What the process has mapped."""
        yield from self._driver.mappings_of(self.pid)


def file_facts(fd: int) -> FileFacts | None:
    """What there is to know of a file that is to be loaded; None if the descriptor is not open."""
    try:
        flags = memory.status_flags(fd)
        readable = not flags & os.O_PATH and flags & os.O_ACCMODE != os.O_WRONLY
        direct = readable and memory.reads_directly(fd)
        return FileFacts(readable, direct, memory.file_size(fd))
    except (OSError, OverflowError):
        return None


def _wrap_of(description: Description) -> Wrap:
    if description.wrap is None:
        raise refusal(errno.ENOTTY, "a dma-buf, not a wrap")
    return description.wrap


def _signed(value: int) -> int:
    """A u64 as the kernel's loff_t."""
    return value - 2**64 if value >= 2**63 else value


def _yes(value: bool) -> str:
    return "yes" if value else "no"
