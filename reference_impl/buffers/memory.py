"""Memory files: where the content of stand-in buffers lives, and how the kernel helps to guard it.

A memory file is a memfd, or an unlinked file in a folder. What a process is given of one is an open file
description: opened read-only, the kernel itself refuses to map it writable. Seals keep root, too, from
opening it again for writing. A lock that belongs to the description (F_OFD_SETLK) marks it: every copy of the
descriptor shows the mark, wherever it has travelled, and the kernel drops it with the last copy and mapping.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import stat
from contextlib import closing, suppress
from pathlib import Path
from struct import Struct
from typing import IO, Final

CHUNK: Final = 8 << 20
"""How much is copied at a time. Measured: the kernel copies (sendfile) fastest from a mebibyte on."""

_FLOCK = Struct("hhqqi4x")  # struct flock of 64-bit Linux
_FIRST_MARK = 2**62  # far beyond any content
_FUTURE_WRITE = 0x10  # F_SEAL_FUTURE_WRITE of linux/fcntl.h, which Python has no name for

READ_ONLY_SEALS: Final = _FUTURE_WRITE | fcntl.F_SEAL_SEAL
"""Nobody writes any more, through whatever descriptor. Truncation remains: it frees the content."""

WRITABLE_SEALS: Final = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
"""Nobody changes the size or adds seals that would keep the content from being freed."""

# What an allocation fails with for lack of room, wherever the files are.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EFBIG)


class MemoryUnavailable(Exception):
    """This machine cannot hold buffers. The message says what it lacks and what helps."""


class MemoryFiles:
    """Makes memory files.

    Args:
        folder: where, on a tmpfs such as /dev/shm; None for memfds, which need no folder. Only memfds can be
            sealed, which is what keeps root from writing to read-only buffers.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    @property
    def sealable(self) -> bool:
        return self.folder is None

    @property
    def name(self) -> str:
        """What reports call this kind of memory."""
        return "memfd" if self.folder is None else str(self.folder)

    def check(self) -> None:
        """Raises `MemoryUnavailable` if this machine lacks something that buffers need."""
        try:
            with closing(_Descriptor(self.create("npubuf-check", 1))) as file:
                if self.sealable:
                    fcntl.fcntl(file.fd, fcntl.F_ADD_SEALS, READ_ONLY_SEALS)
                os.close(reopen(file.fd, os.O_RDONLY))
        except OSError as error:
            raise MemoryUnavailable(f"{self._lack(error)} ({error.strerror})") from None

    def _lack(self, error: OSError) -> str:
        if self.folder is not None:
            return f"no buffer memory can be had in {self.folder}: free some of it, or use another folder"
        if error.errno == errno.ENOENT:
            return "/proc is not there, through which buffers are opened: mount it"
        return "buffers need memfd_create with seals, Linux 5.1 or later: use a folder on a tmpfs instead"

    def create(self, name: str, size: int) -> int:
        """A new file of zeros, open for reading and writing.

        Args:
            name: what /proc shows.
            size: in bytes.

        Raises:
            OSError: ENOMEM if there is no room for so much, else what the system says.
        """
        fd = self._open(name)
        try:
            os.ftruncate(fd, size)
            os.fchmod(fd, 0o600)
            if self.folder is not None:
                # A file system can be full; better now than when the memory is used.
                os.posix_fallocate(fd, 0, size)
        except OSError as error:
            os.close(fd)
            if error.errno in _NO_ROOM:
                where = f" in {self.folder}" if self.folder else ""
                why = f"{os.strerror(error.errno)}: no room for {size} bytes{where}"
                raise OSError(errno.ENOMEM, why) from None
            raise
        return fd

    def _open(self, name: str) -> int:
        if self.folder is None:
            return os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        return os.open(self.folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)


class _Descriptor:
    """A descriptor that can be used with `closing`."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def close(self) -> None:
        os.close(self.fd)


def reopen(fd: int, flags: int) -> int:
    """Another open file description of the same file, closed on exec."""
    return os.open(f"/proc/self/fd/{fd}", flags | os.O_CLOEXEC)


def seal(fd: int, seals: int) -> None:
    """Adds seals to a memfd that is open for writing."""
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)


def status_flags(fd: int) -> int:
    """How a descriptor was opened: O_* bits. Raises OSError(EBADF) if it is not open."""
    return fcntl.fcntl(fd, fcntl.F_GETFL)


def mark(fd: int, number: int) -> None:
    """Marks the open file description of `fd` with a number that no other of the file has."""
    writable = status_flags(fd) & os.O_ACCMODE != os.O_RDONLY
    kind = fcntl.F_WRLCK if writable else fcntl.F_RDLCK
    fcntl.fcntl(fd, fcntl.F_OFD_SETLK, _FLOCK.pack(kind, os.SEEK_SET, _FIRST_MARK + number, 1, 0))


def sees_mark(fd: int, number: int) -> bool:
    """Whether another open file description than that of `fd` has this mark.

    Raises:
        OSError: EBADF if `fd` is closed or was opened with O_PATH.
    """
    question = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, _FIRST_MARK + number, 1, 0)
    answer = fcntl.fcntl(fd, fcntl.F_OFD_GETLK, question)
    return bool(_FLOCK.unpack(answer)[0] != fcntl.F_UNLCK)


def free(fd: int, size: int) -> None:
    """Gives the pages back. Whoever has the file open or mapped finds zeros from now on; the size stays."""
    try:
        os.ftruncate(fd, 0)
        os.ftruncate(fd, size)
    except PermissionError:  # sealed against shrinking, which a hole is not
        _punch(fd, size)


def _punch(fd: int, size: int) -> None:
    keep_size, punch_hole = 1, 2  # FALLOC_FL_* of linux/falloc.h
    libc = ctypes.CDLL(None, use_errno=True)
    libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    if libc.fallocate(fd, keep_size | punch_hole, 0, size) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def copy(source: int, start: int, target: int, position: int, length: int) -> None:
    """Copies part of a file into another, a chunk at a time, most of it without passing through this process.

    The position of `source` stays what it was; that of `target`, which must be the caller's alone, does not.

    Raises:
        OSError: EIO if the source turns out to be shorter than it should be.
    """
    os.lseek(target, position, os.SEEK_SET)
    done = 0
    while done < length:
        step = min(CHUNK, length - done)
        try:
            copied = os.sendfile(target, source, start + done, step)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS):
                raise
            copied = _copy_through(source, start + done, target, min(step, 1 << 20))
        if copied == 0:
            raise OSError(errno.EIO, "the file has become shorter while it was loaded")
        done += copied


def _copy_through(source: int, start: int, target: int, length: int) -> int:
    """For files that cannot be sent: through a buffer here."""
    data = memoryview(os.pread(source, length, start))
    written = 0
    while written < len(data):
        written += os.write(target, data[written:])
    return written


def reads_directly(fd: int) -> bool:
    """Whether a file can be read without the page cache, as the driver reads what it loads."""
    mode = os.fstat(fd).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISBLK(mode)):
        return False
    if os.readlink(f"/proc/self/fd/{fd}").startswith("/memfd:"):
        return False
    if status_flags(fd) & os.O_DIRECT:
        return True
    try:
        os.close(reopen(fd, os.O_RDONLY | os.O_DIRECT))
    except PermissionError:
        return True  # a file that somebody else opened for us; the kernel's own driver would not reopen it
    except OSError:
        return False
    return True


def file_size(fd: int) -> int:
    """The size of a file or a block device in bytes."""
    status = os.fstat(fd)
    if not stat.S_ISBLK(status.st_mode):
        return status.st_size
    with closing(_Descriptor(reopen(fd, os.O_RDONLY))) as device:
        return os.lseek(device.fd, 0, os.SEEK_END)


def available_memory() -> int | None:
    """How many bytes the machine could still give, None if it does not say."""
    with suppress(OSError), open("/proc/meminfo", encoding="ascii") as lines:
        return _available(lines)
    return None


def _available(lines: IO[str]) -> int | None:
    for line in lines:
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return None
