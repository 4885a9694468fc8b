"""Mapped memory of this process: a whole mapping that is safe to hold, parts of which can be taken away.

Python's own `mmap` keeps its pages for as long as somebody looks at them. What it cannot do is left to libc:
taking pages out of the middle (they are replaced by pages that nobody may touch, so that no other mapping can
end up there and be unmapped with the rest) and changing the protection of a part.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from errno import EACCES, EINVAL
from typing import Final

from . import areas

_MAP_FIXED_ANONYMOUS: Final = 0x10 | mmap.MAP_ANONYMOUS | mmap.MAP_PRIVATE
_FAILED: Final = ctypes.c_void_p(-1).value

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_int64]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class _PyBuffer(ctypes.Structure):
    """Py_buffer of CPython's object.h; what follows the length is not looked at."""

    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("rest", ctypes.c_byte * 64),
    )


class Pages:
    """A mapping of a descriptor. Raises OSError as mmap does.

    Args:
        fd: may be closed afterwards.
        length: in bytes.
        prot: PROT_* bits.
        shared: MAP_SHARED, or else MAP_PRIVATE.
        offset: a multiple of the page size.
    """

    def __init__(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> None:
        flags = mmap.MAP_SHARED if shared else mmap.MAP_PRIVATE
        self._memory = mmap.mmap(fd, length, flags=flags, prot=prot, offset=offset)
        self._born_writable = bool(prot & mmap.PROT_WRITE)
        self._areas = areas.mapped(areas.whole_pages(length), prot)
        self._views: list[memoryview] = []
        self.length = length

    @property
    def view(self) -> memoryview:
        """All of the memory, writable if all of it is now. Raises OSError(EACCES) if it cannot be read."""
        # What can be written can be read, on every machine that runs Linux.
        if not self._all(mmap.PROT_READ | mmap.PROT_WRITE):
            raise OSError(EACCES, "not all of the mapping can be read")
        if not self._all(mmap.PROT_WRITE):
            view = memoryview(self._memory).toreadonly()
        elif self._born_writable:
            view = memoryview(self._memory)
        else:
            view = self._made_writable()
        self._views.append(view)
        return view

    def _all(self, prot: int) -> bool:
        whole = areas.covers(self._areas, 0, areas.whole_pages(self.length))
        return whole and all(area.prot & prot for area in self._areas)

    def _made_writable(self) -> memoryview:
        """Python's mapping goes on thinking that it is read-only."""
        array = (ctypes.c_ubyte * self.length).from_address(self._address())
        array._keeps = memoryview(self._memory)  # type: ignore[attr-defined]
        return memoryview(array).cast("B")

    def remove(self, offset: int, length: int) -> None:
        """Takes pages away. Touching them ends the process, as it does after munmap."""
        found = _libc.mmap(self._place(offset, length), length, 0, _MAP_FIXED_ANONYMOUS, -1, 0)
        if found == _FAILED:
            raise _last_error()
        self._areas = areas.without(self._areas, offset, offset + length)

    def protect(self, offset: int, length: int, prot: int) -> None:
        """Changes the protection of pages."""
        if _libc.mprotect(self._place(offset, length), length, prot) != 0:
            raise _last_error()
        self._areas = areas.protected(self._areas, offset, offset + length, prot)

    def close(self) -> None:
        """Unmaps everything. Raises BufferError while somebody looks at a part of a view. Twice is fine."""
        for view in self._views:
            view.release()
        self._views.clear()
        self._memory.close()

    def abandon(self) -> None:
        """Leaves it to whoever still looks at the memory; it is unmapped when nobody does any more."""
        self._views.clear()

    def _place(self, offset: int, length: int) -> int:
        """Where a part is. What lies beyond the mapping belongs to somebody else."""
        if offset < 0 or length < 0 or offset + length > areas.whole_pages(self.length):
            raise OSError(EINVAL, f"{length} bytes at {offset} are not all of this mapping")
        return self._address() + offset

    def _address(self) -> int:
        buffer = _PyBuffer()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(self._memory), ctypes.byref(buffer), 0)
        address = int(buffer.buf)
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
        return address


def _last_error() -> OSError:
    code = ctypes.get_errno()
    return OSError(code, os.strerror(code))
