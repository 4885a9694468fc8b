"""Two real processes: one has the stand-in and the allocator, the other has been given a descriptor."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from errno import EBADF, EBUSY, EINVAL, ENOENT, ENOTTY
from mmap import PAGESIZE, PROT_READ
from pathlib import Path
from typing import Any

import pytest

from reference_impl.buffers.socket_port import LocalChannel, SocketPort, SocketServer
from reference_impl.buffers.wrapfd import PROT_RW, Wrapfd, WrapState
from reference_impl.constants import Importance

from .clients import CAPACITY, Place, segment
from .kit import Bench, is_back_at, open_descriptors, refused, weights

ROOT = Path(__file__).parents[3]


class Peer:
    """The other process."""

    def __init__(self, path: Path) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(30)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.reference_impl.buffers.peer", str(path), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=ROOT,
            )

    def does(self, command: str, *fds: int) -> dict[str, str]:
        socket.send_fds(self._control, [command.encode()], list(fds))
        answer: dict[str, str] = json.loads(self._control.recv(4096))
        return answer

    def close(self) -> None:
        self._control.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def place() -> Iterator[Place]:
    before = open_descriptors()
    place = Place()
    yield place
    place.close()
    assert is_back_at(before), "descriptors were left open"


def test_a_peer_cannot_write_and_sees_nothing_after_preemption(
    place: Place, tmp_path: Path, file: int
) -> None:
    album, front = place.client("album"), place.client("front", Importance.FOREGROUND)
    wanted = album.request(1, CAPACITY, fileSegmentToLoad=segment(file))
    assert album.gets(wanted) == ["got 1"]
    fd = album.heard.fds[1].fileno()
    server = SocketServer(place.provision.driver, tmp_path / "wrapfd")
    with closing(server), closing(Peer(tmp_path / "wrapfd")) as peer:
        assert peer.does("look", fd) == {
            "content": "AA",
            "protect, asked": "EACCES",
            "protect, not asked": "EACCES",
            "map writable, asked": "EACCES",
            "map writable, not asked": "EACCES",
            "write, not asked": "EBADF",
            "write through another opening": "EPERM",
            "map another opening writable": "EPERM",
        }
        assert front.gets(front.request(1, CAPACITY)) == ["got 1"]
        assert album.news() == ["preempted 1"]
        assert peer.does("again") == {
            "map": "ENOENT",
            "state": "EMPTY",
            "old descriptor": "0000",
            "whole": "zeros",
        }


def test_a_peer_that_is_killed_owns_nothing_any_more(place: Place, tmp_path: Path) -> None:
    album = place.client("album")
    album.gets(album.request(1, protectionFlags=PROT_RW))
    fd = album.heard.fds[1].fileno()
    server = SocketServer(place.provision.driver, tmp_path / "wrapfd")
    with closing(server), closing(Peer(tmp_path / "wrapfd")) as peer:
        said = peer.does("own", fd)
        assert said == {"acquire": "ok", "pid": str(peer.process.pid)}
        assert album.wrapfd.fdinfo(fd)["owner"] == said["pid"]
        with refused(EBUSY):
            album.wrapfd.acquire(fd)
        peer.process.send_signal(signal.SIGKILL)
        peer.process.wait(10)
        server.close()
        assert album.wrapfd.fdinfo(fd)["owner"] == "<none>"
        album.wrapfd.acquire(fd)


@pytest.fixture
def served(bench: Bench, tmp_path: Path) -> Iterator[Wrapfd]:
    """A port over a socket, in this process."""
    server = SocketServer(bench.driver, tmp_path / "wrapfd")
    port = SocketPort(LocalChannel(tmp_path / "wrapfd"))
    yield Wrapfd(port)
    port.close()
    server.close()


def test_every_call_goes_through(bench: Bench, served: Wrapfd, direct_folder: Path) -> None:
    file = bench.keep(os.open(weights(direct_folder, 2), os.O_RDONLY))
    wrap = bench.keep(served.wrap(bench.dmabuf(pages=4), PROT_RW))
    assert served.state(wrap) is WrapState.RDWR
    assert served.size(wrap) == 4 * PAGESIZE
    served.acquire(wrap)
    served.load(wrap, file, 0, 0, 2 * PAGESIZE)
    served.allow_guests(wrap)
    served.prohibit_guests(wrap)
    mapping = served.map(wrap, 4 * PAGESIZE)
    assert bytes(mapping.view[:2]) == b"AA"
    mapping.protect(0, PAGESIZE, PROT_RW)
    mapping.unmap(2 * PAGESIZE, PAGESIZE)
    assert served.fdinfo(wrap)["maps"] == "3"
    mapping.close()
    mapping.close()
    new = bench.keep(served.rewrap(wrap, PROT_READ))
    assert bytes(served.map(new, PAGESIZE).view[:2]) == b"AA"
    with refused(ENOENT):
        served.empty(wrap)
    served.port.collect()


def test_bad_descriptors_go_through_too(bench: Bench, served: Wrapfd, file: int) -> None:
    wrap = bench.wrap()
    with refused(EBADF):
        served.wrap(2**31 - 1, PROT_READ)
    with refused(EINVAL):
        served.wrap(file, PROT_READ)
    with refused(ENOTTY):
        served.state(file)
    served.acquire(wrap)
    with refused(EBADF):
        served.load(wrap, 2**31 - 1, 0, 0, 0)
    served.release(wrap)


@pytest.mark.parametrize(
    "message", [b"no json", b"[]", b'{"do": "nothing"}', b'{"do": "lseek"}', b'{"do": "close", "number": 9}']
)
def test_nonsense_harms_nobody(bench: Bench, served: Wrapfd, tmp_path: Path, message: bytes) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as rude:
        rude.settimeout(10)
        rude.connect(str(tmp_path / "wrapfd"))
        rude.send(message)
        answer: Any = rude.recv(4096)
        assert not answer or json.loads(answer)["errno"]
    assert served.state(bench.wrap()) is WrapState.RDWR


def test_nobody_serves(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LocalChannel(tmp_path / "nothing")
