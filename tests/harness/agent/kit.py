"""An agent for tests on this machine, which notices what C does not, and one that is talked to in bytes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from struct import pack, unpack_from
from typing import Self

from binder.kernel.framing import (
    Answer,
    Operation,
    Request,
    greeting,
    pack_request,
    pack_wish,
    read_answer,
    read_exactly,
)
from binder.kernel.streams import ProcessStream
from harness.agent.build import SOURCES, cache_folder, sources

SANITIZED = 99
"""The exit code of an agent that did what a C program must not do."""

FLAGS = (
    *("-std=c11", "-O1", "-g", "-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    *("-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wstrict-prototypes", "-Werror"),
)

PATIENCE = 20.0


def sanitized_agent() -> Path:
    """The agent with checks of addresses and of undefined behaviour, compiled for this machine."""
    digest = hashlib.sha256(" ".join(FLAGS).encode())
    for path in sources():
        digest.update(path.read_bytes())
    program = cache_folder() / "agent" / f"checked-{digest.hexdigest()[:16]}"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as scratch:
            made = Path(scratch) / "agent"
            files = [path.name for path in sources() if path.suffix == ".c"]
            done = subprocess.run(
                ["gcc", *FLAGS, *files, "-o", str(made)],
                cwd=SOURCES,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            made.replace(program)
    return program


def environment(folder: Path) -> dict[str, str]:
    """Has the checks write what they find into files in a folder: the agent has no error output."""
    options = f"log_path={folder / 'found'}:exitcode={SANITIZED}"
    return {**os.environ, "ASAN_OPTIONS": options, "UBSAN_OPTIONS": options}


class Raw:
    """An agent, and the bytes that go to and from it.

    Args:
        command: how to start it.
        folder: its working directory, and for what the checks find.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=environment(folder),
            bufsize=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def say(self, data: bytes) -> None:
        assert self.process.stdin is not None
        view = memoryview(data)
        try:
            while view:
                view = view[self.process.stdin.write(view) or 0 :]
        except BrokenPipeError:
            pass  # an agent need not hear all, if it has heard enough

    def read(self, size: int) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.read(size) or b""

    def read_exactly(self, size: int) -> bytes:
        return read_exactly(self.read, size)

    def hear(self) -> Answer:
        return read_answer(self.read)

    def shake_hands(self, path: str = "", uid: int | None = None) -> tuple[int, int]:
        """Its pid and uid."""
        self.say(greeting() + pack_wish(uid, path))
        assert self.read(6) == greeting()
        pid, its_uid = unpack_from("<II", self.hear().payload)
        return pid, its_uid

    def ask(self, operation: int, payload: bytes = b"", thread: int = 0, number: int = 1) -> Answer:
        self.say(pack_request(Request(thread, number, operation, payload)))
        return self.hear()

    def end(self, data: bytes = b"") -> tuple[bytes, int]:
        """Says the last, and hears everything and the exit code."""
        if data:
            self.say(data)
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.rest()

    def rest(self) -> tuple[bytes, int]:
        """Hears everything and the exit code of an agent that ends."""
        said = b""
        while part := self.read(1 << 16):
            said += part
        if self.process.stdin is not None:
            self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        assert code != SANITIZED, "".join(path.read_text() for path in self.folder.glob("found*"))
        return said, code


def request(operation: int, payload: bytes = b"", thread: int = 0, number: int = 1) -> bytes:
    return pack_request(Request(thread, number, operation, payload))


def start(folder: Path) -> ProcessStream:
    """A stream to a checked agent."""
    return ProcessStream([str(sanitized_agent())], environment(folder))


OPEN_HANDSHAKE = greeting() + pack_wish(None, "")
TOO_LONG = pack("<I", 0xFFFFFFF0)
CLOSE = request(Operation.CLOSE, number=0)
