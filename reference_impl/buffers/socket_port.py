"""The stand-in for processes that are not pretended: a port over a Unix socket, and the server behind it.

A real driver knows who calls; here the socket does (SO_PEERCRED), and it notices when the caller dies. Wraps
are the same descriptors in every process, and each maps them itself: what the rules allow is asked of the
server, what a descriptor allows the kernel decides.

A message is a JSON object with descriptors beside it (SCM_RIGHTS). A question has `do`, the call's name, and
its arguments, bytes as hex; an answer has `result`, or `errno` and `why`. One question at a time.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from . import areas
from .pages import Pages
from .standin import StandInDriver, StandInMapping
from .wrapfd import LOAD_STRUCT, Request

_LONGEST: Final = 4096
_MOST_FDS: Final = 2
_FD: Final = struct.Struct("<I")  # both structs that name another descriptor begin with it
_CREDENTIALS: Final = struct.Struct("3i")  # pid, uid, gid
ANSWER_SECONDS: Final = 60.0

Message = dict[str, Any]


def _send(connection: socket.socket, message: Message, fds: list[int]) -> None:
    socket.send_fds(connection, [json.dumps(message).encode()], fds)


def _receive(connection: socket.socket) -> tuple[Message, list[int]]:
    """The next message; an empty one when the other side has gone."""
    data, fds, _, _ = socket.recv_fds(connection, _LONGEST, _MOST_FDS)
    try:
        message = json.loads(data) if data else {}
        if not isinstance(message, dict):
            raise ValueError("no object")
    except ValueError:
        for fd in fds:
            os.close(fd)
        raise OSError(errno.EPROTO, "a message that is no JSON object") from None
    return message, fds


class SocketMapping:
    """A mapping in this process that the server counts."""

    def __init__(self, port: SocketPort, number: int, pages: Pages) -> None:
        self._port, self._number, self._pages = port, number, pages
        self._closed = False

    @property
    def view(self) -> memoryview:
        return self._pages.view

    def unmap(self, offset: int, length: int) -> None:
        end = min(areas.page_range(offset, length), areas.whole_pages(self._pages.length))
        self._port.ask("unmap", number=self._number, offset=offset, length=length)
        if end > offset:
            self._pages.remove(offset, end - offset)

    def protect(self, offset: int, length: int, prot: int) -> None:
        end = areas.page_range(offset, length)
        self._port.ask("protect", number=self._number, offset=offset, length=length, prot=prot)
        self._pages.protect(offset, end - offset, prot)

    def close(self) -> None:
        if not self._closed:
            self._pages.close()
            self._closed = True
            self._port.ask("close", number=self._number)


class SocketPort:
    """This process's way to a stand-in that another process serves.

    Args:
        path: of the server's socket.

    Raises:
        OSError: nobody serves there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._connection.settimeout(ANSWER_SECONDS)
            self._connection.connect(str(path))
        except OSError:
            self._connection.close()
            raise

    @property
    def name(self) -> str:
        return f"stand-in at {self._path}"

    def ask(self, do: str, *fds: int, **arguments: Any) -> tuple[Any, list[int]]:
        """A question. Returns the result, and the descriptors that came with it."""
        with self._lock:
            _send(self._connection, {"do": do, **arguments}, list(fds))
            answer, received = _receive(self._connection)
        if not answer:
            raise OSError(errno.ECONNRESET, "the stand-in has gone")
        if answer.get("errno"):
            raise OSError(answer["errno"], answer.get("why", ""))
        return answer.get("result"), received

    def wrap(self, argument: bytes) -> int:
        (fd,) = _FD.unpack_from(argument)
        _, (made,) = self.ask("wrap", *_open_ones(fd), argument=argument.hex())
        return made

    def ioctl(self, fd: int, request: int, argument: bytes) -> tuple[int, bytes]:
        named = _FD.unpack_from(argument) if request == Request.LOAD else ()
        (result, changed), made = self.ask(
            "ioctl", fd, *_open_ones(*named), request=request, argument=argument.hex()
        )
        return made[0] if made else result, bytes.fromhex(changed)

    def mmap(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> SocketMapping:
        number, _ = self.ask("mmap", fd, length=length, prot=prot, shared=shared, offset=offset)
        try:
            return SocketMapping(self, number, Pages(fd, length, prot, shared=shared, offset=offset))
        except OSError:
            self.ask("close", number=number)
            raise

    def lseek(self, fd: int, offset: int, whence: int) -> int:
        found, _ = self.ask("lseek", fd, offset=offset, whence=whence)
        return int(found)

    def fdinfo(self, fd: int) -> dict[str, str]:
        lines, _ = self.ask("fdinfo", fd)
        return dict(lines)

    def collect(self) -> None:
        self.ask("collect")

    def close(self) -> None:
        """Ends the connection, which to the server is this process's death."""
        self._connection.close()


def _open_ones(*fds: int) -> list[int]:
    """What can be sent: a descriptor that is not open, or is none at all, is missed on the other side."""
    sendable = []
    for fd in fds:
        with suppress(OSError, OverflowError):
            os.fstat(fd)
            sendable.append(fd)
    return sendable


class SocketServer:
    """Serves a stand-in to other processes, each on a thread of its own, until it is closed.

    Args:
        driver: what is served.
        path: where to listen; must not exist.
    """

    def __init__(self, driver: StandInDriver, path: Path) -> None:
        self._driver = driver
        self._path = path
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._listener.bind(str(path))
            self._listener.listen()
        except OSError:
            self._listener.close()
            raise
        self._threads = [threading.Thread(target=self._accept, name="wrapfd", daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        """Ends all connections and waits for their threads."""
        with self._lock:
            # Only this wakes a thread that waits for somebody to connect.
            for connection in (self._listener, *self._connections):
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=5)
        self._listener.close()
        self._path.unlink(missing_ok=True)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._connections.append(connection)
                thread = threading.Thread(target=self._serve, args=(connection,), name="wrapfd", daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection: socket.socket) -> None:
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        pid, _, _ = _CREDENTIALS.unpack(credentials)
        process = _Served(self._driver, pid)
        try:
            while True:
                question, fds = _receive(connection)
                if not question:
                    return
                answer, made = process.answer(question, fds)
                try:
                    _send(connection, answer, made)
                finally:
                    for fd in (*fds, *made):
                        os.close(fd)
        except OSError:
            return  # it has died while it was answered
        finally:
            self._driver.exit(pid)
            with self._lock:
                self._connections.remove(connection)
            connection.close()


class _Served:
    """One process that is served."""

    def __init__(self, driver: StandInDriver, pid: int) -> None:
        self._driver = driver
        self._port = driver.port(pid)
        self._mappings: dict[int, StandInMapping] = {}

    def answer(self, question: Message, fds: list[int]) -> tuple[Message, list[int]]:
        made: list[int] = []
        try:
            call = CALLS.get(str(question.pop("do", "")))
            if call is None:
                raise OSError(errno.ENOSYS, "there is no such call")
            return {"result": call(self, fds, made, **question)}, made
        except OSError as error:
            return {"errno": error.errno, "why": error.strerror or ""}, []
        except (TypeError, ValueError, LookupError, struct.error) as error:
            return {"errno": errno.EPROTO, "why": f"bad arguments: {error}"}, []

    def wrap(self, fds: list[int], made: list[int], argument: str) -> int:
        named = _naming(bytes.fromhex(argument), fds)
        made.append(self._port.wrap(named))
        return 0

    def ioctl(self, fds: list[int], made: list[int], request: int, argument: str) -> tuple[int, str]:
        data = bytes.fromhex(argument)
        if request == Request.LOAD and len(data) == LOAD_STRUCT.size:
            data = _naming(data, fds[1:])
        result, changed = self._port.ioctl(fds[0], request, data)
        if request == Request.REWRAP:
            made.append(result)
        return result, changed.hex()

    def mmap(self, fds: list[int], made: list[int], length: int, prot: int, shared: bool, offset: int) -> int:
        mapping = self._port.mmap(fds[0], length, prot, shared=shared, offset=offset)
        number = max(self._mappings, default=0) + 1
        self._mappings[number] = mapping
        return number

    def unmap(self, fds: list[int], made: list[int], number: int, offset: int, length: int) -> None:
        self._mappings[number].unmap(offset, length)

    def protect(
        self, fds: list[int], made: list[int], number: int, offset: int, length: int, prot: int
    ) -> None:
        self._mappings[number].protect(offset, length, prot)

    def close(self, fds: list[int], made: list[int], number: int) -> None:
        self._mappings.pop(number).close()

    def lseek(self, fds: list[int], made: list[int], offset: int, whence: int) -> int:
        return self._port.lseek(fds[0], offset, whence)

    def fdinfo(self, fds: list[int], made: list[int]) -> dict[str, str]:
        return self._port.fdinfo(fds[0])

    def collect(self, fds: list[int], made: list[int]) -> None:
        self._port.collect()


def _naming(argument: bytes, fds: list[int]) -> bytes:
    """The struct with the descriptor that came in place of the sender's number, or one that is not open."""
    return _FD.pack(fds[0] if fds else 0xFFFFFFFF) + argument[_FD.size :]


CALLS: Final[Mapping[str, Callable[..., Any]]] = {
    name: getattr(_Served, name)
    for name in "wrap ioctl mmap unmap protect close lseek fdinfo collect".split()
}
