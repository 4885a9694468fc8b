"""Buffers over adb on the virtual device: nothing that an app or the service has opened stays open."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from mmap import PAGESIZE, PROT_READ

import pytest

from harness.kernel import KernelApp, KernelSession
from harness.news import PROT_RW, pages
from harness.on_device.backend import AdbBackend
from harness.vocabulary import App, Npu
from tests.vm.device import VirtualDevice

from .test_virtual_device import options_for

pytestmark = [pytest.mark.adb, pytest.mark.vm]

P = PAGESIZE
SYSTEM = "grep -l 'reference_impl.android[.]system' /proc/[0-9]*/cmdline"  # which does not find itself


@pytest.fixture
def session(virtual_device: VirtualDevice) -> Iterator[KernelSession]:
    session = AdbBackend(options_for(virtual_device)).open(0)
    try:
        yield session
    finally:
        session.close()


def pid_of(app: App) -> int:
    assert isinstance(app.process, KernelApp)
    return app.process.device.pid


def links(machine: VirtualDevice, pid: int | str) -> list[str]:
    """What a process on the device has open, as /proc names it."""
    listed = machine.run(f"ls -l /proc/{pid}/fd").check().text
    return sorted(line.partition(" -> ")[2] for line in listed.splitlines() if " -> " in line)


def system_links(machine: VirtualDevice) -> list[str]:
    """Of the programs that are the system."""
    paths = machine.run(f"{SYSTEM}; true").text.split()
    pids = [path.split("/")[2] for path in paths]
    found = [link for pid in pids for link in links(machine, pid) if pid.isdecimal()]
    assert any("binder" in link for link in found)
    return sorted(found)


def use_buffers(album: App, camera: App) -> None:
    """The allocator, the NDK, the driver, and a buffer that goes to another process."""
    file = album.memory.file(pages("AB"))
    held = album.buffers.hold(pages=2, segment=(file, 0, 2 * P, 0))
    assert (held.wrap.reads(), held.wrap.reads(offset=P)) == (b"AA", b"BB")
    theirs = held.wrap.by(camera)
    mapping = theirs.map(PROT_RW)
    mapping.view[:2] = b"hi"
    mapping.close()
    assert held.wrap.reads() == b"hi"
    theirs.close()
    held.put().close()
    native = album.runtime.hold(prot=PROT_READ, segment=(file, P, P, 0))
    assert native.reads() == b"BB"
    native.free()
    album.memory.close(file)
    first = camera.driver.wrap().acquire()
    first.rewrap(PROT_READ).acquire().empty().close()
    first.close()


def test_nothing_stays_open_on_either_side(session: KernelSession, virtual_device: VirtualDevice) -> None:
    npu = Npu(session)
    album, camera = npu.app("album"), npu.app("camera")
    use_buffers(album, camera)  # what is opened once and for all is open now

    def open_now() -> tuple[list[str], list[str], list[str]]:
        gc.collect()
        session.settle()  # an answer of everybody's: what was said before has been done
        return (
            links(virtual_device, pid_of(album)),
            links(virtual_device, pid_of(camera)),
            [link for link in system_links(virtual_device) if "npubuf" in link or "anon" in link],
        )

    before = open_now()
    for _ in range(3):
        use_buffers(album, camera)
    after = open_now()
    assert after == before


def test_after_a_scenario_no_buffer_is_left(virtual_device: VirtualDevice) -> None:
    session = AdbBackend(options_for(virtual_device)).open(0)
    npu = Npu(session)
    album = npu.app("album")
    kept = album.buffers.hold(pages=3)
    mapping = kept.wrap.map()
    buffers = [link for link in links(virtual_device, pid_of(album)) if "npubuf" in link]
    assert buffers
    mapping.close()
    session.close()
    assert virtual_device.run("dumpsys npu").text.count("0 of ") == 2
    assert [link for link in system_links(virtual_device) if "npubuf" in link] == []
