"""docs/agent.md says what the code does, on both sides."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from binder.kernel import framing
from binder.kernel.commands import Command, Writer
from binder.kernel.framing import Answer, OpenFlag, Operation, Outcome, Request
from binder.protocol import SpecialCode
from harness.agent.build import SOURCES

from ...vm.machine import ROOT
from .kit import Raw, sanitized_agent

TEXT = (ROOT / "docs" / "agent.md").read_text()
LINES = re.findall(r"^(host|agent) +((?:[0-9a-f]{2} )*[0-9a-f]{2})(?: |$)", TEXT, re.MULTILINE)
SAID = [(who, bytes.fromhex(data)) for who, data in LINES]
PID, UID, FILE = 4242, 10123, 7

KINDS = {"u8": "B", "u16": "H", "u32": "I", "s32": "i", "u64": "Q"}
STRUCTURES = {
    "SET_MAX_THREADS": (framing.U32, None),
    "EXTENDED_ERROR": (None, framing.EXTENDED_ERROR),
    "CREATE_FILE": (None, framing.U32),
    "READ_FILE": (framing.READ_FILE, None),
    "FILE_STATUS": (framing.U32, framing.FILE_STATUS),
    "CLOSE_FILE": (framing.U32, None),
    "OPEN_FILE": (framing.OPEN_FILE, framing.U32),
    "WRITE_FILE": (framing.WRITE_FILE, framing.U32),
    "READ_MEMORY": (framing.READ_MEMORY, None),
    "WRITE_MEMORY": (framing.WRITE_MEMORY, None),
    "CONTROL_FILE": (framing.CONTROL_FILE, struct.Struct("<i")),
    "COPY_FILE": (framing.U32, framing.U32),
    "SEEK_FILE": (framing.SEEK_FILE, framing.POSITION),
    "OPEN_PIPE": (None, framing.PIPE),
    "CONNECT": (None, framing.U32),
    "EXCHANGE": (framing.EXCHANGE, None),
    "MAP_FILE": (framing.MAP_FILE, framing.U32),
    "UNMAP": (framing.UNMAP, None),
    "PROTECT": (framing.PROTECT, None),
    "READ_MAPPED": (framing.READ_MAPPED, None),
    "WRITE_MAPPED": (framing.WRITE_MAPPED, None),
}


def ping() -> Writer:
    writer = Writer()
    writer.transaction(Command.TRANSACTION, handle=0, code=SpecialCode.PING, flags=0x10, data=b"", offsets=())
    return writer


def error(number: int, text: str) -> bytes:
    return struct.pack("<i", number) + text.encode()


EXAMPLE = [
    ("host", framing.greeting()),
    ("host", framing.pack_wish(None, "")),
    ("agent", framing.greeting()),
    ("agent", framing.pack_answer(Answer(0, Outcome.OK, framing.READY.pack(PID, UID)))),
    ("host", framing.pack_request(Request(0, 1, Operation.CREATE_FILE, b"hi"))),
    ("agent", framing.pack_answer(Answer(1, Outcome.OK, framing.U32.pack(FILE)))),
    (
        "host",
        framing.pack_request(Request(1, 2, Operation.READ_FILE, framing.READ_FILE.pack(FILE, 0, 16, 100))),
    ),
    ("agent", framing.pack_answer(Answer(2, Outcome.OK, b"hi"))),
    ("host", framing.pack_request(Request(0, 3, Operation.CLOSE_FILE, framing.U32.pack(99)))),
    (
        "agent",
        framing.pack_answer(
            Answer(3, Outcome.OS_ERROR, error(9, "cannot close a descriptor: Bad file descriptor"))
        ),
    ),
    ("host", framing.pack_request(Request(0, 0, Operation.CLOSE))),
    ("host", framing.pack_request(Request(1, 4, Operation.WRITE_READ, framing.pack_commands(ping())))),
]


def test_the_example_is_what_the_host_says_and_hears() -> None:
    for (who, written), (speaker, said) in zip(SAID, EXAMPLE, strict=True):
        assert (who, written.hex(" ")) == (speaker, said.hex(" "))


@pytest.mark.cc
def test_the_example_is_what_the_agent_says_and_hears(tmp_path: Path) -> None:
    with Raw([str(sanitized_agent())], tmp_path) as raw:
        pid, uid, fd = raw.process.pid, tmp_path.stat().st_uid, -1
        for who, written in SAID[:-1]:
            if who == "host":
                named = struct.pack("<I", FILE)
                raw.say(
                    written.replace(b"\x0b" + named, b"\x0b" + struct.pack("<I", fd)) if fd >= 0 else written
                )
                continue
            heard = raw.read_exactly(len(written))
            if written == EXAMPLE[3][1]:
                written = framing.pack_answer(Answer(0, Outcome.OK, framing.READY.pack(pid, uid)))
            elif written == EXAMPLE[5][1]:
                (fd,) = struct.unpack("<I", heard[-4:])
                written = written[:-4] + heard[-4:]
            assert heard.hex(" ") == written.hex(" ")
        assert raw.end() == (b"", 0)


def rows() -> list[list[str]]:
    found = re.findall(r"^\| (\d+) \| ([A-Z_]+) \|(.*)\|$", TEXT, re.MULTILINE)
    return [[number, name, *(cell.strip() for cell in rest.split("|"))] for number, name, rest in found]


def layout(cell: str) -> str:
    kinds = (field.split()[0] for field in cell.split(", ") if field.split())
    return "<" + "".join(KINDS.get(kind, "") for kind in kinds)


def test_every_operation_and_outcome_has_its_row() -> None:
    numbered = {name: int(number) for number, name, *_ in rows()}
    known = {member.name: int(member) for kind in (Operation, Outcome) for member in kind}
    assert numbered == known


def test_payloads_are_laid_out_as_written() -> None:
    operations = {name: cells for _, name, *cells in rows() if name in Operation.__members__}
    for name, (asked, answered) in STRUCTURES.items():
        _, request, answer = operations[name]
        assert layout(request) == (asked.format if asked else "<"), name
        assert layout(answer) == (answered.format if answered else "<"), name


def test_flags_are_those_that_are_written_down() -> None:
    (written,) = re.findall(r"OPEN_FILE's flags: (.*)\.", TEXT)
    flags = {
        text.split()[1].replace("non-blocking", "nonblock"): int(text.split()[0])
        for text in written.split(", ")
    }
    assert flags == {flag.name.lower(): int(flag) for flag in OpenFlag if flag.name}


def test_the_agent_is_compiled_with_the_hosts_numbers() -> None:
    header = (SOURCES / "agent.h").read_text()
    for name, value in (
        ("PROTOCOL_VERSION", framing.VERSION),
        ("LONGEST_FRAME", framing.LONGEST_FRAME),
        ("LONGEST_CHUNK", framing.LONGEST_CHUNK),
    ):
        (written,) = re.findall(rf"{name} = ([^,]*),", header)
        base, _, shift = written.partition(" << ")
        assert int(base) << int(shift or 0) == value
    assert f"now {framing.VERSION})" in TEXT
    assert f"at most {framing.LONGEST_FRAME}." in TEXT


def test_threads_are_needed_where_it_is_written() -> None:
    source = (SOURCES / "agent.c").read_text()
    table = source[source.index("OPERATIONS[] = {") : source.index("};", source.index("OPERATIONS[] = {"))]
    names = {"EXIT_THREAD": 5, "KILL": 9}
    coded = {
        names.get(index) or int(index): waits == "true"
        for index, waits in re.findall(r"\[(\w+)\] = \{\w+, (true|false)\}", table)
    }
    written = {
        int(number): cells[0] == "own" for number, name, *cells in rows() if name in Operation.__members__
    }
    del written[Operation.CLOSE]  # the reading thread's own affair
    assert coded == written
