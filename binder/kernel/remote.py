"""A binder device that another process has open for this one: the host's side of `agent`."""

from __future__ import annotations

import logging
import socket
import subprocess
import threading
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import IO, NoReturn, Protocol, TypeAlias

from ..console import ConsoleFile
from ..errors import DeadObjectError, UsageError
from .commands import Writer
from .device import DeviceError
from .framing import (
    EXTENDED_ERROR,
    FILE_STATUS,
    READY,
    U32,
    Answer,
    FramingError,
    Operation,
    Outcome,
    Request,
    StreamEnded,
    check_greeting,
    greeting,
    pack_commands,
    pack_request,
    pack_wish,
    read_answer,
    unpack,
    unpack_returns,
)
from .observed import ObservedProcess, Observer

log = logging.getLogger("binder.kernel")

HANDSHAKE_SECONDS = 30.0
_JOIN_SECONDS = 5.0

_Ended: TypeAlias = "Answer | DeviceError | DeadObjectError"


class Stream(Protocol):
    """Carries bytes both ways."""

    def read(self, size: int) -> bytes:
        """At least one byte, unless the stream has ended."""

    def write(self, data: bytes) -> None:
        """Writes all of it."""

    def close(self) -> None:
        """Ends the stream, and a `read` that another thread waits in."""


class SocketStream:
    """A stream over a connected socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def read(self, size: int) -> bytes:
        return self._connection.recv(size)

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)

    def close(self) -> None:
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


class ProcessStream:
    """A stream to a program's standard input and from its standard output. The program ends with it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise UsageError("the program's input and output must be pipes")
        self._process = process
        self._input: IO[bytes] = process.stdin
        self._output: IO[bytes] = process.stdout

    def read(self, size: int) -> bytes:
        data: bytes = self._output.read1(size)  # type: ignore[attr-defined]
        return data

    def write(self, data: bytes) -> None:
        self._input.write(data)
        self._input.flush()

    def close(self) -> None:
        self._process.kill()
        self._process.wait(_JOIN_SECONDS)
        for stream in (self._input, self._output):
            with suppress(OSError):
                stream.close()


class RemoteFile(ConsoleFile):
    """A descriptor of the agent's. `fileno` is its number there, and means nothing here."""

    __slots__ = ("_device",)

    def __init__(self, fd: int, device: RemoteDevice) -> None:
        super().__init__(fd, owned=False)
        self._device = device

    @classmethod
    def new(cls) -> NoReturn:
        raise UsageError("a file of an agent's is made by its RemoteDevice")

    def read(self) -> bytes:
        """All that is in the file."""
        return self._device.ask(Operation.READ_FILE, U32.pack(self.fileno()))

    def status(self) -> tuple[int, int]:
        """Its mode and size, as `os.stat` has them."""
        answer = self._device.ask(Operation.FILE_STATUS, U32.pack(self.fileno()))
        mode, size = unpack(FILE_STATUS, answer)
        return mode, size

    def detach(self) -> int:
        raise UsageError("the descriptor is another process's, and stays there")

    def close(self) -> None:
        if not self.closed:
            fd = self.fileno()
            super().close()
            self._device.tell(Operation.CLOSE_FILE, U32.pack(fd))

    def report_detached(self) -> None:
        """Nothing to tell: such descriptors are never detached."""


class RemoteDevice:
    """A binder device as a `Device` for `KernelProcess`, opened by an agent at the other end of a stream.

    Args:
        stream: to a fresh agent; it belongs to this object from now on.
        path: the device.
        uid: whom the agent should run as; as it does unless given.
        timeout: how long the agent may take until it has opened the device.

    Raises:
        DeviceError: the other end is no agent, is one of another version, or cannot open the device.
    """

    def __init__(
        self,
        stream: Stream,
        path: str = "/dev/binder",
        *,
        uid: int | None = None,
        timeout: float = HANDSHAKE_SECONDS,
    ) -> None:
        self.name = f"{path} of an agent"
        self._stream = stream
        self._sending = threading.RLock()
        self._local = threading.local()
        self._threads = count(1)
        self._numbers = count(1)
        self._waiting: dict[int, SimpleQueue[_Ended]] = {}
        self._lost: DeviceError | DeadObjectError | None = None
        self._closing = False
        first: SimpleQueue[_Ended] = SimpleQueue()
        self._waiting[0] = first
        self._reader = threading.Thread(target=self._listen, name="agent's answers", daemon=True)
        try:
            with suppress(OSError):  # the reading thread says more of what is wrong
                stream.write(greeting() + pack_wish(uid, path))
            self._reader.start()
            ready = self._await(first, timeout)
            self.pid, self.uid = unpack(READY, ready)
        except BaseException:
            self._end()
            raise
        self.name = f"{path} of pid {self.pid}"

    # --- asking ------------------------------------------------------------------------------------

    def ask(self, operation: Operation, payload: bytes = b"", thread: int = 0) -> bytes:
        """Has the agent do something and waits for what comes of it.

        Raises:
            DeviceError: it refuses.
            DeadObjectError: it has ended.
        """
        number = next(self._numbers)
        answers: SimpleQueue[_Ended] = SimpleQueue()
        self._waiting[number] = answers
        try:
            if self._lost is not None:
                raise self._lost
            self._send(Request(thread, number, operation, payload))
            return self._await(answers, None)
        finally:
            self._waiting.pop(number, None)

    def tell(self, operation: Operation, payload: bytes = b"", thread: int = 0) -> None:
        """Has the agent do something. If it has ended, that is done already."""
        if self._lost is None:
            with suppress(DeadObjectError):
                self._send(Request(thread, 0, operation, payload))

    def _send(self, request: Request) -> None:
        frame = pack_request(request)
        try:
            # Reentrant, because garbage collection can run a finaliser that drops a reference at any time.
            with self._sending:
                self._stream.write(frame)
        except (OSError, ValueError):
            raise self._lost or DeadObjectError(f"{self.name}: the agent has ended") from None

    def _await(self, answers: SimpleQueue[_Ended], timeout: float | None) -> bytes:
        try:
            answer = answers.get(timeout=timeout)
        except Empty:
            raise DeviceError(f"{self.name}: no answer within {timeout:.0f} s") from None
        if not isinstance(answer, Answer):
            raise answer
        if answer.outcome != Outcome.OK:
            raise DeviceError(f"{self.name}: {answer.payload.decode(errors='replace')}")
        return answer.payload

    def _listen(self) -> None:
        lost: DeviceError | DeadObjectError = DeadObjectError(f"{self.name}: the agent has ended")
        try:
            check_greeting(self._stream.read, "the other end")
            while True:
                self._deliver(read_answer(self._stream.read))
        except StreamEnded as error:
            if 0 in self._waiting:
                lost = DeviceError(f"{self.name}: {error} before the agent was ready")
            else:
                lost = DeadObjectError(f"{self.name}: the agent has ended")
        except FramingError as error:
            lost = DeviceError(f"{self.name}: {error}")
        except (OSError, ValueError):
            pass  # closed, here or there
        finally:
            self._lost = lost
            for answers in list(self._waiting.values()):
                answers.put(lost)

    def _deliver(self, answer: Answer) -> None:
        answers = self._waiting.pop(answer.number, None)
        if answers is not None:
            answers.put(answer)
        elif answer.number:
            raise FramingError(f"an answer to request {answer.number}, which nobody waits for")
        else:
            log.warning("%s: %s", self.name, answer.payload.decode(errors="replace"))

    @property
    def lost(self) -> bool:
        """Whether the agent has ended, or cannot be understood any more."""
        return self._lost is not None

    def wait_until_lost(self, timeout: float) -> bool:
        """Waits for the agent's end. Returns whether it has come."""
        self._reader.join(timeout)
        return not self._reader.is_alive()

    # --- a device ----------------------------------------------------------------------------------

    def _thread(self) -> int:
        number: int | None = getattr(self._local, "number", None)
        if number is None:
            number = self._local.number = next(self._threads)
        return number

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        if not wait:
            # A finaliser may come here while the thread waits below; what it has to say concerns no thread.
            busy = getattr(self._local, "busy", False)
            self.tell(Operation.WRITE, pack_commands(writer), 0 if busy else self._thread())
            return b""
        self._local.busy = True
        try:
            payload = self.ask(Operation.WRITE_READ, pack_commands(writer), self._thread())
        finally:
            self._local.busy = False
        # One transaction or reply at most comes in one go, and it is taken before the thread waits again.
        returns, self._local.arrived = unpack_returns(payload)
        return returns

    def memory(self, address: int, size: int) -> bytes:
        if not size:
            return b""
        arrived: dict[int, bytes] = getattr(self._local, "arrived", {})
        content = arrived.get(address, b"")[:size]
        if len(content) != size:
            raise DeviceError(f"{self.name}: the agent did not send the {size} bytes at {address:#x}")
        return content

    def set_max_threads(self, count: int) -> None:
        self.ask(Operation.SET_MAX_THREADS, U32.pack(count))

    def become_context_manager(self) -> None:
        self.ask(Operation.BECOME_MANAGER)

    def exit_thread(self) -> None:
        self.tell(Operation.EXIT_THREAD, thread=self._thread())

    def extended_error(self) -> tuple[int, int] | None:
        known, command, parameter = unpack(
            EXTENDED_ERROR, self.ask(Operation.EXTENDED_ERROR, thread=self._thread())
        )
        return (command, parameter) if known else None

    def wake(self) -> None:
        self.tell(Operation.WAKE)

    def close(self) -> None:
        self.tell(Operation.CLOSE)
        self._end()

    def _end(self) -> None:
        if self._reader.ident is not None and threading.current_thread() is not self._reader:
            self._reader.join(0.5)
        self._stream.close()
        if self._reader.ident is not None and threading.current_thread() is not self._reader:
            self._reader.join(_JOIN_SECONDS)

    # --- what only an agent can do -------------------------------------------------------------------

    def kill(self) -> None:
        """Ends the agent by SIGKILL, and waits until it is gone."""
        self.tell(Operation.KILL)
        if not self.wait_until_lost(_JOIN_SECONDS):
            raise DeviceError(f"{self.name}: the agent does not die")
        self._stream.close()

    def create_file(self, content: bytes = b"") -> RemoteFile:
        """A file of the agent's, to be sent in parcels and read afterwards."""
        (fd,) = unpack(U32, self.ask(Operation.CREATE_FILE, content))
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

    def resolve_fd(self, fd: int) -> RemoteFile:
        return RemoteFile(fd, self.device)

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
