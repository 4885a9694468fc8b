"""What the agent says to hosts that speak as they should, and to everything else."""

from __future__ import annotations

import os
import signal
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from binder.kernel.commands import Command, Writer
from binder.kernel.framing import (
    LONGEST_FRAME,
    VERSION,
    Answer,
    Operation,
    Outcome,
    greeting,
    pack_commands,
    pack_wish,
    read_answer,
    unpack_error,
)

from .kit import CLOSE, OPEN_HANDSHAKE, TOO_LONG, Raw, request, sanitized_agent

pytestmark = pytest.mark.cc

NOBODY = 65534


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Raw]:
    with Raw([str(sanitized_agent())], tmp_path) as raw:
        yield raw


def last_answer(said: bytes) -> tuple[Answer, str]:
    """Of all that an agent has said, with its text."""
    rest = said[len(greeting()) :]
    answers = []

    def read(size: int) -> bytes:
        nonlocal rest
        part, rest = rest[:size], rest[size:]
        return part

    while rest:
        answers.append(read_answer(read))
    assert answers, said
    return answers[-1], unpack_error(answers[-1].payload)[1]


def test_shakes_hands_and_says_who_it_is(raw: Raw) -> None:
    assert raw.shake_hands() == (raw.process.pid, os.geteuid())
    assert raw.end(CLOSE) == (b"", 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become somebody else")
def test_runs_as_whom_it_should(raw: Raw) -> None:
    pid, uid = raw.shake_hands(uid=NOBODY)
    assert uid == NOBODY
    status = Path(f"/proc/{pid}/status").read_text()
    assert f"Uid:\t{NOBODY}\t{NOBODY}\t{NOBODY}\t{NOBODY}\n" in status
    assert f"Gid:\t{NOBODY}\t{NOBODY}\t{NOBODY}\t{NOBODY}\n" in status
    assert "Groups:\t \n" in status


def test_ends_with_the_stream(raw: Raw) -> None:
    raw.shake_hands()
    assert raw.end() == (b"", 0)


def test_ends_when_told_so(raw: Raw) -> None:
    raw.shake_hands()
    raw.say(CLOSE)
    assert raw.read(1) == b""
    assert raw.process.wait(10) == 0


def test_ends_by_a_signal_when_told_so(raw: Raw) -> None:
    raw.shake_hands()
    raw.say(request(Operation.KILL, number=0))
    assert raw.process.wait(10) == -signal.SIGKILL


@pytest.mark.parametrize("version", [0, 1, VERSION - 1, VERSION + 1, 0xFFFF])
def test_refuses_another_version(raw: Raw, version: int) -> None:
    said, code = raw.end(b"NPUB" + struct.pack("<H", version) + pack_wish(None, ""))
    answer, text = last_answer(said)
    assert (answer.number, answer.outcome, code) == (0, Outcome.NOT_UNDERSTOOD, 1)
    assert text == f"the host speaks version {version}, not {VERSION}: it needs the agent of its own version"


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\n\r\n", b"\0" * 64, b"NPUA\x02\0", b"\xff" * 4096])
def test_refuses_who_speaks_otherwise(raw: Raw, said: bytes) -> None:
    said, code = raw.end(said)
    answer, text = last_answer(said)
    assert (answer.number, answer.outcome, code) == (0, Outcome.NOT_UNDERSTOOD, 1)
    assert "the host does not speak as one does" in text


def test_a_handshake_may_end_anywhere(tmp_path: Path) -> None:
    handshake = greeting() + pack_wish(None, "/dev/nowhere")
    for size in range(len(handshake)):
        with Raw([str(sanitized_agent())], tmp_path) as raw:
            said, code = raw.end(handshake[:size])
            answer, text = last_answer(said)
            assert (answer.number, answer.outcome, code) == (0, Outcome.NOT_UNDERSTOOD, 1)
            assert "the stream ended after" in text


def test_a_request_may_end_anywhere(tmp_path: Path) -> None:
    frame = request(Operation.CREATE_FILE, b"abc")
    for size in range(1, len(frame)):
        with Raw([str(sanitized_agent())], tmp_path) as raw:
            said, code = raw.end(OPEN_HANDSHAKE + frame[:size])
            answer, text = last_answer(said)
            assert (answer.number, answer.outcome, code) == (0, Outcome.NOT_UNDERSTOOD, 1)
            assert "the stream ended after" in text


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        (TOO_LONG, "a frame cannot have 4294967280 bytes"),
        (struct.pack("<I", LONGEST_FRAME + 1), f"a frame cannot have {LONGEST_FRAME + 1} bytes"),
        (struct.pack("<I", 8), "a frame cannot have 8 bytes"),
        (request(0), "request 1: there is no operation 0"),
        (request(29), "request 1: there is no operation 29"),
        (request(255), "request 1: there is no operation 255"),
        (request(Operation.WRITE_READ), "request 1: operation 2 needs a thread"),
        (request(Operation.OPEN_FILE), "request 1: operation 14 needs a thread"),
        (request(Operation.SET_MAX_THREADS, b"abc"), "a payload of 3 bytes makes no sense"),
        (request(Operation.SET_MAX_THREADS, bytes(5)), "a payload of 5 bytes makes no sense"),
        (request(Operation.WAKE, b"x"), "a payload of 1 bytes makes no sense"),
        (request(Operation.WRITE, struct.pack("<IH", 0xFFFFFFFF, 0)), "a payload of 6 bytes makes no sense"),
        (
            request(Operation.WRITE, struct.pack("<IQHIIB", 8, 0, 1, 1, 1, 7)),
            "a payload of 23 bytes makes no sense",
        ),
        (request(Operation.READ_FILE, bytes(20)[:-1], 1), "a payload of 19 bytes makes no sense"),
        (request(Operation.READ_FILE, struct.pack("<IQII", 9, 0, (1 << 20) + 1, 0), 1), "a payload of 20"),
        (request(Operation.OPEN_FILE, struct.pack("<II", 1, 0) + b"a\0b", 1), "a payload of 11 bytes"),
        (request(Operation.OPEN_FILE, struct.pack("<II", 0x201, 0) + b"a", 1), "a payload of 9 bytes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_makes_no_sense_is_said_and_ends_the_agent(raw: Raw, frame: bytes, complaint: str) -> None:
    raw.say(OPEN_HANDSHAKE + frame)
    said, code = raw.rest()
    answer, text = last_answer(said)
    assert (answer.number, answer.outcome, code) == (0, Outcome.NOT_UNDERSTOOD, 1)
    assert complaint in text


def test_says_that_there_is_no_device_that_could_be_opened(raw: Raw) -> None:
    said, code = raw.end(greeting() + pack_wish(None, "/dev/nowhere"))
    answer, text = last_answer(said)
    assert (answer.number, answer.outcome, code) == (0, Outcome.DEVICE_ERROR, 1)
    assert "/dev/nowhere cannot be opened: No such file or directory; load the kernel's binder_linux" in text


def test_without_a_device_nothing_can_be_said_to_the_driver(raw: Raw) -> None:
    raw.shake_hands()
    commands = Writer()
    commands.simple(Command.ENTER_LOOPER)
    for operation, payload, thread in (
        (Operation.WRITE, pack_commands(commands), 0),
        (Operation.WRITE_READ, pack_commands(commands), 1),
        (Operation.SET_MAX_THREADS, bytes(4), 0),
        (Operation.BECOME_MANAGER, b"", 0),
        (Operation.EXTENDED_ERROR, b"", 1),
    ):
        answer = raw.ask(operation, payload, thread)
        assert answer.outcome == Outcome.DEVICE_ERROR
        assert unpack_error(answer.payload) == (0, "no binder device is open")
    assert raw.ask(Operation.WAKE) == Answer(1, Outcome.OK)
    assert raw.ask(Operation.EXIT_THREAD, thread=1) == Answer(1, Outcome.OK)


def test_a_request_without_a_number_is_answered_only_if_it_fails(raw: Raw) -> None:
    raw.shake_hands()
    raw.say(request(Operation.WAKE, number=0))
    assert raw.ask(Operation.WAKE, number=7) == Answer(7, Outcome.OK)
    answer = raw.ask(Operation.CLOSE_FILE, struct.pack("<I", 99), number=0)
    assert (answer.number, answer.outcome) == (0, Outcome.OS_ERROR)


# --- threads --------------------------------------------------------------------------------------


def threads_of(raw: Raw) -> int:
    return len(list(Path(f"/proc/{raw.process.pid}/task").iterdir()))


def test_a_thread_that_leaves_is_gone(raw: Raw) -> None:
    raw.shake_hands()
    before = threads_of(raw)
    for round_ in range(600):  # more than there may be at one time
        for thread in (2 * round_ + 1, 2 * round_ + 2):
            assert raw.ask(Operation.OPEN_FILE, struct.pack("<II", 1, 0) + b"nothing", thread).outcome
        for thread in (2 * round_ + 1, 2 * round_ + 2):
            raw.ask(Operation.EXIT_THREAD, thread=thread)
    assert threads_of(raw) <= before + 2


def test_there_may_be_so_many_threads_and_no_more(raw: Raw) -> None:
    ask = struct.pack("<II", 1, 0) + b"nothing"
    frames = b"".join(request(Operation.OPEN_FILE, ask, thread) for thread in range(1, 300))
    said, code = raw.end(OPEN_HANDSHAKE + frames)
    assert code == 1
    assert "more than 256 threads" in last_answer(said)[1]


def test_one_thread_waits_while_others_are_answered(raw: Raw) -> None:
    raw.shake_hands()
    os.mkfifo(raw.folder / "pipe")
    opened = raw.ask(Operation.OPEN_FILE, struct.pack("<II", 3, 0) + b"pipe", 1)
    (pipe,) = struct.unpack("<I", opened.payload)
    raw.say(request(Operation.READ_FILE, struct.pack("<IQII", pipe, 2**64 - 1, 10, 20000), 1, number=5))
    assert raw.ask(Operation.FILE_STATUS, struct.pack("<I", pipe), number=6).number == 6
    write = struct.pack("<IQI", pipe, 2**64 - 1, 0) + b"hello"
    answers = {raw.ask(Operation.WRITE_FILE, write, 2, number=7), raw.hear()}
    assert answers == {Answer(7, Outcome.OK, struct.pack("<I", 5)), Answer(5, Outcome.OK, b"hello")}


def test_a_host_that_asks_for_too_much_at_once_is_told(raw: Raw) -> None:
    os.mkfifo(raw.folder / "pipe")
    raw.shake_hands()
    (pipe,) = struct.unpack("<I", raw.ask(Operation.OPEN_FILE, struct.pack("<II", 3, 0) + b"pipe", 1).payload)
    raw.say(request(Operation.READ_FILE, struct.pack("<IQII", pipe, 2**64 - 1, 10, 20000), 1))
    big = request(Operation.WRITE_FILE, struct.pack("<IQI", pipe, 0, 0) + bytes(8_000_000), 1)
    for _ in range(5):
        raw.say(big)
    answer = raw.hear()
    assert unpack_error(answer.payload)[1] == "more than 33554432 bytes of requests wait"
    assert raw.process.wait(10) == 1
