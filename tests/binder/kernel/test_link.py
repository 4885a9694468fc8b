"""The host's end of the stream to an agent, with a test at the other end."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Iterator

import pytest

from binder import DeadObjectError
from binder.kernel import DeviceError
from binder.kernel.framing import (
    LONGEST_FRAME,
    READY,
    Answer,
    Operation,
    Outcome,
    Request,
    TooLongError,
    check_greeting,
    greeting,
    pack_answer,
    pack_error,
    read_request,
    read_wish,
)
from binder.kernel.link import AgentError, Link, NoAnswerError
from binder.kernel.streams import ProcessStream, SocketStream

PATIENCE = 10.0


class Other:
    """A link, and the other end of its stream."""

    def __init__(self) -> None:
        host, self.end = socket.socketpair()
        self.end.settimeout(PATIENCE)
        self.end.sendall(greeting() + pack_answer(Answer(0, Outcome.OK, READY.pack(77, 10123))))
        self.link = Link(SocketStream(host, write_seconds=0.2), "", name="the agent on X", timeout=PATIENCE)
        check_greeting(self.end.recv, "the host")
        read_wish(self.end.recv)

    def hear(self) -> Request:
        return read_request(self.end.recv)

    def say(self, data: bytes) -> None:
        self.end.sendall(data)

    def answer(self, request: Request, payload: bytes = b"") -> None:
        self.say(pack_answer(Answer(request.number, Outcome.OK, payload)))


@pytest.fixture
def other() -> Iterator[Other]:
    other = Other()
    try:
        yield other
    finally:
        other.end.close()
        other.link.end()


def test_it_is_named_by_whom_it_reaches(other: Other) -> None:
    assert other.link.name == "the agent on X (pid 77, uid 10123)"


def test_an_error_has_its_number_and_its_text(other: Other) -> None:
    pending = other.link.begin(Operation.CLOSE_FILE)
    other.say(pack_error(other.hear().number, Outcome.OS_ERROR, 9, "cannot close"))
    with pytest.raises(AgentError, match=r"^the agent on X \(pid 77, uid 10123\): cannot close$") as failed:
        pending.result(PATIENCE)
    assert failed.value.number == 9


def test_an_answer_that_comes_too_late_disturbs_nobody(other: Other) -> None:
    with pytest.raises(NoAnswerError, match=r"no answer within 0\.01 s"):
        other.link.ask(Operation.FILE_STATUS, timeout=0.01)
    late = other.hear()
    pending = other.link.begin(Operation.FILE_STATUS)
    other.answer(late, b"late")
    other.answer(other.hear(), b"in time")
    assert pending.result(PATIENCE) == b"in time"
    assert not other.link.lost


@pytest.mark.parametrize("operation", [Operation.CREATE_FILE, Operation.OPEN_FILE])
def test_a_descriptor_that_nobody_waits_for_is_closed(other: Other, operation: Operation) -> None:
    with pytest.raises(NoAnswerError):
        other.link.ask(operation, timeout=0.01)
    other.answer(other.hear(), b"\x07\0\0\0")
    assert other.hear() == Request(0, 0, Operation.CLOSE_FILE, b"\x07\0\0\0")


def test_what_does_not_fit_into_a_frame_is_not_sent(other: Other) -> None:
    with pytest.raises(TooLongError, match="a frame cannot have"):
        other.link.begin(Operation.WRITE_FILE, bytes(LONGEST_FRAME))
    pending = other.link.begin(Operation.WAKE)
    other.answer(other.hear())
    assert pending.result(PATIENCE) == b""


def test_an_agent_that_takes_nothing_any_more_is_given_up(other: Other) -> None:
    with pytest.raises((DeadObjectError, DeviceError), match="the connection is cut: timed out"):
        other.link.begin(Operation.WRITE_FILE, bytes(LONGEST_FRAME - 9))
    assert other.link.lost
    with pytest.raises(DeadObjectError, match="the connection is cut"):
        other.link.begin(Operation.WAKE)


def test_all_that_wait_hear_that_the_agent_is_lost_and_what_it_said(other: Other) -> None:
    waiting = [other.link.begin(Operation.WRITE_READ, thread=number) for number in range(1, 4)]
    other.say(pack_error(0, Outcome.NOT_UNDERSTOOD, 0, "more than 256 threads"))
    other.end.close()
    for pending in waiting:
        with pytest.raises(DeadObjectError, match="the agent has ended; it said: more than 256 threads"):
            pending.result(PATIENCE)


def test_words_of_a_shell_in_the_middle_are_an_error_that_shows_them(other: Other) -> None:
    pending = other.link.begin(Operation.WRITE_READ, thread=1)
    other.say(b"Segmentation fault\n")
    with pytest.raises(DeviceError, match=r"a frame cannot have 1835492691 bytes; it begins with b'Segm'"):
        pending.result(PATIENCE)


def test_a_stream_may_say_by_any_name_that_it_is_cut() -> None:
    class LinkLost(Exception):
        pass

    class Cut:
        def __init__(self) -> None:
            self.said = greeting() + pack_answer(Answer(0, Outcome.OK, READY.pack(1, 2)))
            self.cut = threading.Event()

        def read(self, size: int) -> bytes:
            said, self.said = self.said[:size], self.said[size:]
            if not said:
                self.cut.wait(PATIENCE)
                raise LinkLost("the cable is out")
            return said

        def write(self, data: bytes) -> None:
            if self.cut.is_set():
                raise LinkLost("the cable is out")

        def close(self) -> None:
            self.cut.set()

    stream = Cut()
    link = Link(stream, "", timeout=PATIENCE)
    pending = link.begin(Operation.WRITE_READ, thread=1)
    stream.cut.set()
    with pytest.raises(DeadObjectError, match="the connection is cut: the cable is out"):
        pending.result(PATIENCE)
    with pytest.raises(DeadObjectError, match="the connection is cut: the cable is out"):
        link.begin(Operation.WAKE)
    link.tell(Operation.WAKE)
    link.end()


def test_what_a_program_says_beside_the_stream_is_in_the_error() -> None:
    script = "import sys; sys.exit('cannot execute: Exec format error')"
    with pytest.raises(DeviceError, match="ended before the agent was ready; it said: cannot execute: Exec"):
        Link(ProcessStream([sys.executable, "-c", script]), "", timeout=PATIENCE)


def test_a_program_ends_with_its_stream() -> None:
    stream = ProcessStream([sys.executable, "-c", "print('x', end='', flush=True); input()"])
    assert stream.read(9) == b"x"
    stream.close()
    with pytest.raises(ProcessLookupError):
        os.kill(stream.pid, 0)


def test_a_program_that_is_not_there_is_an_error_here() -> None:
    with pytest.raises(FileNotFoundError):
        ProcessStream(["/nowhere/agent"])


def test_a_read_waits_longer_than_a_write_may() -> None:
    ours, its = socket.socketpair()
    with its:
        stream = SocketStream(ours, write_seconds=0.02)
        timer = threading.Timer(0.1, lambda: its.sendall(b"late"))
        timer.start()
        assert stream.read(4) == b"late"
        timer.join()
        stream.close()
