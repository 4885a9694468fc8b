"""A binder device that an agent has open for this process: the host's side of docs/agent.md."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from itertools import count

from ..errors import DeadObjectError, StatusError
from ..protocol import Status
from .commands import Writer
from .device import DeviceError
from .framing import (
    EXTENDED_ERROR,
    LONGEST_CHUNK,
    OPEN_FILE,
    U32,
    OpenFlag,
    Operation,
    Returns,
    TooLongError,
    pack_commands,
    unpack,
    unpack_returns,
)
from .link import ANSWER_SECONDS, HANDSHAKE_SECONDS, Link, Loss, NoAnswerError, Pending
from .observed import ObservedProcess, Observer
from .remote_file import RemoteFile
from .streams import ProcessStream, SocketStream, Stream

__all__ = ["ProcessStream", "RemoteDevice", "RemoteFile", "RemoteProcess", "SocketStream", "Stream"]

log = logging.getLogger("binder.kernel")

CALL_SECONDS = 60.0
"""How long another process may take to answer a call, unless said otherwise."""

_WAKE_SECONDS = 0.05
_WAKES = 100
_JOIN_SECONDS = 5.0


class _Seat:
    """What a thread of this process is to the agent: a thread there, which leaves with this object."""

    def __init__(self, link: Link, number: int) -> None:
        self.number = number
        self.busy = False
        self.arrived: dict[int, bytes] = {}
        self._link: Link | None = link

    def leave(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.tell(Operation.EXIT_THREAD, thread=self.number)

    def __del__(self) -> None:
        with suppress(Exception):  # when the interpreter ends, anything may be gone already
            self.leave()


class RemoteDevice:
    """A binder device as a `Device` for `KernelProcess`, opened by an agent at the other end of a stream.

    Args:
        stream: to a fresh agent; it belongs to this object from now on.
        path: the device; if it is empty, the agent opens none and only serves descriptors.
        uid: whom the agent should run as; as it does unless given.
        name: of the agent, for messages.
        timeout: how long the agent may take until it has opened the device, in seconds.
        call_seconds: how long another process may take to answer a call; for ever if None.

    Raises:
        DeviceError: the other end is no agent, is one of another version, or cannot open the device.
    """

    def __init__(
        self,
        stream: Stream,
        path: str = "/dev/binder",
        *,
        uid: int | None = None,
        name: str = "an agent",
        timeout: float = HANDSHAKE_SECONDS,
        call_seconds: float | None = CALL_SECONDS,
    ) -> None:
        self._link = Link(stream, path, uid=uid, name=name, timeout=timeout)
        self.pid, self.uid, self.name = self._link.pid, self._link.uid, self._link.name
        self.call_seconds = call_seconds
        self._local = threading.local()
        self._numbers = count(1)

    # --- asking ------------------------------------------------------------------------------------

    def _seat(self) -> _Seat:
        seat: _Seat | None = getattr(self._local, "seat", None)
        if seat is None:
            seat = self._local.seat = _Seat(self._link, next(self._numbers))
        return seat

    def ask(
        self, operation: Operation, payload: bytes = b"", *, by_thread: bool = False, seconds: float = 0
    ) -> bytes:
        """Has the agent do something and waits for what comes of it.

        Args:
            operation, payload: what to do.
            by_thread: whether it may take its time, so that a thread of the agent's has to do it.
            seconds: how long that may take, beside what an agent needs anyway.

        Raises:
            AgentError: it could not be done, or, as a `NoAnswerError`, not in time.
            DeviceError, DeadObjectError: the agent is lost.
        """
        thread = self._seat().number if by_thread else 0
        try:
            return self._link.ask(operation, payload, thread, seconds + ANSWER_SECONDS)
        except NoAnswerError:
            if by_thread:
                # The agent's thread is still at it; what comes next is for another one.
                self._local.seat = None
            raise

    def tell(self, operation: Operation, payload: bytes = b"") -> None:
        """Has the agent do something. If it has ended, that is done already."""
        self._link.tell(operation, payload)

    def described(self) -> str:
        """One line about the agent, for people who look into a failure."""
        return self._link.described()

    @property
    def lost(self) -> bool:
        """Whether the agent has ended, or cannot be understood any more."""
        return self._link.lost

    def wait_until_lost(self, timeout: float) -> bool:
        """Waits for the agent's end. Returns whether it has come."""
        return self._link.wait_until_lost(timeout)

    # --- a device ----------------------------------------------------------------------------------

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        seat = self._seat()
        try:
            commands = pack_commands(writer)
            if not wait:
                # A finaliser may come here while the thread waits below; what it says concerns no thread.
                self._link.tell(Operation.WRITE, commands, 0 if seat.busy else seat.number)
                return b""
            seat.busy = True
            pending = self._link.begin(Operation.WRITE_READ, commands, seat.number)
            returns = self._wait(pending, writer)
        except TooLongError as error:
            raise StatusError(Status.FAILED_TRANSACTION, f"{self.name}: {error}") from None
        finally:
            seat.busy = False
        # One transaction or reply at most comes in one go, and it is taken before the thread waits again.
        seat.arrived = returns.blocks
        return returns.stream

    def _wait(self, pending: Pending, writer: Writer) -> Returns:
        seconds = None if writer.patient else self.call_seconds
        try:
            return unpack_returns(pending.result(seconds))
        except NoAnswerError:
            if not self._recall(pending, writer):
                raise DeviceError(f"{self.name}: the agent does not answer any more") from None
            message = f"{self.name}: the other process does not answer within {seconds:g} s"
            raise StatusError(Status.TIMED_OUT, message) from None
        except (DeviceError, DeadObjectError):
            raise
        except BaseException:
            # Somebody has interrupted the wait.
            self._recall(pending, writer)
            raise

    def _recall(self, pending: Pending, writer: Writer) -> bool:
        """Has the agent's thread return from the driver, and notes how far it has got.

        Returns whether it has. If not, the agent is given up: what its thread does is not known.
        """
        for _ in range(_WAKES):
            # More than once, as the thread may not have been in the driver yet.
            self._link.tell(Operation.WAKE)
            with suppress(NoAnswerError):
                returns = unpack_returns(pending.result(_WAKE_SECONDS))
                writer.taken, writer.returned = returns.taken, returns.stream
                self._seat().arrived = returns.blocks
                return True
        self._link.give_up(Loss(DeviceError, f"{self.name}: the agent does not answer any more"))
        return False

    def memory(self, address: int, size: int) -> bytes:
        if not size:
            return b""
        content = self._seat().arrived.get(address, b"")[:size]
        if len(content) != size:
            raise DeviceError(f"{self.name}: the agent did not send the {size} bytes at {address:#x}")
        return content

    def set_max_threads(self, count: int) -> None:
        self.ask(Operation.SET_MAX_THREADS, U32.pack(count))

    def become_context_manager(self) -> None:
        self.ask(Operation.BECOME_MANAGER)

    def exit_thread(self) -> None:
        seat: _Seat | None = self._local.__dict__.pop("seat", None)
        if seat is not None:
            seat.leave()

    def extended_error(self) -> tuple[int, int] | None:
        known, command, parameter = unpack(EXTENDED_ERROR, self.ask(Operation.EXTENDED_ERROR, by_thread=True))
        return (command, parameter) if known else None

    def descriptor(self, fd: int) -> RemoteFile:
        return RemoteFile(fd, self)

    def wake(self) -> None:
        self.tell(Operation.WAKE)

    def close(self) -> None:
        self.tell(Operation.CLOSE)
        self._link.end()

    # --- what only an agent can do -------------------------------------------------------------------

    def kill(self) -> None:
        """Ends the agent by SIGKILL, and waits until it is gone."""
        self.tell(Operation.KILL)
        gone = self.wait_until_lost(_JOIN_SECONDS)
        self._link.end()
        if not gone:
            raise DeviceError(f"{self.name}: the agent does not die")

    def create_file(self, content: bytes = b"") -> RemoteFile:
        """A file of the agent's, in its memory, to be sent in parcels and read afterwards."""
        (fd,) = unpack(U32, self.ask(Operation.CREATE_FILE, content[:LONGEST_CHUNK]))
        file = RemoteFile(fd, self)
        file.write(content[LONGEST_CHUNK:], LONGEST_CHUNK)
        return file

    def open_file(self, path: str, flags: OpenFlag = OpenFlag.READ, mode: int = 0o600) -> RemoteFile:
        """A file, or a device, of the agent's machine. Raises `AgentError`."""
        payload = OPEN_FILE.pack(flags, mode) + path.encode()
        (fd,) = unpack(U32, self.ask(Operation.OPEN_FILE, payload, by_thread=True))
        return RemoteFile(fd, self)


class RemoteProcess(ObservedProcess):
    """A process whose binder calls an agent makes: what it is to others, the agent is.

    Args:
        device: to a fresh agent; it belongs to this object from now on.
        observer: hears of the transactions that come in.
    """

    device: RemoteDevice

    def __init__(self, device: RemoteDevice, observer: Observer) -> None:
        # One thread serves calls, so that they are served in the order in which they arrive.
        super().__init__(device, observer, max_threads=0)

    def kill(self) -> None:
        """Ends the agent by SIGKILL, and whatever goes on here in its name."""
        with self._lock:
            if self.closing:
                return
            self.closing = True
        self._dropped.put(None)
        self.device.kill()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_JOIN_SECONDS)
        self.closed = True
