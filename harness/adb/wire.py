"""A connection to adb's server. What adbutils 2.12.0 does wrong on the wire is put right here.

| adbutils | here |
|---|---|
| starts a server when none answers, whichever adb it finds | says that none answers |
| waits 3 s to connect, then for ever or ten minutes | one deadline for everything |
| `send` may send a part | all of it |
| joins what it reads in quadratic time | in linear time |
| a cut is an EOFError, a ValueError or a short answer | `LinkLost` |
| a request of more than 65535 bytes gets a length of five digits | refused |
| sleeps 10 ms at every close | does not |
| knows IPv4 only | IPv6, too |
| its socket closes when the connection object is collected | whoever has a `Link` has the socket |

Lists of devices: `server`. Shell: `shell`. Sync: `sync`.
"""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress
from types import TracebackType
from typing import Self

from adbutils import AdbConnection

from .deadline import Deadline
from .errors import AdbError, LinkLost, NoServer, Refused

_CHUNK = 1 << 16
_LONGEST_REQUEST = 0xFFFF
# Watches one socket for one event; the ones that need a descriptor of their own cost more.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


class _Framing(AdbConnection):  # type: ignore[misc]  # adbutils has no types
    """adbutils' framing over a link that we opened: its own constructor may start a server."""

    def __init__(self, link: Link) -> None:
        self._link = link

    @property
    def conn(self) -> Link:
        return self._link

    def _read_fully(self, size: int) -> bytes:
        return self._link.read_exact(size)


class Link:
    """One connection to adb's server. One thread may read while another writes.

    Args:
        host, port: where the server is.
        deadline: for everything that is not given one of its own.

    Raises:
        NoServer: nothing answers there.
        TimedOut: no connection came about in time.
    """

    def __init__(self, host: str, port: int, deadline: Deadline) -> None:
        self.deadline = deadline
        self._closed = False
        self._socket = _connected(host, port, deadline)
        self._framing = _Framing(self)

    def request(self, service: str) -> None:
        """Asks for a service. Raises `Refused` with the server's reason."""
        if len(service.encode()) > _LONGEST_REQUEST:
            raise AdbError(f"a request of {len(service.encode())} bytes is longer than adb's 65535")
        self._framing.send_command(service)
        status = self.read_exact(4)
        if status == b"FAIL":
            raise Refused(service, self.read_block())
        if status != b"OKAY":
            raise NoServer(
                f"what answers to {service!r} is no adb server: it said {status!r}",
                "see which program has the port",
            )

    def read_block(self) -> str:
        """A text whose length comes first."""
        try:
            text: str = self._framing.read_string_block()
        except ValueError:
            raise LinkLost(f"{self.deadline.doing}: what came is no text of adb's") from None
        return text

    def read(self, size: int, deadline: Deadline | None = None) -> bytes:
        """At least one byte and at most `size`; nothing at the end of the stream. Raises `LinkLost`."""
        while True:
            try:
                return self._socket.recv(size)
            except BlockingIOError:
                if not self._wait(selectors.EVENT_READ, deadline or self.deadline):
                    return b""
            except OSError as error:
                if self._closed:
                    return b""
                raise self._lost(error, deadline or self.deadline) from None

    def read_exact(self, size: int) -> bytes:
        """So many bytes. Raises `LinkLost` if the stream ends before."""
        data = self._up_to(size)
        if len(data) < size:
            raise LinkLost(f"{self.deadline.doing}: the connection ended after {len(data)} of {size} bytes")
        return data

    def read_all(self) -> bytes:
        """Everything to the end of the stream."""
        data = bytearray()
        while chunk := self.read(_CHUNK):
            data += chunk
        return bytes(data)

    def write(self, data: bytes, deadline: Deadline | None = None) -> None:
        """Writes all of it. Raises `LinkLost` if nobody takes it any more."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                if not self._wait(selectors.EVENT_WRITE, deadline or self.deadline):
                    raise self._lost(None, deadline or self.deadline) from None
            except OSError as error:
                raise self._lost(error, deadline or self.deadline) from None

    send = write

    def close_write(self) -> None:
        """Says that nothing more is written; what is to be read still comes."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Ends the connection, and a `read` in which another thread waits."""
        self._closed = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _up_to(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size and (chunk := self.read(min(size - len(data), 1 << 20))):
            data += chunk
        return bytes(data)

    def _wait(self, event: int, deadline: Deadline) -> bool:
        """Whether something can be done; False if the socket was closed meanwhile. Raises `TimedOut`."""
        with _Selector() as selector:
            try:
                selector.register(self._socket, event)
            except (ValueError, OSError):  # closed by another thread
                return False
            if not selector.select(deadline.remaining()):
                raise deadline.missed()
        return not self._closed

    def _lost(self, error: OSError | None, deadline: Deadline) -> LinkLost:
        if error is None or self._closed:
            return LinkLost(f"{deadline.doing}: the connection is closed")
        return LinkLost(f"{deadline.doing}: the connection was lost ({error.strerror or error})")


def _connected(host: str, port: int, deadline: Deadline) -> socket.socket:
    try:
        connected = socket.create_connection((host, port), deadline.remaining())
    except TimeoutError:
        raise deadline.missed() from None
    except OSError as error:
        raise NoServer(
            f"no adb server answers at {host}:{port} ({error.strerror or error})",
            "start one there: adb start-server",
        ) from None
    except UnicodeError:
        raise NoServer(f"{host!r} is no name of a host", "write HOST:PORT") from None
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connected.setblocking(False)
    return connected
