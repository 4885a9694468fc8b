"""Buffers of a stand-in here, used by a process that an agent is."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from errno import EACCES, EBADF, EBUSY, ECONNREFUSED, EFAULT, EINVAL, ENOENT, ENOTTY
from mmap import PAGESIZE, PROT_READ
from pathlib import Path

import pytest

from binder.kernel.remote import RemoteDevice
from binder.kernel.remote_descriptors import RemoteDescriptors
from binder.kernel.remote_file import RemoteFile
from reference_impl.buffers.agent_memory import AgentMemory
from reference_impl.buffers.agent_ports import AgentChannel, AgentKernelPort
from reference_impl.buffers.probe import probe
from reference_impl.buffers.served import ServedBuffers
from reference_impl.buffers.wrapfd import PROT_RW, WrapState

from ...harness.agent.kit import start

pytestmark = pytest.mark.cc

P = PAGESIZE


class Process:
    """An agent that passes nothing on."""

    def __init__(self, folder: Path) -> None:
        self.device = RemoteDevice(start(folder), "")

    def pass_on(self, fd: int, receiver: Process) -> RemoteFile:
        raise NotImplementedError


def no_service() -> None:
    raise NotImplementedError


@pytest.fixture
def buffers() -> Iterator[ServedBuffers]:
    with closing(ServedBuffers()) as buffers:
        buffers.boot()
        yield buffers


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path)
    try:
        yield process
    finally:
        process.device.close()


def memory_of(process: Process, buffers: ServedBuffers) -> AgentMemory:
    facts = buffers.facts()
    assert facts is not None
    return AgentMemory(process, facts["socket"], facts["heap"], no_service)  # type: ignore[arg-type]


@pytest.fixture
def memory(process: Process, buffers: ServedBuffers) -> AgentMemory:
    return memory_of(process, buffers)


def descriptors(process: Process) -> set[int]:
    with process.device.create_file() as file:  # an answer: what was said before has been done
        there = {int(path.name) for path in Path(f"/proc/{process.device.pid}/fd").iterdir()}
        return there - {file.fileno()}


def new_wrap(memory: AgentMemory, pages: int = 1, prot: int = PROT_RW) -> int:
    """Of a dma-buf that nothing else refers to."""
    dmabuf = memory.dmabuf(pages * P)
    wrap = memory.keep(memory.driver.wrap(dmabuf, prot))
    memory.close(dmabuf)
    return wrap


def refuses(code: int) -> pytest.RaisesExc[OSError]:
    return pytest.RaisesExc(OSError, check=lambda error: error.errno == code)


def test_a_buffer_is_wrapped_loaded_and_mapped(memory: AgentMemory, process: Process) -> None:
    driver = memory.driver
    wrap = new_wrap(memory, 2, PROT_RW)
    assert (driver.state(wrap), driver.size(wrap)) == (WrapState.RDWR, 2 * P)
    driver.acquire(wrap)
    assert driver.fdinfo(wrap)["owner"] == str(process.device.pid)
    driver.load(wrap, memory.file(b"A" * P + b"B" * P), P, 0, P)
    mapping = memory.map(wrap, 2 * P, PROT_RW)
    assert (mapping.view[:2], mapping.view[P : P + 2]) == (b"BB", bytes(2))
    mapping.view[P : P + 2] = b"hi"
    assert memory.map(wrap, P, PROT_READ, offset=P).view[:2] == b"hi"
    assert driver.fdinfo(wrap)["maps"] == "2"
    with refuses(EINVAL):
        driver.release(wrap)


def test_a_read_only_buffer_stays_so(memory: AgentMemory) -> None:
    wrap = new_wrap(memory, 1, PROT_READ)
    mapping = memory.map(wrap, P, PROT_READ)
    with refuses(EFAULT):
        mapping.view[:1] = b"x"
    with refuses(EACCES):
        mapping.protect(0, P, PROT_RW)
    with refuses(EACCES):
        memory.map(wrap, P, PROT_RW)


def test_what_is_taken_away_cannot_be_read(memory: AgentMemory) -> None:
    driver = memory.driver
    wrap = new_wrap(memory, 1, PROT_RW)
    driver.acquire(wrap)
    driver.load(wrap, memory.file(b"A" * P), 0, 0, P)
    new = memory.keep(driver.rewrap(wrap, PROT_READ))
    assert (driver.state(wrap), memory.read(new, 2)) == (WrapState.EMPTY, b"AA")
    assert memory.read(wrap, 2) != b"AA"
    driver.acquire(new)
    driver.empty(new)
    with refuses(ENOENT):
        memory.map(new, P, PROT_READ)
    assert memory.read(new, 2) in (b"", bytes(2))


def test_parts_are_unmapped(memory: AgentMemory) -> None:
    wrap = new_wrap(memory, 4, PROT_RW)
    mapping = memory.map(wrap, 4 * P, PROT_RW)
    mapping.unmap(P, P)
    assert memory.driver.fdinfo(wrap)["maps"] == "2"
    with refuses(EFAULT):
        assert mapping.view[P : P + 1]


def test_closed_and_other_descriptors(memory: AgentMemory) -> None:
    for fd in (0, 999, -1, 1 << 31):
        with refuses(EBADF):
            memory.driver.wrap(fd, PROT_RW)
    with refuses(EBADF):
        memory.driver.state(999)
    for kind in ("pipe", "memfd", "zero", "proc", "directory"):
        with refuses(ENOTTY):
            memory.driver.state(memory.special(kind))


def given(memory: AgentMemory, fd: int, path: Path) -> int:
    """A copy of a descriptor of this process's, in the agent's."""
    there = RemoteDescriptors(memory.peer.device)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(path))
        listener.listen()
        connected = there.connect(str(path).encode())
        connection, _ = listener.accept()
        with connection:
            socket.send_fds(connection, [b"here"], [fd])
            _, (received,) = there.exchange(connected, b"give")
    there.close(connected)
    return memory.keep(received)


def test_the_owner_is_the_agents_process_until_it_dies(process: Process, tmp_path: Path) -> None:
    with closing(ServedBuffers()) as buffers:
        provision = buffers.boot()
        memory, mine = memory_of(process, buffers), provision.wrapfd(os.getpid())
        dmabuf = provision.heaps.allocate("npu", P, b"test")
        wrap = mine.wrap(dmabuf, PROT_RW)
        try:
            theirs = given(memory, wrap, tmp_path / "s")
            memory.driver.acquire(theirs)
            memory.driver.allow_guests(theirs)
            with refuses(EBUSY):
                mine.acquire(wrap)
            process.device.kill()
            buffers.wait_for_end(process.device.pid, 20)
            mine.acquire(wrap)
            assert mine.fdinfo(wrap)["guests"] == "no"
        finally:
            os.close(wrap)
            os.close(dmabuf)


def test_nothing_is_left_open(memory: AgentMemory, process: Process, buffers: ServedBuffers) -> None:
    def here() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = descriptors(process), here()
    for _ in range(3):
        driver = memory.driver
        wrap = new_wrap(memory, 1, PROT_RW)
        driver.acquire(wrap)
        driver.load(wrap, memory.file(b"A" * P), 0, 0, P)
        memory.keep(driver.rewrap(wrap, PROT_READ))
        memory.map(new_wrap(memory), P, PROT_RW)
        for kind in ("path", "write-only", "directory", "pipe", "zero", "proc", "memfd"):
            memory.special(kind)
    memory.end()
    after = descriptors(process)
    assert len(after) == len(before[0]) - 1  # the connection has been closed, too
    buffers.notice_deaths()
    buffers.boot()
    assert here() <= before[1]


def test_after_a_boot_nobody_is_connected(memory: AgentMemory, buffers: ServedBuffers) -> None:
    wrap = new_wrap(memory, 1, PROT_RW)
    buffers.boot()
    with pytest.raises(ConnectionError):
        memory.driver.state(wrap)
    assert memory.read(wrap, 4) == bytes(4)
    buffers.close()
    with refuses(ECONNREFUSED):
        AgentChannel(memory.peer.device, f"{memory.driver.port.name.split()[-1]}")


def test_where_there_is_no_driver(process: Process) -> None:
    with refuses(ENOENT):
        AgentKernelPort(process.device, "/dev/there-is-no-wrapfd")


def test_the_kernels_driver_is_asked_directly(process: Process, tmp_path: Path) -> None:
    """With a device that knows no such request, which is as far as one can get without the driver."""
    port = AgentKernelPort(process.device, "/dev/null")
    with refuses(ENOTTY):
        port.wrap(bytes(16))
    with process.device.create_file(b"A" * P) as file:
        with refuses(ENOTTY):
            port.ioctl(file.fileno(), 0x8010BC01, bytes(16))
        assert port.lseek(file.fileno(), 0, 2) == P
        assert port.fdinfo(file.fileno()) == {}
        mapping = port.mmap(file.fileno(), P, PROT_RW, shared=True, offset=0)
    assert mapping.view[:2] == b"AA"
    mapping.protect(0, P, PROT_READ)
    mapping.unmap(0, 1)
    with refuses(EFAULT):
        assert mapping.view[:1]
    mapping.close()
    port.close()


def test_the_generation_is_told_through_an_agent(memory: AgentMemory, process: Process) -> None:
    before = descriptors(process)
    found = probe(memory.driver, memory.dmabuf, memory.file(bytes(2 * P)), close=memory.close)
    assert found.generations == ("contract",)
    assert len(descriptors(process)) == len(before) + 1  # the file
