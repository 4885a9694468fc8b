"""A binder device that says what a test has written down, and keeps what it is told."""

from __future__ import annotations

import struct
import threading
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from binder import ParcelFileDescriptor
from binder.flat import FLAT_OBJECT
from binder.kernel import DeviceError
from binder.kernel.commands import Command, Return, Writer, payload_size

PATIENCE = 10.0
_TRANSACTION = struct.Struct("<QQIIiIQQQQ")


class Said(NamedTuple):
    """A command as the device got it, with the numbers after it; of a transaction, also its data."""

    command: Command
    numbers: tuple[int, ...] = ()
    data: bytes = b""
    offsets: tuple[int, ...] = ()


def br(kind: Return | int, *numbers: int) -> bytes:
    """A return with numbers after it, each as long as the return's size demands."""
    size = payload_size(kind)
    letters = {0: "", 4: "i", 8: "Q", 16: "QQ"}[size]
    return struct.pack(f"<I{letters}", kind, *numbers)


NOOP = br(Return.NOOP)
COMPLETE = br(Return.TRANSACTION_COMPLETE)
Step = bytes | BaseException | Callable[[], bytes]


class FakeDevice:
    """Says the steps of its script to the thread that made it; others wait for `say` and for `wake`.

    Attributes:
        said: all commands, in the order in which they came.
        exits: how many times a thread has taken its leave.
    """

    name = "/dev/fake"
    pid = 100
    uid = 1000

    def __init__(self) -> None:
        # Of each wait, by whether the test's own thread was it, whether it was for work.
        self.patience: dict[bool, list[bool]] = {True: [], False: []}
        self.script: deque[Step] = deque()
        self.said: list[Said] = []
        self.exits = 0
        self.extended: tuple[int, int] | None = None
        self.max_threads = -1
        self.closed = False
        self._contents: dict[int, bytes] = {}
        self._next_address = 0x7000_0000
        self._here = threading.get_ident()
        self._changed = threading.Condition()
        self._others: deque[bytes] = deque()
        self._wakes = 0

    # --- for tests ---------------------------------------------------------------------------------

    def place(self, data: bytes, offsets: tuple[int, ...] = ()) -> tuple[int, int, int, int]:
        """Makes bytes arrive. Returns the last four numbers of a transaction that brings them."""
        address, listed = self._next_address, struct.pack(f"<{len(offsets)}Q", *offsets)
        self._next_address += 0x10000
        self._contents[address] = data
        self._contents[address + 0x8000] = listed
        return len(data), len(listed), address, address + 0x8000

    def transaction(
        self,
        data: bytes = b"",
        offsets: tuple[int, ...] = (),
        *,
        kind: Return = Return.TRANSACTION,
        target: int = 0,
        code: int = 1,
        flags: int = 0x10,
    ) -> bytes:
        pid = 0 if flags & 1 else 7
        return struct.pack("<I", kind) + _TRANSACTION.pack(
            target, target, code, flags, pid, 10054, *self.place(data, offsets)
        )

    def reply(self, data: bytes = b"", offsets: tuple[int, ...] = (), flags: int = 0) -> bytes:
        return self.transaction(data, offsets, kind=Return.REPLY, flags=flags)

    def say(self, stream: bytes) -> None:
        """Says something to a thread of the pool."""
        with self._changed:
            self._others.append(stream)
            self._changed.notify_all()

    def wait_for(self, *commands: Command) -> None:
        """Until all of these have been said, in any order; fails after a while."""
        with self._changed:
            assert self._changed.wait_for(
                lambda: set(commands) <= {said.command for said in self.said}, PATIENCE
            ), self.commands()

    def commands(self) -> list[Command]:
        return [said.command for said in self.said]

    def take(self) -> list[Said]:
        """What has been said since this was last called."""
        with self._changed:
            said, self.said = self.said, []
            return said

    # --- for the process ---------------------------------------------------------------------------

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        if self.closed:
            raise DeviceError("closed")
        here = threading.get_ident() == self._here
        step: Step = b""
        if wait:
            self.patience[here].append(writer.patient)
        if wait and here:
            if not self.script:
                self._hear(writer)
                raise DeviceError("the script is over")
            step = self.script.popleft()
        if isinstance(step, KeyboardInterrupt):
            writer.taken = 0
            writer.returned = b"".join(step.args)
        else:
            self._hear(writer)
        if isinstance(step, BaseException):
            raise step
        if wait and not here:
            return self._wait()
        return step if isinstance(step, bytes) else step()

    def _hear(self, writer: Writer) -> None:
        with self._changed:
            self.said += decoded(writer)
            self._changed.notify_all()

    def _wait(self) -> bytes:
        with self._changed:
            wakes = self._wakes
            self._changed.wait_for(lambda: self._others or self._wakes > wakes, PATIENCE)
            return self._others.popleft() if self._others else NOOP

    def memory(self, address: int, size: int) -> bytes:
        if size and len(self._contents.get(address, b"")) < size:
            raise DeviceError(f"nothing is at {address:#x}")
        return self._contents[address][:size] if size else b""

    def set_max_threads(self, count: int) -> None:
        self.max_threads = count

    def become_context_manager(self) -> None:
        pass

    def exit_thread(self) -> None:
        with self._changed:
            self.exits += 1

    def extended_error(self) -> tuple[int, int] | None:
        return self.extended

    def descriptor(self, fd: int) -> ParcelFileDescriptor:
        return ParcelFileDescriptor(fd)

    def wake(self) -> None:
        with self._changed:
            self._wakes += 1
            self._changed.notify_all()

    def close(self) -> None:
        self.closed = True


def decoded(writer: Writer) -> list[Said]:
    """The commands in a stream, each checked to be one."""
    found, position = [], 0
    blobs = {blob.position: blob.data for blob in writer.blobs}
    while position < len(writer.stream):
        (number,) = struct.unpack_from("<I", writer.stream, position)
        start, command = position + 4, Command(number)
        position = start + payload_size(number)
        payload = bytes(writer.stream[start:position])
        if command in (Command.TRANSACTION, Command.REPLY):
            handle, _, code, flags, *_ = _TRANSACTION.unpack(payload)
            listed = blobs.get(start + 56, b"")
            offsets = struct.unpack(f"<{len(listed) // 8}Q", listed)
            found.append(Said(command, (handle, code, flags), blobs.get(start + 48, b""), offsets))
        else:
            letters = {0: "", 4: "I", 8: "Q", 12: "IQ", 16: "QQ"}[len(payload)]
            found.append(Said(command, struct.unpack(f"<{letters}", payload)))
    assert position == len(writer.stream)
    return found


def flat(kind: int, value: int, cookie: int = 0, stability: int | None = 0x0C) -> bytes:
    """An object in a parcel, with its level of stability if it has one."""
    word = b"" if stability is None else struct.pack("<i", stability)
    return FLAT_OBJECT.pack(kind, 0x113, value, cookie) + word


def ints(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}i", *values)


def address_of(data: bytes) -> int:
    """Where the last return in a stream says that its data is."""
    return int.from_bytes(data[-16:-8], "little")
