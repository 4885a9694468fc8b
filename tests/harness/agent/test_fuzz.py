"""What nobody should say, said to an agent that notices what C does not."""

from __future__ import annotations

import os
import random
import struct
import time
from pathlib import Path

import pytest

from binder.kernel.commands import Command, Writer
from binder.kernel.framing import AT_ITS_POSITION, Operation, greeting, pack_commands, pack_wish

from .kit import OPEN_HANDSHAKE, Raw, request, sanitized_agent

pytestmark = pytest.mark.cc

SECONDS = float(os.environ.get("NPUKIT_FUZZ_SECONDS", "0.4"))
"""For how long; whoever has more time sets NPUKIT_FUZZ_SECONDS."""

SEED = int(os.environ.get("NPUKIT_FUZZ_SEED", "1"))


def commands(chance: random.Random) -> bytes:
    writer = Writer()
    data = chance.randbytes(chance.randrange(40))
    writer.transaction(Command.TRANSACTION, handle=0, code=1, flags=0, data=data, offsets=(0,))
    return pack_commands(writer)


def honest(chance: random.Random) -> tuple[int, bytes]:
    """An operation and a payload that makes sense, mostly; no KILL, which would end the agent."""
    fd, offset = chance.randrange(3, 12), chance.choice([0, 1, 4095, AT_ITS_POSITION, 1 << 40])
    size, some = chance.choice([0, 1, 4096, 1 << 20]), chance.randbytes(chance.randrange(100))
    mapping = chance.randrange(5)
    return chance.choice(
        [
            (Operation.WRITE, commands(chance)),
            (Operation.WRITE_READ, commands(chance)),
            (Operation.SET_MAX_THREADS, struct.pack("<I", size)),
            (Operation.BECOME_MANAGER, b""),
            (Operation.EXIT_THREAD, b""),
            (Operation.EXTENDED_ERROR, b""),
            (Operation.WAKE, b""),
            (Operation.CREATE_FILE, some),
            (Operation.READ_FILE, struct.pack("<IQII", fd, offset, size, 0)),
            (Operation.FILE_STATUS, struct.pack("<I", fd)),
            (Operation.CLOSE_FILE, struct.pack("<I", fd)),
            (Operation.OPEN_FILE, struct.pack("<II", chance.randrange(128), 0o600) + b"file"),
            (Operation.WRITE_FILE, struct.pack("<IQI", fd, offset & 0xFFFFF, 0) + some),
            (Operation.READ_MEMORY, struct.pack("<IQI", fd, offset, size)),
            (Operation.WRITE_MEMORY, struct.pack("<IQ", fd, offset) + some),
            (Operation.CONTROL_FILE, struct.pack("<IIQ", fd, chance.getrandbits(32), 0) + some),
            (Operation.COPY_FILE, struct.pack("<I", fd)),
            (Operation.SEEK_FILE, struct.pack("<IQI", fd, offset, chance.randrange(4))),
            (Operation.OPEN_PIPE, b""),
            (Operation.CONNECT, b"\0" + some[:90]),
            (Operation.EXCHANGE, struct.pack("<IIII", fd, 0, 1, fd) + some),
            (
                Operation.MAP_FILE,
                struct.pack("<IQQII", fd, 0, size, chance.randrange(4), chance.randrange(2)),
            ),
            (Operation.UNMAP, struct.pack("<IQQ", mapping, offset, size)),
            (Operation.PROTECT, struct.pack("<IQQI", mapping, offset, size, chance.randrange(4))),
            (Operation.READ_MAPPED, struct.pack("<IQI", mapping, offset, size)),
            (Operation.WRITE_MAPPED, struct.pack("<IQ", mapping, offset) + some),
        ]
    )


def frame(chance: random.Random, spoilt: bool) -> bytes:
    operation, payload = honest(chance)
    thread, number = chance.choice([0, 1, 1, 2, 3]), chance.choice([0, 1, 99])
    whole = bytearray(request(operation, payload, thread, number))
    if spoilt and operation != Operation.OPEN_FILE:
        for _ in range(chance.randrange(1, 4)):
            whole[chance.randrange(len(whole))] = chance.getrandbits(8)
        if whole[12] in (Operation.KILL, Operation.OPEN_FILE):  # the latter could open anything
            whole[12] = 0
    if spoilt and chance.random() < 0.2:
        del whole[chance.randrange(len(whole)) :]
    return bytes(whole)


def conversation(chance: random.Random) -> bytes:
    if chance.random() < 0.1:
        handshake = bytearray(greeting() + pack_wish(None, "/dev/null"))
        handshake[chance.randrange(len(handshake))] = chance.getrandbits(8)
        return bytes(handshake)
    said = [request(Operation.CREATE_FILE, bytes(5000))]
    said += [frame(chance, spoilt=False) for _ in range(chance.randrange(30))]
    said += [frame(chance, spoilt=True) for _ in range(chance.randrange(3))]
    return OPEN_HANDSHAKE + b"".join(said)


def test_whatever_is_said_the_agent_answers_or_ends_in_order(tmp_path: Path) -> None:
    deadline, rounds = time.monotonic() + SECONDS, 0
    while rounds < 3 or time.monotonic() < deadline:
        seed = SEED * 1_000_003 + rounds
        with Raw([str(sanitized_agent())], tmp_path) as raw:
            raw.say(conversation(random.Random(seed)))
            _, code = raw.end()
            assert code in (0, 1), f"NPUKIT_FUZZ_SEED={SEED}, round {rounds}"
        rounds += 1
