"""Memory that an agent maps, and messages with descriptors that it exchanges, for a host."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from errno import EACCES, EBADF, ECONNREFUSED, EFAULT, EINVAL, ETIMEDOUT
from mmap import PAGESIZE, PROT_READ, PROT_WRITE
from pathlib import Path

import pytest

from binder.kernel.framing import LONGEST_CHUNK, OpenFlag
from binder.kernel.link import AgentError
from binder.kernel.remote import RemoteDevice
from binder.kernel.remote_descriptors import RemoteDescriptors

from .kit import start

pytestmark = pytest.mark.cc

P = PAGESIZE
PROT_RW = PROT_READ | PROT_WRITE


@pytest.fixture
def device(tmp_path: Path) -> Iterator[RemoteDevice]:
    device = RemoteDevice(start(tmp_path), "")
    try:
        yield device
        assert not device.lost
    finally:
        device.close()


@pytest.fixture
def there(device: RemoteDevice) -> RemoteDescriptors:
    return RemoteDescriptors(device)


def new_file(device: RemoteDevice, content: bytes) -> int:
    there = RemoteDescriptors(device)
    with device.create_file(content) as file:
        made = there.copy(file.fileno())
    there.check(made)  # an answer: the first one has been closed
    return made


def descriptors(device: RemoteDevice) -> set[int]:
    return {int(path.name) for path in Path(f"/proc/{device.pid}/fd").iterdir()}


def refuses(code: int) -> pytest.RaisesExc[AgentError]:
    return pytest.RaisesExc(AgentError, check=lambda error: error.number == code)


def test_a_mapping_outlives_its_descriptor(device: RemoteDevice, there: RemoteDescriptors) -> None:
    fd = new_file(device, bytes(3 * P))
    copy = there.copy(fd)
    mapping = there.map(fd, 3 * P, PROT_RW)
    there.close(fd)
    mapping.view[P - 1 : P + 2] = b"abc"
    assert (mapping.view[P - 1 : P + 2], len(mapping.view), mapping.view.readonly) == (b"abc", 3 * P, False)
    again = there.map(copy, P, PROT_READ, offset=P)
    assert (again.view[:2], again.view.readonly) == (b"bc", True)
    with refuses(EFAULT):
        again.view[:1] = b"x"
    for done in (mapping, again, again):
        done.close()
    with refuses(EINVAL):
        mapping.read(0, 1)


def test_much_is_carried_in_pieces(device: RemoteDevice, there: RemoteDescriptors) -> None:
    size = 2 * LONGEST_CHUNK + P
    content = os.urandom(size)
    mapping = there.map(new_file(device, bytes(size)), size, PROT_RW)
    mapping.view[:] = content
    assert mapping.view[:] == content


def test_parts_are_taken_away_and_protected(device: RemoteDevice, there: RemoteDescriptors) -> None:
    mapping = there.map(new_file(device, b"A" * 4 * P), 4 * P, PROT_RW)
    mapping.remove(P, P)
    other = there.map(new_file(device, b"B" * P), P, PROT_READ)  # which must not end up in the hole
    with refuses(EFAULT):
        mapping.read(P - 1, 2)
    mapping.protect(2 * P, P, PROT_READ)
    with refuses(EFAULT):
        mapping.write(2 * P, b"x")
    mapping.write(3 * P, b"x")
    for offset, size in ((0, 5 * P), (4 * P, 1), (1 << 63, 1)):
        with refuses(EINVAL):
            mapping.read(offset, size)
    with refuses(EINVAL):
        mapping.protect(2 * P, 3 * P, PROT_RW)
    mapping.close()
    assert other.view[:2] == b"BB"


def test_what_the_kernel_refuses_is_said(device: RemoteDevice, there: RemoteDescriptors) -> None:
    with device.create_file(bytes(P)) as file:
        reading = there.open(f"/proc/self/fd/{file.fileno()}")
    with refuses(EACCES):
        there.map(reading, P, PROT_RW)
    mapping = there.map(reading, P, PROT_READ)
    with refuses(EACCES):
        mapping.protect(0, P, PROT_RW)
    for fd in (0, 99):
        with refuses(EBADF):
            there.map(fd, P, PROT_READ)
        with refuses(EBADF):
            there.copy(fd)
        with refuses(EBADF):
            there.seek(fd, 0, os.SEEK_SET)
        with refuses(EBADF):
            there.check(fd)


def test_seeking(device: RemoteDevice, there: RemoteDescriptors) -> None:
    fd = new_file(device, bytes(1000))
    assert there.seek(fd, -10, os.SEEK_END) == 990
    assert there.seek(fd, 5, os.SEEK_CUR) == 995
    with refuses(EINVAL):
        there.seek(fd, -1, os.SEEK_SET)


def test_pipes_paths_and_files_without_names(
    device: RemoteDevice, there: RemoteDescriptors, tmp_path: Path
) -> None:
    reading, writing = there.pipe()
    assert {reading, writing} <= descriptors(device)
    path = there.open("/", OpenFlag.READ | OpenFlag.PATH)
    with refuses(EBADF):
        there.seek(path, 0, os.SEEK_SET)
    before = set(tmp_path.iterdir())
    with device.open_file(str(tmp_path), OpenFlag.READ | OpenFlag.WRITE | OpenFlag.TEMPORARY) as file:
        file.write(b"content")
        assert file.read() == b"content"
    assert set(tmp_path.iterdir()) == before


class Echo:
    """Sends messages and their descriptors back, and keeps none; to b"mute" it says nothing."""

    def __init__(self, address: str) -> None:
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(address)
        self.listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        connection, _ = self.listener.accept()
        with connection:
            while True:
                data, fds, _, _ = socket.recv_fds(connection, 1 << 16, 16)
                if data in (b"", b"end"):
                    return
                if data != b"mute":
                    socket.send_fds(connection, [data], fds)
                for fd in fds:
                    os.close(fd)

    def close(self) -> None:
        self.listener.close()


@pytest.mark.parametrize("of_kernel", [False, True], ids=["a path", "a name of the kernel's"])
def test_messages_with_descriptors(
    device: RemoteDevice, there: RemoteDescriptors, tmp_path: Path, of_kernel: bool
) -> None:
    address = f"\0npukit.test.{os.getpid()}.{device.pid}" if of_kernel else str(tmp_path / "s")
    with closing(Echo(address)):
        fd = there.connect(address.encode())
        file = new_file(device, b"hi")
        before = descriptors(device)
        assert there.exchange(fd, b"nothing") == (b"nothing", [])
        said, received = there.exchange(fd, b"x" * 60000, [file] * 16)
        assert (said, len(set(received))) == (b"x" * 60000, 16)
        assert there.map(received[0], 2, PROT_READ).view[:] == b"hi"
        for each in received:
            there.close(each)
        for closed in (0, 99):
            with refuses(EBADF):
                there.exchange(fd, b"x", [closed])
        with pytest.raises(AgentError) as attempt:
            there.exchange(fd, b"mute", seconds=0.05)
        assert attempt.value.number == ETIMEDOUT
        assert there.exchange(fd, b"end") == (b"", [])
        assert descriptors(device) == before
    with refuses(ECONNREFUSED):
        there.connect(address.encode())
