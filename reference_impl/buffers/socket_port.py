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
import select
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

from . import areas
from .pages import Pages
from .standin import StandInDriver, StandInMapping
from .wrapfd import LOAD_STRUCT, Request, View

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
    return _understood(data, fds, os.close), fds


def _understood(data: bytes, fds: list[int], close: Callable[[int], None]) -> Message:
    """A message that came with descriptors, which are closed if it makes no sense."""
    try:
        message = json.loads(data) if data else {}
        if not isinstance(message, dict):
            raise ValueError("no object")
    except ValueError:
        for fd in fds:
            close(fd)
        raise OSError(errno.EPROTO, "a message that is no JSON object") from None
    return message


class Mapped(Protocol):
    """Memory that a process has mapped from a descriptor."""

    length: int

    @property
    def view(self) -> View: ...

    def remove(self, offset: int, length: int) -> None:
        """Takes whole pages away."""

    def protect(self, offset: int, length: int, prot: int) -> None: ...

    def close(self) -> None: ...


class Channel(Protocol):
    """A process's connection to a server, and what it does with its own descriptors."""

    @property
    def name(self) -> str: ...

    def exchange(self, data: bytes, fds: list[int]) -> tuple[bytes, list[int]]:
        """Sends a message and waits for the answer, which is empty if the server has gone."""

    def is_open(self, fd: int) -> bool: ...

    def map(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> Mapped: ...

    def close_fd(self, fd: int) -> None: ...

    def close(self) -> None: ...


class LocalChannel:
    """This process's own connection.

    Raises:
        OSError: nobody serves there.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._connection.settimeout(ANSWER_SECONDS)
            self._connection.connect(str(path))
        except OSError:
            self._connection.close()
            raise

    def exchange(self, data: bytes, fds: list[int]) -> tuple[bytes, list[int]]:
        socket.send_fds(self._connection, [data], fds)
        answer, received, _, _ = socket.recv_fds(self._connection, _LONGEST, _MOST_FDS)
        return answer, received

    def is_open(self, fd: int) -> bool:
        try:
            os.fstat(fd)
        except (OSError, OverflowError):
            return False
        return True

    def map(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> Pages:
        return Pages(fd, length, prot, shared=shared, offset=offset)

    def close_fd(self, fd: int) -> None:
        os.close(fd)

    def close(self) -> None:
        self._connection.close()


class SocketMapping:
    """A mapping in the process that the server counts."""

    def __init__(self, port: SocketPort, number: int, pages: Mapped) -> None:
        self._port, self._number, self._pages = port, number, pages
        self._closed = False

    @property
    def view(self) -> View:
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
    """A process's way to a stand-in that another process serves.

    Args:
        channel: the process's connection; it belongs to this object from now on.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._unanswered = False  # what comes next could be the answer to another question
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return f"stand-in at {self._channel.name}"

    def ask(self, do: str, *fds: int, **arguments: Any) -> tuple[Any, list[int]]:
        """A question. Returns the result, and the descriptors that came with it."""
        with self._lock:
            if self._unanswered:
                raise OSError(errno.ECONNRESET, "the stand-in has not answered before")
            try:
                said, received = self._channel.exchange(
                    json.dumps({"do": do, **arguments}).encode(), list(fds)
                )
            except TimeoutError:
                self._unanswered = True
                raise
        answer = _understood(said, received, self._channel.close_fd)
        if not answer:
            raise OSError(errno.ECONNRESET, "the stand-in has gone")
        if answer.get("errno"):
            raise OSError(answer["errno"], answer.get("why", ""))
        return answer.get("result"), received

    def wrap(self, argument: bytes) -> int:
        (fd,) = _FD.unpack_from(argument)
        _, (made,) = self.ask("wrap", *self._open_ones(fd), argument=argument.hex())
        return made

    def ioctl(self, fd: int, request: int, argument: bytes) -> tuple[int, bytes]:
        named = _FD.unpack_from(argument) if request == Request.LOAD else ()
        (result, changed), made = self.ask(
            "ioctl", fd, *self._open_ones(*named), request=request, argument=argument.hex()
        )
        return made[0] if made else result, bytes.fromhex(changed)

    def mmap(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> SocketMapping:
        number, _ = self.ask("mmap", fd, length=length, prot=prot, shared=shared, offset=offset)
        try:
            return SocketMapping(
                self, number, self._channel.map(fd, length, prot, shared=shared, offset=offset)
            )
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

    def allocate(self, heap: str, size: int) -> int:
        """A dma-buf of a heap that the server has."""
        _, (made,) = self.ask("allocate", heap=heap, size=size)
        return made

    def close(self) -> None:
        """Ends the connection, which to the server is this process's death."""
        self._channel.close()

    def _open_ones(self, *fds: int) -> list[int]:
        """What can be sent: a descriptor that is not open, or is none at all, is missed on the other side."""
        return [fd for fd in fds if self._channel.is_open(fd)]


class SocketServer:
    """Serves a stand-in to other processes, each on a thread of its own, until it is closed.

    Args:
        driver: what is served.
        path: where to listen; must not exist. A text that begins with a zero is a name of the kernel's.
    """

    def __init__(self, driver: StandInDriver, path: Path | str) -> None:
        self._driver = driver
        self._path = path
        self._lock = threading.Lock()
        self._connections: dict[socket.socket, int] = {}  # and whose they are
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
        if isinstance(self._path, Path):
            self._path.unlink(missing_ok=True)

    def notice_deaths(self) -> None:
        """Lets go what belonged to processes that have ended, as a kernel does before anybody can look."""
        with self._lock:
            gone = select.poll()
            pids = {connection.fileno(): pid for connection, pid in self._connections.items()}
            for number in pids:
                gone.register(number, 0)
            for number, _ in gone.poll(0):
                self._driver.exit(pids[number])

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            pid, _, _ = _CREDENTIALS.unpack(credentials)
            with self._lock:
                self._connections[connection] = pid
                thread = threading.Thread(
                    target=self._serve, args=(connection, pid), name="wrapfd", daemon=True
                )
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection: socket.socket, pid: int) -> None:
        process = _Served(self._driver, pid)
        try:
            while True:
                question, fds = _receive(connection)
                if not question:
                    return
                self.notice_deaths()
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
                del self._connections[connection]
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

    def allocate(self, fds: list[int], made: list[int], heap: str, size: int) -> None:
        made.append(self._driver.contents.allocate(heap, size, name=b"scenario"))

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
    for name in "wrap ioctl mmap unmap protect close allocate lseek fdinfo collect".split()
}
