"""Access to a binder device: what the protocol needs done, and doing it on this machine."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import struct
import threading
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from weakref import WeakSet

from ..errors import BinderError
from ..fds import ParcelFileDescriptor
from .commands import MIN_READ_SIZE, PROTOCOL_VERSION, WRITE_READ, Ioctl, Writer

# A mebibyte less two pages, as libbinder maps: what can be on its way into this process at one time.
MAPPING_SIZE = 0x100000 - 2 * 4096

# `struct flat_binder_object` for the context manager: accepts descriptors, wants security contexts.
_CONTEXT_MANAGER = struct.Struct("<IIQQ")
_ACCEPTS_FDS = 0x100

_EXTENDED_ERROR = struct.Struct("<IIi")
_ADDRESS = struct.Struct("<Q")

# Of each thread, for its commands and what they refer to; what is larger gets memory of its own.
_OUTGOING_SIZE = 16 * 1024

_MAP_FIXED = 0x10
_MAP_FAILED = ctypes.c_void_p(-1).value
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = (
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
)
_libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)


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
            writer: the commands; they have been taken when this returns. If it is interrupted,
                `writer.taken` says how many bytes of them were.
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

    def descriptor(self, fd: int) -> ParcelFileDescriptor:
        """What this process may do with a descriptor that the driver has installed; it owns it now."""

    def wake(self) -> None:
        """Makes all threads that wait in `write_read` return."""

    def close(self) -> None:
        """Gives the device up. The driver tells everybody who linked to this process's death."""


class _Exchange:
    """One thread's memory for talking to the driver, used again and again."""

    __slots__ = ("address", "busy", "incoming", "incoming_address", "memory", "outgoing", "request")

    def __init__(self, size: int = _OUTGOING_SIZE) -> None:
        self.busy = False
        self.memory = (ctypes.c_char * (size + MIN_READ_SIZE))()
        self.address = ctypes.addressof(self.memory)
        view = memoryview(self.memory).cast("B")
        self.outgoing, self.incoming = view[:size], view[size:]
        self.incoming_address = self.address + size
        self.request = bytearray(WRITE_READ.size)

    def load(self, writer: Writer, *, wait: bool) -> None:
        """Places commands, and what they refer to, where the driver will look for them."""
        stream, position = writer.stream, len(writer.stream)
        for blob in writer.blobs:
            end = position + len(blob.data)
            self.outgoing[position:end] = blob.data
            _ADDRESS.pack_into(stream, blob.position, self.address + position)
            position = end
        self.outgoing[: len(stream)] = stream
        read_size = MIN_READ_SIZE if wait else 0
        WRITE_READ.pack_into(
            self.request, 0, len(stream), 0, self.address, read_size, 0, self.incoming_address
        )

    def returned(self) -> bytes:
        """What the driver has said."""
        return bytes(self.incoming[: WRITE_READ.unpack(self.request)[4]])


_NOTHING_YET = bytes(WRITE_READ.size)


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
        self._unusable = ""
        self._base = 0
        self._thread = threading.local()
        try:
            self._check_version()
            self._base = self._map()
        except BaseException:
            os.close(self._fd)
            raise
        self._arrived = memoryview((ctypes.c_char * MAPPING_SIZE).from_address(self._base)).cast("B")
        with suppress(OSError):
            # So that whoever floods another process with oneway calls hears of it.
            fcntl.ioctl(self._fd, Ioctl.ENABLE_ONEWAY_SPAM_DETECTION, (1).to_bytes(4, "little"))
        _opened.add(self)

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
        # Python's own mmap does not tell the address, which the driver's pointers are relative to.
        flags = mmap.MAP_PRIVATE | getattr(mmap, "MAP_NORESERVE", 0x4000)
        base = _libc.mmap(None, MAPPING_SIZE, mmap.PROT_READ, flags, self._fd, 0)
        if base in (None, _MAP_FAILED):
            reason = os.strerror(ctypes.get_errno())
            raise DeviceError(f"{self.name} cannot be mapped: {reason}; one process may open it once")
        return int(base)

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        exchange: _Exchange | None = getattr(self._thread, "exchange", None)
        if exchange is None:
            exchange = self._thread.exchange = _Exchange()
        needed = len(writer.stream) + sum(len(blob.data) for blob in writer.blobs)
        if exchange.busy or needed > _OUTGOING_SIZE:
            # In use by what a signal handler has interrupted, or too small for this once.
            exchange = _Exchange(max(needed, _OUTGOING_SIZE))
        exchange.busy = True
        exchange.request[:] = _NOTHING_YET
        try:
            exchange.load(writer, wait=wait)
            self._ioctl(exchange.request)
            writer.returned = exchange.returned()
            return writer.returned
        except BaseException:
            # A signal handler may have raised this, also between the driver's answer and here.
            _, writer.taken, _, _, _, _ = WRITE_READ.unpack(exchange.request)
            writer.returned = exchange.returned()
            raise
        finally:
            exchange.busy = False

    def _ioctl(self, request: bytearray) -> None:
        while True:
            try:
                fcntl.ioctl(self._fd, Ioctl.WRITE_READ, request, True)
                return
            except InterruptedError:
                # The driver has noted how far it got, and goes on from there.
                continue
            except OSError as error:
                if self._unusable:
                    raise DeviceError(f"{self.name} {self._unusable}") from None
                raise DeviceError(f"{self.name}: the driver refuses a command: {error.strerror}") from None

    def memory(self, address: int, size: int) -> bytes:
        if not size:
            return b""
        if not self._base <= address <= self._base + MAPPING_SIZE - size:
            raise DeviceError(f"{self.name}: the driver points outside of its mapping, at {address:#x}")
        start = address - self._base
        return bytes(self._arrived[start : start + size])

    def set_max_threads(self, count: int) -> None:
        fcntl.ioctl(self._fd, Ioctl.SET_MAX_THREADS, count.to_bytes(4, "little"))

    def become_context_manager(self) -> None:
        try:
            try:
                fcntl.ioctl(self._fd, Ioctl.SET_CONTEXT_MGR_EXT, _CONTEXT_MANAGER.pack(0, _ACCEPTS_FDS, 0, 0))
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.ENOTTY):
                    raise
                # A kernel before 5.1, whose context managers take no descriptors.
                fcntl.ioctl(self._fd, Ioctl.SET_CONTEXT_MGR, 0)
        except OSError as error:
            raise DeviceError(_becoming(self.name, error)) from None

    def exit_thread(self) -> None:
        with suppress(OSError):
            fcntl.ioctl(self._fd, Ioctl.THREAD_EXIT, 0)

    def extended_error(self) -> tuple[int, int] | None:
        answer = bytearray(_EXTENDED_ERROR.size)
        try:
            fcntl.ioctl(self._fd, Ioctl.GET_EXTENDED_ERROR, answer, True)
        except OSError:
            return None
        _, command, parameter = _EXTENDED_ERROR.unpack(answer)
        return command, parameter

    def descriptor(self, fd: int) -> ParcelFileDescriptor:
        return ParcelFileDescriptor(fd)

    def wake(self) -> None:
        # The driver lets all of a process's threads return when any descriptor of the open file is
        # closed; a copy will do.
        with suppress(OSError):
            os.close(os.dup(self._fd))

    def close(self) -> None:
        if self._unusable:
            return
        self._unusable = "is closed"
        self._replace()
        # Another thread may be about to copy what had arrived: it finds zeros, rather than nothing.
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_FIXED
        _libc.mmap(self._base, MAPPING_SIZE, mmap.PROT_READ, flags, -1, 0)

    def _replace(self) -> None:
        """Gives the device up, but keeps the number: a thread may be about to use it."""
        try:
            null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            # No number is free; this one will be.
            os.close(self._fd)
            null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        if null != self._fd:
            os.dup2(null, self._fd, inheritable=False)
            os.close(null)

    def disown(self) -> None:
        """For a child of the process that opened it, which has the descriptor but not the mapping."""
        if not self._unusable:
            self._unusable = f"was opened by process {self.pid}; a child has to open it anew"
            # Held here, the device would not notice its owner's death.
            self._replace()
        self._base, self._arrived = 0, memoryview(bytes(MAPPING_SIZE))

    def __del__(self) -> None:
        # One that could not be opened has no mapping.
        if getattr(self, "_base", 0):
            self._arrived.release()
            _libc.munmap(self._base, MAPPING_SIZE)
            os.close(self._fd)


_opened: WeakSet[LocalDevice] = WeakSet()


def _disown_all() -> None:
    for device in list(_opened):
        device.disown()


os.register_at_fork(after_in_child=_disown_all)


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
    return f"{name}: cannot become the context manager: {reason}"
