"""An agent for tests of the host's side, with a device that a test gives it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from binder.kernel import Device, DeviceError
from binder.kernel.commands import parse
from binder.kernel.framing import (
    EXTENDED_ERROR,
    READY,
    U32,
    Answer,
    Operation,
    Outcome,
    Read,
    Request,
    StreamEnded,
    pack_answer,
    pack_error,
    pack_returns,
    read_request,
    unpack,
    unpack_commands,
)

Write = Callable[[bytes], None]
"""Writes all of it at once."""


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
        }

    def serve(self) -> None:
        """Until the host says CLOSE, or no more."""
        self._answer(Answer(0, Outcome.OK, READY.pack(self._device.pid, self._device.uid)))
        try:
            while (request := read_request(self._read)).operation != Operation.CLOSE:
                if request.thread:
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
            threading.Thread(target=self._work, args=(queue,), daemon=True).start()
        return queue

    def _work(self, queue: SimpleQueue[Request | None]) -> None:
        while (request := queue.get()) is not None:
            self._do(request)

    def _do(self, request: Request) -> None:
        try:
            payload = self._operations[request.operation](request.payload)
        except DeviceError as error:
            self._send(pack_error(request.number, Outcome.DEVICE_ERROR, 0, str(error)))
        else:
            if request.number:
                self._answer(Answer(request.number, Outcome.OK, payload))

    def _answer(self, answer: Answer) -> None:
        self._send(pack_answer(answer))

    def _send(self, frame: bytes) -> None:
        # A host that has gone needs no answer; the reading thread notices its end.
        with self._writing, suppress(OSError, ValueError):
            self._write(frame)

    # --- operations --------------------------------------------------------------------------------

    def _write_only(self, payload: bytes) -> bytes:
        self._device.write_read(unpack_commands(payload), wait=False)
        return b""

    def _write_read(self, payload: bytes) -> bytes:
        commands = unpack_commands(payload)
        stream = self._device.write_read(commands, wait=True)
        blocks = []
        for incoming in filter(None, (returned.incoming for returned in parse(stream))):
            for address, size in (
                (incoming.data_address, incoming.data_size),
                (incoming.offsets_address, incoming.offsets_size),
            ):
                if size:
                    blocks.append((address, self._device.memory(address, size)))
        return pack_returns(len(commands.stream), stream, blocks)

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
