"""A process that has a binder device open for another, which may be on another machine.

    python -m binder.kernel.agent                   serves one host over its standard input and output
    python -m binder.kernel.agent --listen NAME     serves every connection to the abstract socket NAME

The host says what the driver should be told and hears what it answers; see `framing` for how. To the driver
and to every other process it is this process that calls and is called, with its uid and pid, and that dies.
With `--listen`, each connection gets a process of its own, under the uid that it asks for, which only root
may choose. The listener ends when its standard input does.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import NoReturn

from .commands import ProtocolError, parse
from .device import Device, DeviceError, LocalDevice
from .framing import (
    EXTENDED_ERROR,
    FILE_STATUS,
    READY,
    U32,
    Answer,
    FramingError,
    Operation,
    Outcome,
    Read,
    Request,
    StreamEnded,
    check_greeting,
    greeting,
    pack_answer,
    pack_returns,
    read_request,
    read_wish,
    unpack,
    unpack_commands,
)

Write = Callable[[bytes], None]
"""Writes all of it at once."""

# By one of the agent's own threads each, in order; everything else is done at once.
_BY_THREAD = {Operation.WRITE, Operation.WRITE_READ, Operation.EXIT_THREAD, Operation.EXTENDED_ERROR}


class Agent:
    """Does for one host what it asks for.

    Args:
        device: an open device; it is closed in the end.
        read, write: the stream from and to the host, which has greeted already.
    """

    def __init__(self, device: Device, read: Read, write: Write) -> None:
        self._device = device
        self._read = read
        self._write = write
        self._writing = threading.Lock()
        self._queues: dict[int, SimpleQueue[Request | None]] = {}
        self._operations: dict[int, Callable[[bytes], bytes]] = {
            Operation.WRITE: self._write_only,
            Operation.WRITE_READ: self._write_read,
            Operation.SET_MAX_THREADS: self._set_max_threads,
            Operation.BECOME_MANAGER: _without_result(device.become_context_manager),
            Operation.EXIT_THREAD: _without_result(device.exit_thread),
            Operation.EXTENDED_ERROR: self._extended_error,
            Operation.WAKE: _without_result(device.wake),
            Operation.KILL: _without_result(lambda: os.kill(os.getpid(), signal.SIGKILL)),
            Operation.CREATE_FILE: _create_file,
            Operation.READ_FILE: _read_file,
            Operation.FILE_STATUS: _file_status,
            Operation.CLOSE_FILE: _close_file,
        }

    def serve(self) -> None:
        """Until the host says CLOSE, or no more. Raises `FramingError` if it says what makes no sense."""
        self._answer(Answer(0, Outcome.OK, READY.pack(self._device.pid, self._device.uid)))
        try:
            while True:
                request = read_request(self._read)
                if request.operation == Operation.CLOSE:
                    return
                if request.thread and request.operation in _BY_THREAD:
                    self._queue_of(request.thread).put(request)
                else:
                    self._do(request)
        except StreamEnded:
            return
        finally:
            for queue in self._queues.values():
                queue.put(None)
            self._device.close()

    def _queue_of(self, thread: int) -> SimpleQueue[Request | None]:
        queue = self._queues.get(thread)
        if queue is None:
            queue = self._queues[thread] = SimpleQueue()
            name = f"host's {thread}"
            threading.Thread(target=self._work, args=(queue,), name=name, daemon=True).start()
        return queue

    def _work(self, queue: SimpleQueue[Request | None]) -> None:
        while (request := queue.get()) is not None:
            self._do(request)

    def _do(self, request: Request) -> None:
        operation = self._operations.get(request.operation)
        try:
            if operation is None:
                raise FramingError(f"there is no operation {request.operation}")
            answer = Answer(request.number, Outcome.OK, operation(request.payload))
        except (DeviceError, ProtocolError) as error:
            answer = Answer(request.number, Outcome.DEVICE_ERROR, str(error).encode())
        except FramingError as error:
            answer = Answer(request.number, Outcome.NOT_UNDERSTOOD, str(error).encode())
        except OSError as error:
            answer = Answer(request.number, Outcome.OS_ERROR, str(error).encode())
        if request.number or answer.outcome != Outcome.OK:
            self._answer(answer)

    def _answer(self, answer: Answer) -> None:
        # A host that has gone needs no answer; the reading thread notices its end.
        with self._writing, suppress(OSError, ValueError):
            self._write(pack_answer(answer))

    # --- operations --------------------------------------------------------------------------------

    def _write_only(self, payload: bytes) -> bytes:
        self._device.write_read(unpack_commands(payload), wait=False)
        return b""

    def _write_read(self, payload: bytes) -> bytes:
        stream = self._device.write_read(unpack_commands(payload), wait=True)
        blocks = []
        for incoming in filter(None, (returned.incoming for returned in parse(stream))):
            for address, size in (
                (incoming.data_address, incoming.data_size),
                (incoming.offsets_address, incoming.offsets_size),
            ):
                if size:
                    blocks.append((address, self._device.memory(address, size)))
        return pack_returns(stream, blocks)

    def _set_max_threads(self, payload: bytes) -> bytes:
        self._device.set_max_threads(*unpack(U32, payload))
        return b""

    def _extended_error(self, payload: bytes) -> bytes:
        known = self._device.extended_error()
        return EXTENDED_ERROR.pack(0, 0, 0) if known is None else EXTENDED_ERROR.pack(1, *known)


def _without_result(do: Callable[[], None]) -> Callable[[bytes], bytes]:
    def operation(payload: bytes) -> bytes:
        do()
        return b""

    return operation


def _create_file(payload: bytes) -> bytes:
    fd = os.memfd_create("npukit", os.MFD_CLOEXEC)
    try:
        os.pwrite(fd, payload, 0)
    except OSError:
        os.close(fd)
        raise
    return U32.pack(fd)


def _read_file(payload: bytes) -> bytes:
    (fd,) = unpack(U32, payload)
    return os.pread(fd, os.fstat(fd).st_size, 0)


def _file_status(payload: bytes) -> bytes:
    status = os.fstat(*unpack(U32, payload))
    return FILE_STATUS.pack(status.st_mode, status.st_size)


def _close_file(payload: bytes) -> bytes:
    (fd,) = unpack(U32, payload)
    os.close(fd)
    return b""


def serve_host(read: Read, write: Write) -> None:
    """Greets a host, opens the device that it wants, under the uid that it wants, and serves it."""
    write(greeting())
    try:
        check_greeting(read, "the host")
        uid, path = read_wish(read)
        if uid is not None:
            become(uid)
        device = LocalDevice(path)
    except (DeviceError, FramingError) as error:
        write(pack_answer(Answer(0, Outcome.DEVICE_ERROR, str(error).encode())))
        return
    except OSError as error:
        problem = f"cannot run as uid {uid}: {error.strerror}"
        write(pack_answer(Answer(0, Outcome.OS_ERROR, problem.encode())))
        return
    Agent(device, read, write).serve()


def become(uid: int) -> None:
    """Gives up what this process is and takes on a uid, for good."""
    if uid != os.geteuid():
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def _serve_and_end(read: Read, write: Write) -> NoReturn:
    code = 1
    try:
        serve_host(read, write)
        code = 0
    except (FramingError, OSError) as error:
        os.write(2, f"agent: {error}\n".encode())
    finally:
        # Threads of this process may wait in the driver; nothing but the end of the process reaches them.
        os._exit(code)


def _write_all(fd: int) -> Write:
    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]

    return write


def listen(name: str) -> None:
    """Serves every connection with a process of its own, until standard input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen(64)
        os.write(1, b"listening\n")
        while True:
            ready, _, _ = select.select([listener.fileno(), 0], [], [])
            if 0 in ready and not os.read(0, 4096):
                return
            if listener.fileno() in ready:
                connection, _ = listener.accept()
                with connection:
                    if os.fork() == 0:
                        listener.close()
                        os.close(0)
                        _serve_and_end(connection.recv, connection.sendall)


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--listen"] and len(arguments) == 2:
        listen(arguments[1])
    elif not arguments:
        _serve_and_end(lambda size: os.read(0, size), _write_all(1))
    else:
        sys.exit("usage: python -m binder.kernel.agent [--listen NAME]")


if __name__ == "__main__":
    main()
