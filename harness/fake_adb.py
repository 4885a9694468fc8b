"""A scripted adb server for tests: devices whose answers are a table, on a free port of the loopback device.

    with FakeAdb() as fake:
        device = fake.add("0123", features="shell_v2,stat_v2")
        device.answers["shell,v2,raw:getprop ro.serialno"] = ran(b"0123\\n")
        ...Server(*fake.address)...

It can cut a connection, keep an answer back, and answer byte by byte, which a real one does not do.
What a device is asked for goes to its table, or else to `shell`, for instance to `real_shell`.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self, TypeAlias

_ID = struct.Struct("<4sI")
_PACKET = struct.Struct("<BI")
_JOIN_SECONDS = 5.0
# The newer request is answered with the transport's number, too.
_WANTED = re.compile(r"host:(transport|(?P<tport>tport:serial)):(?P<serial>.*)", re.DOTALL)


class Cut:
    """An answer, or its end: the connection is cut."""


class Reset:
    """An answer, or its end: the connection is reset, as when the server is killed."""


class Silence:
    """An answer, or its end: nothing comes until the client goes away, or the fake is told to go on."""


Part: TypeAlias = "bytes | Cut | Reset | Silence"
Handler: TypeAlias = "Callable[[Peer], None]"
Answer: TypeAlias = "bytes | list[Part] | Handler | Exception"
"""After OKAY: bytes, parts of an answer, or a function that talks. An exception's text becomes FAIL."""


class _GoneError(Exception):
    """The client has gone, or the script says that the connection ends."""


def ran(stdout: bytes = b"", stderr: bytes = b"", code: int = 0) -> bytes:
    """What a `shell_v2` device sends for a command."""
    return packet(1, stdout) + packet(2, stderr) + packet(3, bytes([code]))


def packet(kind: int, data: bytes) -> bytes:
    """A packet of `shell_v2`: 1 is output, 2 errors, 3 the exit code."""
    return _PACKET.pack(kind, len(data)) + data if data else b""


class Peer:
    """The fake's end of a connection."""

    def __init__(self, connection: socket.socket, fake: FakeAdb) -> None:
        self._connection, self._fake = connection, fake

    def read(self, size: int) -> bytes:
        """So many bytes, or fewer at the end."""
        data = b""
        while len(data) < size and (chunk := self._connection.recv(size - len(data))):
            data += chunk
        return data

    def read_some(self) -> bytes:
        return self._connection.recv(1 << 16)

    def write(self, data: bytes) -> None:
        if self._fake.byte_by_byte:
            for index in range(len(data)):
                self._connection.sendall(data[index : index + 1])
        else:
            self._connection.sendall(data)

    def play(self, parts: list[Part]) -> None:
        for part in parts:
            if isinstance(part, bytes):
                self.write(part)
            elif isinstance(part, Silence):
                self._fake.go_on.wait(60)
            else:
                if isinstance(part, Reset):
                    linger = struct.pack("ii", 1, 0)
                    self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self._connection.close()
                raise _GoneError

    def end(self) -> None:
        """Ends our side, and takes what still comes: a socket closed over unread bytes takes ours back."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
            while self._connection.recv(1 << 16):
                pass

    @property
    def fileno(self) -> int:
        return self._connection.fileno()


@dataclass
class FakeFile:
    """A file on a fake device."""

    content: bytes = b""
    mode: int = 0o100644
    modified: int = 0
    size: int | None = None
    """What the device says, if it is not the content's."""


@dataclass
class FakeDevice:
    """A device: its state as the server prints it, and what it answers."""

    serial: str
    state: str = "device"
    features: str = "shell_v2,stat_v2"
    answers: dict[str, Answer] = field(default_factory=dict)
    shell: Callable[[str], Answer] | None = None
    files: dict[str, FakeFile] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    refusal: str = ""
    """What the server says to who wants the device; made from the state if empty."""

    def answer(self, service: str) -> Answer:
        self.asked.append(service)
        if service in self.answers:
            return self.answers[service]
        if service == "sync:":
            return _Sync(self)
        return self.shell(service) if self.shell else LookupError(f"no answer to {service!r}")


class FakeAdb:
    """The server. Leave its `with` block to end it.

    Attributes:
        answers: what it answers itself, by request, before anything else.
        requests: everything that it was asked for.
        byte_by_byte: whether it sends every byte by itself.
        go_on: set to end every `Silence`.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.devices: list[FakeDevice] = []
        self.requests: list[str] = []
        self.byte_by_byte = False
        self.go_on = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self._listener.getsockname()
        return host, port

    def add(self, serial: str, **traits: object) -> FakeDevice:
        """A further device, with attributes of `FakeDevice`."""
        device = FakeDevice(serial, **traits)  # type: ignore[arg-type]
        self.devices.append(device)
        return device

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *exception: object) -> None:
        self.go_on.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join(_JOIN_SECONDS)

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with self._lock:
                    self._open.add(connection)
                self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        peer = Peer(connection, self)
        try:
            device: FakeDevice | None = None
            while length := peer.read(4):
                request = peer.read(int(length, 16)).decode()
                self.requests.append(request)
                wanted = _WANTED.match(request)
                if device is None and wanted:
                    device = self._transport(peer, wanted["serial"])
                    peer.write(bytes(8) if wanted["tport"] else b"")
                    continue
                self._reply(peer, device.answer(request) if device else self._own_answer(request))
                return
        except (OSError, _GoneError):
            pass
        finally:
            peer.end()
            with self._lock:
                self._open.discard(connection)
            connection.close()

    def _transport(self, peer: Peer, serial: str) -> FakeDevice:
        device = self._find(serial)
        if device is None:
            self._reply(peer, LookupError(f"device '{serial}' not found"))
            raise _GoneError
        if device.state != "device" or device.refusal:
            self._reply(peer, LookupError(device.refusal or f"device {device.state}"))
            raise _GoneError
        peer.write(b"OKAY")
        return device

    def _find(self, serial: str) -> FakeDevice | None:
        return next((device for device in self.devices if device.serial == serial), None)

    def _own_answer(self, request: str) -> Answer:
        if request in self.answers:
            return self.answers[request]
        if request == "host:version":
            return block("0029")
        if request == "host:devices":
            return block("".join(f"{device.serial}\t{device.state}\n" for device in self.devices))
        if request.startswith("host-serial:") and request.endswith(":features"):
            device = self._find(request.removeprefix("host-serial:").removesuffix(":features"))
            return block(device.features) if device else LookupError("device not found")
        return LookupError(f"unknown host service {request!r}")

    def _reply(self, peer: Peer, answer: Answer) -> None:
        if isinstance(answer, Exception):
            peer.write(b"FAIL" + block(str(answer.args[0])))
        elif isinstance(answer, list) and answer and isinstance(answer[0], Cut | Reset | Silence):
            peer.play(answer)  # before OKAY
        else:
            peer.write(b"OKAY")
            if isinstance(answer, bytes):
                answer = [answer]
            if isinstance(answer, list):
                peer.play(answer)
            else:
                answer(peer)


def block(text: str) -> bytes:
    """A text with its length before it, as the server sends texts."""
    return f"{len(text.encode()):04x}{text}".encode()


def real_shell(environment: Mapping[str, str] | None = None) -> Callable[[str], Answer]:
    """Has a device run what it is asked to, with this computer's own shell, as adbd does."""

    def answer(service: str) -> Answer:
        kind, _, line = service.partition(":")
        raw = kind == "exec"
        line = line if raw else service.removeprefix("shell,v2,raw:")

        def serve(peer: Peer) -> None:
            process = subprocess.Popen(
                ["/bin/sh", "-c", line],
                stdin=peer.fileno if raw else subprocess.DEVNULL,
                stdout=peer.fileno if raw else subprocess.PIPE,
                stderr=subprocess.STDOUT if raw else subprocess.PIPE,
                env={**os.environ, **(environment or {})},
            )
            stdout, stderr = process.communicate()
            if not raw:
                code = process.returncode if process.returncode >= 0 else 128 - process.returncode
                peer.write(ran(stdout, stderr, code))

        return serve

    return answer


def scripted(outputs: Mapping[str, bytes]) -> Callable[[str], Answer]:
    """A shell that knows these commands; the first word of others is not found."""

    def answer(service: str) -> Answer:
        line = service.removeprefix("shell,v2,raw:")
        if line in outputs:
            return ran(outputs[line])
        words = shlex.split(line) or [line]
        return ran(b"", f"sh: {words[0]}: not found\n".encode(), 127)

    return answer


class _Sync:
    """adbd's service for files, on the fake device's."""

    def __init__(self, device: FakeDevice) -> None:
        self._files = device.files

    def __call__(self, peer: Peer) -> None:
        while header := peer.read(8):
            kind, length = _ID.unpack(header)
            if kind == b"QUIT":
                return
            path = peer.read(length).decode()
            {b"STAT": self._stat, b"STA2": self._stat2, b"SEND": self._send, b"RECV": self._receive}[kind](
                peer, path
            )

    def _size(self, file: FakeFile) -> int:
        return len(file.content) if file.size is None else file.size

    def _stat(self, peer: Peer, path: str) -> None:
        file = self._files.get(path, FakeFile(mode=0))
        peer.write(struct.pack("<4sIII", b"STAT", file.mode, self._size(file) & 0xFFFFFFFF, file.modified))

    def _stat2(self, peer: Peer, path: str) -> None:
        file = self._files.get(path)
        error, known = (0, file) if file else (2, FakeFile(mode=0))
        numbers = (error, 0, 0, known.mode, 1, 0, 0, self._size(known), 0, known.modified, 0)
        peer.write(struct.pack("<4sIQQIIIIQqqq", b"STA2", *numbers))

    def _send(self, peer: Peer, path: str) -> None:
        name, _, mode = path.rpartition(",")
        content = bytearray()
        while True:
            kind, length = _ID.unpack(peer.read(8))
            if kind == b"DONE":
                break
            content += peer.read(length)
        if name.startswith("/system"):
            reason = b"couldn't create file: Read-only file system"
            peer.write(_ID.pack(b"FAIL", len(reason)) + reason)
            return
        self._files[name] = FakeFile(bytes(content), int(mode), length)
        peer.write(_ID.pack(b"OKAY", 0))

    def _receive(self, peer: Peer, path: str) -> None:
        file = self._files.get(path)
        if file is None:
            reason = b"open failed: No such file or directory"
            peer.write(_ID.pack(b"FAIL", len(reason)) + reason)
            return
        for start in range(0, len(file.content), 1 << 16):
            part = file.content[start : start + (1 << 16)]
            peer.write(_ID.pack(b"DATA", len(part)) + part)
        peer.write(_ID.pack(b"DONE", 0))
