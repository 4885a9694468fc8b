"""A device that an agent has open, without a driver: the agent has a device that only pretends."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from binder import DeadObjectError, ParcelFileDescriptor, StatusError
from binder.kernel import DeviceError
from binder.kernel.commands import Command, Return, Writer
from binder.kernel.framing import Answer as Frame
from binder.kernel.framing import check_greeting, greeting, pack_answer, pack_error, read_wish
from binder.kernel.remote import RemoteDevice, SocketStream
from binder.protocol import Status

from .agent_in_python import Agent

PATIENCE = 10.0
NOOP = Return.NOOP.to_bytes(4, "little")


class Pretending:
    """Says what a test puts into `arriving`, and notes who asked."""

    name, pid, uid = "/dev/pretended", 77, 10123

    def __init__(self) -> None:
        self.arriving: SimpleQueue[bytes] = SimpleQueue()
        self.written: SimpleQueue[tuple[int, bytes, list[bytes]]] = SimpleQueue()
        self.closed = threading.Event()
        self.exits: SimpleQueue[int] = SimpleQueue()
        self.max_threads = -1
        self.on_wake = b""

    def write_read(self, writer: Writer, *, wait: bool) -> bytes:
        blobs = [blob.data for blob in writer.blobs]
        self.written.put((threading.get_ident(), bytes(writer.stream), blobs))
        return self.arriving.get(timeout=PATIENCE) if wait else b""

    def memory(self, address: int, size: int) -> bytes:
        return bytes([address & 0xFF]) * size

    def set_max_threads(self, count: int) -> None:
        self.max_threads = count

    def become_context_manager(self) -> None:
        raise DeviceError("another process is the context manager")

    def exit_thread(self) -> None:
        self.exits.put(threading.get_ident())

    def extended_error(self) -> tuple[int, int] | None:
        return (Return.FAILED_REPLY, -28)

    def descriptor(self, fd: int) -> ParcelFileDescriptor:
        raise AssertionError("it has no descriptors")

    def wake(self) -> None:
        self.arriving.put(self.on_wake)

    def close(self) -> None:
        self.closed.set()


class Pair:
    """A remote device and the pretended one that its agent has."""

    def __init__(self) -> None:
        self.device = Pretending()
        self.host, self.agent_end = socket.socketpair()
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()
        self.remote = RemoteDevice(SocketStream(self.host), "/dev/x", uid=10123, timeout=PATIENCE)

    def _serve(self) -> None:
        with self.agent_end as end:
            end.sendall(greeting())
            check_greeting(end.recv, "the host")
            self.wish = read_wish(end.recv)
            Agent(self.device, end.recv, end.sendall).serve()

    def close(self) -> None:
        self.remote.close()
        self.thread.join(PATIENCE)


@pytest.fixture
def pair() -> Iterator[Pair]:
    pair = Pair()
    try:
        yield pair
    finally:
        pair.close()


def simple(command: Command) -> Writer:
    writer = Writer()
    writer.simple(command)
    return writer


def test_it_is_whom_the_agent_is(pair: Pair) -> None:
    assert (pair.remote.pid, pair.remote.uid) == (77, 10123)
    assert pair.wish == (10123, "/dev/x")
    assert pair.remote.name == "/dev/x of an agent (pid 77, uid 10123)"


def test_commands_and_blobs_arrive_and_returns_come_back(pair: Pair) -> None:
    pair.device.arriving.put(Return.NOOP.to_bytes(4, "little"))
    writer = Writer()
    writer.transaction(Command.TRANSACTION, handle=1, code=1, flags=0, data=b"data", offsets=())
    assert pair.remote.write_read(writer, wait=True) == Return.NOOP.to_bytes(4, "little")
    _, stream, blobs = pair.device.written.get(timeout=PATIENCE)
    assert stream == bytes(writer.stream)
    assert blobs == [b"data"]


def test_what_a_transaction_refers_to_comes_with_it(pair: Pair) -> None:
    transaction = Return.TRANSACTION.to_bytes(4, "little") + bytes(32)
    transaction += b"".join(n.to_bytes(8, "little") for n in (5, 8, 0x1041, 0x1042))
    pair.device.arriving.put(transaction)
    pair.remote.write_read(simple(Command.ENTER_LOOPER), wait=True)
    assert pair.remote.memory(0x1041, 5) == b"AAAAA"
    assert pair.remote.memory(0x1042, 8) == b"B" * 8
    assert pair.remote.memory(0x1041, 2) == b"AA"
    assert pair.remote.memory(0, 0) == b""
    with pytest.raises(DeviceError, match="did not send the 4 bytes at 0x99"):
        pair.remote.memory(0x99, 4)


def test_each_thread_has_one_of_its_own_there(pair: Pair) -> None:
    def twice() -> None:
        for _ in range(2):
            pair.remote.write_read(simple(Command.ENTER_LOOPER), wait=False)
        pair.remote.exit_thread()

    for _ in range(2):
        thread = threading.Thread(target=twice)
        thread.start()
        thread.join(PATIENCE)
    who = [pair.device.written.get(timeout=PATIENCE)[0] for _ in range(4)]
    left = {pair.device.exits.get(timeout=PATIENCE) for _ in range(2)}
    assert len(set(who)) == 2
    assert set(who) == left


def test_one_thread_waits_while_another_talks_and_wakes_it(pair: Pair) -> None:
    heard: SimpleQueue[bytes] = SimpleQueue()
    looper = threading.Thread(
        target=lambda: heard.put(pair.remote.write_read(simple(Command.ENTER_LOOPER), wait=True))
    )
    looper.start()
    pair.device.written.get(timeout=PATIENCE)
    assert pair.remote.extended_error() == (Return.FAILED_REPLY, -28)
    pair.remote.wake()
    assert heard.get(timeout=PATIENCE) == b""
    looper.join(PATIENCE)


def test_what_the_device_refuses_is_said_here(pair: Pair) -> None:
    pair.remote.set_max_threads(4)
    assert pair.device.max_threads == 4
    with pytest.raises(DeviceError, match="another process is the context manager"):
        pair.remote.become_context_manager()


def test_close_closes_the_device_there(pair: Pair) -> None:
    pair.close()
    assert pair.device.closed.wait(PATIENCE)
    assert pair.remote.lost


def test_an_agent_that_ends_is_a_dead_object(pair: Pair) -> None:
    pair.agent_end.shutdown(socket.SHUT_RDWR)
    assert pair.remote.wait_until_lost(PATIENCE)
    with pytest.raises(DeadObjectError, match="the agent has ended"):
        pair.remote.write_read(simple(Command.ENTER_LOOPER), wait=True)
    # What needs no answer is done by the agent's end.
    pair.remote.write_read(simple(Command.ENTER_LOOPER), wait=False)
    pair.remote.exit_thread()
    pair.remote.wake()


def test_an_agent_that_ends_during_a_call_ends_the_call(pair: Pair) -> None:
    failed: SimpleQueue[Exception] = SimpleQueue()

    def call() -> None:
        try:
            pair.remote.write_read(simple(Command.ENTER_LOOPER), wait=True)
        except DeadObjectError as error:
            failed.put(error)

    caller = threading.Thread(target=call)
    caller.start()
    pair.device.written.get(timeout=PATIENCE)
    pair.agent_end.shutdown(socket.SHUT_RDWR)
    assert "the agent has ended" in str(failed.get(timeout=PATIENCE))
    pair.device.wake()
    caller.join(PATIENCE)


def transaction(size: int = 4) -> Writer:
    writer = Writer()
    writer.transaction(Command.TRANSACTION, handle=1, code=1, flags=0, data=bytes(size), offsets=())
    return writer


def test_a_call_has_a_deadline_and_says_how_far_it_has_got(pair: Pair) -> None:
    pair.remote.call_seconds = 0.05
    late = transaction()
    with pytest.raises(StatusError, match=r"the other process does not answer within 0\.05 s") as failed:
        pair.remote.write_read(late, wait=True)
    assert failed.value.status == Status.TIMED_OUT
    assert late.taken == len(late.stream)
    pair.device.arriving.put(NOOP)
    assert pair.remote.write_read(transaction(), wait=True) == NOOP


def test_what_arrives_when_a_call_is_taken_back_is_not_lost(pair: Pair) -> None:
    pair.remote.call_seconds = 0.05
    pair.device.on_wake = NOOP
    late = transaction()
    with pytest.raises(StatusError, match="does not answer"):
        pair.remote.write_read(late, wait=True)
    assert late.returned == NOOP


def test_who_waits_for_work_has_no_deadline(pair: Pair) -> None:
    pair.remote.call_seconds = 0.02
    timer = threading.Timer(0.2, lambda: pair.device.arriving.put(NOOP))
    timer.start()
    waiting = simple(Command.ENTER_LOOPER)
    waiting.patient = True
    assert pair.remote.write_read(waiting, wait=True) == NOOP
    timer.join()


def test_an_interrupted_call_is_taken_back(pair: Pair) -> None:
    class Interruption(Exception):
        pass

    def interrupt(number: int, frame: object) -> None:
        raise Interruption

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        late = transaction()
        with pytest.raises(Interruption):
            pair.remote.write_read(late, wait=True)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert late.taken == len(late.stream)
    pair.device.arriving.put(NOOP)
    assert pair.remote.write_read(transaction(), wait=True) == NOOP


def test_a_parcel_that_fits_into_no_frame_fails_and_nothing_else(pair: Pair) -> None:
    with pytest.raises(StatusError, match="a frame cannot have") as failed:
        pair.remote.write_read(transaction(16 << 20), wait=True)
    assert failed.value.status == Status.FAILED_TRANSACTION
    pair.device.arriving.put(NOOP)
    assert pair.remote.write_read(transaction(), wait=True) == NOOP


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (b"", "the stream ended before the agent was ready"),
        (b"sh: python3: not found\n", "does not speak as an agent does"),
        (b"NPUB\x63\0", "version 99"),
        (greeting() + b"\xff\xff\xff\xff", "a frame cannot have"),
        (greeting() + pack_error(0, 1, 2, "no such device"), "no such device"),
        (greeting() + pack_answer(Frame(5, 0)), "which nobody waits for"),
    ],
    ids=["nothing", "a shell", "another version", "garbage", "refusal", "an answer to nothing"],
)
def test_what_is_no_agent_is_refused_with_a_reason(said: bytes, complaint: str) -> None:
    host, other = socket.socketpair()
    with other:
        other.sendall(said)
        other.shutdown(socket.SHUT_WR)
        with pytest.raises(DeviceError, match=complaint):
            RemoteDevice(SocketStream(host), timeout=PATIENCE)


def test_an_agent_that_says_nothing_is_not_waited_for() -> None:
    host, other = socket.socketpair()
    with other, pytest.raises(DeviceError, match="no answer within"):
        RemoteDevice(SocketStream(host), timeout=0.05)


def test_garbage_later_on_is_no_death_but_an_error(pair: Pair) -> None:
    pair.agent_end.sendall(b"\xff" * 8)
    assert pair.remote.wait_until_lost(PATIENCE)
    with pytest.raises(DeviceError, match="a frame cannot have"):
        pair.remote.extended_error()
