"""Descriptors of an agent's, used by a host."""

from __future__ import annotations

import os
import stat
import struct
import termios
from collections.abc import Iterator
from errno import EACCES, EBADF, EEXIST, EFAULT, EINVAL, ENOENT, ENOTTY, ETIMEDOUT
from pathlib import Path

import pytest

from binder import UsageError
from binder.kernel.framing import LONGEST_CHUNK, OpenFlag
from binder.kernel.link import AgentError
from binder.kernel.remote import RemoteDevice, RemoteFile

from .kit import start

pytestmark = pytest.mark.cc

READ, WRITE, CREATE = OpenFlag.READ, OpenFlag.WRITE, OpenFlag.CREATE


@pytest.fixture
def device(tmp_path: Path) -> Iterator[RemoteDevice]:
    device = RemoteDevice(start(tmp_path), "")
    try:
        yield device
        assert not device.lost
    finally:
        device.close()


def number_of(attempt: pytest.ExceptionInfo[AgentError]) -> int:
    return attempt.value.number


def descriptors(device: RemoteDevice) -> set[int]:
    return {int(path.name) for path in Path(f"/proc/{device.pid}/fd").iterdir()}


def test_a_file_in_memory_is_written_read_and_closed(device: RemoteDevice) -> None:
    before = descriptors(device)
    file = device.create_file(b"content")
    assert file.read() == b"content"
    file.write(b"C", 0)
    assert file.read_some(3, 0) == b"Con"
    assert file.status().size == 7
    assert stat.S_ISREG(file.status().mode)
    assert descriptors(device) == before | {file.fileno()}
    file.close()
    file.close()
    assert device.create_file().read() == b""  # an answer: what was said before has been done
    assert file.closed


def test_sixteen_mebibytes_are_carried_in_pieces(device: RemoteDevice) -> None:
    content = bytes(range(256)) * (LONGEST_CHUNK // 256) * 16 + b"end"
    file = device.create_file(content)
    assert file.status().size == len(content)
    assert file.read() == content
    assert file.read_memory(len(content)) == content


def test_files_are_opened_as_they_should_be(device: RemoteDevice, tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(AgentError, match="cannot open a file: No such file or directory") as attempt:
        device.open_file(str(path))
    assert number_of(attempt) == ENOENT
    made = device.open_file(str(path), READ | WRITE | CREATE | OpenFlag.EXCLUSIVE, 0o640)
    made.write(b"one ")
    made.write(b"two")
    assert path.read_bytes() == b"one two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(AgentError) as attempt:
        device.open_file(str(path), WRITE | CREATE | OpenFlag.EXCLUSIVE)
    assert number_of(attempt) == EEXIST
    device.open_file(str(path), WRITE | OpenFlag.APPEND).write(b" three")
    assert device.open_file(str(path)).read() == b"one two three"
    device.open_file(str(path), WRITE | OpenFlag.TRUNCATE)
    assert path.read_bytes() == b""
    with pytest.raises(AgentError) as attempt:
        device.open_file(str(path), READ).write(b"x")
    assert number_of(attempt) == EBADF


def test_two_descriptors_of_one_file_are_known_to_be_that(device: RemoteDevice, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    first, second = (device.open_file(str(tmp_path / "file")).status() for _ in range(2))
    assert first == second
    assert (first.device, first.inode) == (
        os.stat(tmp_path / "file").st_dev,
        os.stat(tmp_path / "file").st_ino,
    )
    assert device.create_file(b"x").status() != first


def test_a_pipe_is_waited_for_only_so_long(device: RemoteDevice, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = device.open_file(str(tmp_path / "pipe"), READ | WRITE)
    with pytest.raises(AgentError, match="cannot read") as attempt:
        pipe.read_some(10, seconds=0.02)
    assert number_of(attempt) == ETIMEDOUT
    pipe.write(bytes(65536))
    with pytest.raises(AgentError, match="cannot write") as attempt:
        pipe.write(b"one more", seconds=0.02)
    assert number_of(attempt) == ETIMEDOUT
    assert len(pipe.read_some(100_000)) == 65536


# --- mapped memory --------------------------------------------------------------------------------


def test_mapped_memory_is_read_and_written_anywhere(device: RemoteDevice) -> None:
    file = device.create_file(bytes(10_000))
    file.write_memory(b"across a page", 4090)
    assert file.read_memory(13, 4090) == b"across a page"
    assert file.read()[4090:4103] == b"across a page"
    assert file.read_memory(0) == b""


def test_memory_that_is_not_there_is_an_error_and_not_the_end(device: RemoteDevice) -> None:
    file = device.create_file(b"short")
    for _ in range(3):
        with pytest.raises(AgentError, match="cannot read mapped memory: Bad address") as attempt:
            file.read_memory(10, 8192)
        assert number_of(attempt) == EFAULT
        with pytest.raises(AgentError, match="cannot write mapped memory: Bad address"):
            file.write_memory(b"x", 8192)
    assert file.read() == b"short"


def test_memory_may_be_for_reading_only(device: RemoteDevice, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    file = device.open_file(str(tmp_path / "file"))
    assert file.read_memory(7) == b"content"
    with pytest.raises(AgentError) as attempt:
        file.write_memory(b"x")
    assert number_of(attempt) == EACCES


# --- ioctls ---------------------------------------------------------------------------------------


def test_an_ioctl_gets_a_structure_and_gives_it_back(device: RemoteDevice, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = device.open_file(str(tmp_path / "pipe"), READ | WRITE)
    pipe.write(b"12345")
    assert pipe.control(termios.FIONREAD, bytes(4)) == (0, struct.pack("<i", 5))


def test_an_ioctl_that_fails_says_why(device: RemoteDevice) -> None:
    with pytest.raises(AgentError, match="the ioctl fails") as attempt:
        device.create_file(b"").control(termios.TCGETS, bytes(64))
    assert number_of(attempt) == ENOTTY


def test_an_ioctl_may_get_a_number_instead(device: RemoteDevice, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = device.open_file(str(tmp_path / "pipe"), READ | WRITE)
    assert pipe.control(termios.FIOCLEX) == (0, b"")


# --- whose they are -------------------------------------------------------------------------------


def test_the_agents_own_descriptors_are_out_of_reach(device: RemoteDevice) -> None:
    for fd in (*sorted(descriptors(device)), 99, 0xFFFFFFFF):
        with pytest.raises(AgentError) as attempt:
            RemoteFile(fd, device).read()
        assert number_of(attempt) == EBADF
        with pytest.raises(AgentError) as attempt:
            RemoteFile(fd, device).status()
        assert number_of(attempt) in (EBADF, EINVAL)
        RemoteFile(fd, device).close()
    assert device.create_file(b"still there").read() == b"still there"


def test_a_descriptor_stays_where_it_is(device: RemoteDevice) -> None:
    with pytest.raises(UsageError, match="another process's"):
        device.create_file().detach()


def test_an_agents_descriptors_end_with_it(tmp_path: Path) -> None:
    device = RemoteDevice(start(tmp_path), "")
    device.create_file(b"x")
    device.close()
    assert device.lost
    assert not Path(f"/proc/{device.pid}").exists()
