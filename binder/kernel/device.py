"""Access to a binder device: what the protocol needs done, and doing it on this machine."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import struct
import threading
from pathlib import Path
from typing import Protocol

from ..errors import BinderError
from ..protocol import Status
from .commands import MIN_READ_SIZE, PROTOCOL_VERSION, WRITE_READ, Ioctl, Writer

# A mebibyte less two pages, as libbinder maps: what can be on its way into this process at one time.
MAPPING_SIZE = 0x100000 - 2 * 4096

# `struct flat_binder_object` for the context manager: accepts descriptors, wants security contexts.
_CONTEXT_MANAGER = struct.Struct("<IIQQ")
_ACCEPTS_FDS = 0x100

_EXTENDED_ERROR = struct.Struct("<IIi")


class DeviceError(BinderError):
    """The device cannot be used. The message names it, the reason and what helps."""


class Device(Protocol):
    """An open binder device of one process. Every method is for the calling thread."""

    @property
    def name(self) -> str:
        """Where it is, for messages."""

    @property
    def pid(self) -> int: ...

    @property
    def uid(self) -> int: ...

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        """Gives commands to the driver and takes what it has for this thread.

        Args:
            writer: the commands; they have been taken when this returns.
            wait: whether to wait for something to arrive; if not, nothing is read.

        Returns:
            The driver's returns.
        """

    def memory(self, address: int, size: int) -> bytes:
        """Bytes of a transaction that has arrived and whose buffer has not been freed."""

    def set_max_threads(self, count: int) -> None:
        """How many threads the driver may ask for."""

    def become_context_manager(self) -> None:
        """Makes this process the one behind handle 0. Raises `DeviceError` if there is one already."""

    def exit_thread(self) -> None:
        """Has the driver forget this thread and what it waited for."""

    def extended_error(self) -> tuple[int, int] | None:
        """The driver's last return and errno for this thread, where it keeps them."""

    def wake(self) -> None:
        """Makes all threads that wait in `write_read` return."""

    def close(self) -> None:
        """Gives the device up. The driver tells everybody who linked to this process's death."""


class LocalDevice:
    """A binder device of this machine, such as `/dev/binder`.

    Raises:
        DeviceError: it is not there, may not be opened, or speaks another version.
    """

    def __init__(self, path: str | Path = "/dev/binder") -> None:
        self.name = str(path)
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise DeviceError(_opening(self.name, error)) from None
        self.pid = os.getpid()
        self.uid = os.geteuid()
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._thread = threading.local()
        try:
            self._check_version()
            self._base = self._map()
        except BaseException:
            os.close(self._fd)
            raise

    def _check_version(self) -> None:
        answer = bytearray(4)
        try:
            fcntl.ioctl(self._fd, Ioctl.VERSION, answer, True)
        except OSError as error:
            raise DeviceError(f"{self.name} is no binder device: {error.strerror}") from None
        version = int.from_bytes(answer, "little", signed=True)
        if version != PROTOCOL_VERSION:
            raise DeviceError(f"{self.name} speaks version {version} of the protocol, not {PROTOCOL_VERSION}")

    def _map(self) -> int:
        self._libc.mmap.restype = ctypes.c_void_p
        self._libc.mmap.argtypes = [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_long,
        ]
        # Python's own mmap does not tell the address, which the driver's pointers are relative to.
        flags = mmap.MAP_PRIVATE | getattr(mmap, "MAP_NORESERVE", 0x4000)
        base = self._libc.mmap(None, MAPPING_SIZE, mmap.PROT_READ, flags, self._fd, 0)
        if base in (None, ctypes.c_void_p(-1).value):
            reason = os.strerror(ctypes.get_errno())
            raise DeviceError(f"{self.name} cannot be mapped: {reason}; one process may open it once")
        return int(base)

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        stream = writer.stream
        kept = []
        for blob in writer.blobs:
            memory = (ctypes.c_char * len(blob.data)).from_buffer_copy(blob.data)
            struct.pack_into("<Q", stream, blob.position, ctypes.addressof(memory))
            kept.append(memory)
        outgoing = (ctypes.c_char * len(stream)).from_buffer(stream) if stream else None
        incoming = self._read_buffer()
        request = bytearray(
            WRITE_READ.pack(
                len(stream),
                0,
                ctypes.addressof(outgoing) if outgoing is not None else 0,
                len(incoming) if wait else 0,
                0,
                ctypes.addressof(incoming),
            )
        )
        self._ioctl(request)
        consumed = WRITE_READ.unpack(request)[4]
        return incoming.raw[:consumed]

    def _read_buffer(self) -> ctypes.Array[ctypes.c_char]:
        found: ctypes.Array[ctypes.c_char] | None = getattr(self._thread, "buffer", None)
        if found is None:
            found = self._thread.buffer = (ctypes.c_char * MIN_READ_SIZE)()
        return found

    def _ioctl(self, request: bytearray) -> None:
        while True:
            try:
                fcntl.ioctl(self._fd, Ioctl.WRITE_READ, request, True)
                return
            except InterruptedError:
                # The driver has noted how far it got, and goes on from there.
                continue
            except OSError as error:
                if error.errno == errno.EBADF:
                    raise DeviceError(f"{self.name} is closed") from None
                raise DeviceError(f"{self.name}: the driver refuses a command: {error.strerror}") from None

    def memory(self, address: int, size: int) -> bytes:
        if not size:
            return b""
        if not self._base <= address <= self._base + MAPPING_SIZE - size:
            raise DeviceError(f"{self.name}: the driver points outside of its mapping, at {address:#x}")
        return ctypes.string_at(address, size)

    def set_max_threads(self, count: int) -> None:
        fcntl.ioctl(self._fd, Ioctl.SET_MAX_THREADS, count.to_bytes(4, "little"))

    def become_context_manager(self) -> None:
        try:
            fcntl.ioctl(self._fd, Ioctl.SET_CONTEXT_MGR_EXT, _CONTEXT_MANAGER.pack(0, _ACCEPTS_FDS, 0, 0))
        except OSError as error:
            raise DeviceError(_becoming(self.name, error)) from None

    def exit_thread(self) -> None:
        fcntl.ioctl(self._fd, Ioctl.THREAD_EXIT, 0)

    def extended_error(self) -> tuple[int, int] | None:
        answer = bytearray(_EXTENDED_ERROR.size)
        try:
            fcntl.ioctl(self._fd, Ioctl.GET_EXTENDED_ERROR, answer, True)
        except OSError:
            return None
        _, command, parameter = _EXTENDED_ERROR.unpack(answer)
        return command, parameter

    def wake(self) -> None:
        # The driver lets all of a process's threads return when any descriptor of the open file is
        # closed; a copy will do.
        os.close(os.dup(self._fd))

    def close(self) -> None:
        self._libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self._libc.munmap(self._base, MAPPING_SIZE)
        os.close(self._fd)


def _opening(name: str, error: OSError) -> str:
    hints = {
        errno.ENOENT: "load the kernel's binder_linux module, or name another device",
        errno.EACCES: "run as a user who may use it",
    }
    hint = hints.get(error.errno or 0)
    return f"{name} cannot be opened: {error.strerror}" + (f"; {hint}" if hint else "")


def _becoming(name: str, error: OSError) -> str:
    hints = {
        errno.EBUSY: "another process is the context manager",
        errno.EPERM: "the device's first context manager ran as another user",
    }
    reason = hints.get(error.errno or 0, error.strerror)
    return f"{name}: cannot become the context manager: {reason} ({Status.PERMISSION_DENIED.name})"
