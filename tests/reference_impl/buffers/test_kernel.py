"""The clients of the real devices, as far as a machine without them goes."""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import EBADF, EINVAL, ENOENT, ENOTTY
from mmap import PAGESIZE, PROT_READ
from pathlib import Path

import pytest

from reference_impl.buffers.heaps import KernelHeaps
from reference_impl.buffers.kernel import KernelPort
from reference_impl.buffers.provision import KernelProvision, StandInProvision, best_provision
from reference_impl.buffers.wrapfd import PROT_RW, Wrapfd

from .kit import is_back_at, open_descriptors, refused


@pytest.fixture
def port(tmp_path: Path) -> KernelPort:
    """A port to something that is no driver, which answers every request with ENOTTY."""
    (tmp_path / "device").touch()
    return KernelPort(str(tmp_path / "device"))


def test_requests_reach_the_kernel(port: KernelPort) -> None:
    driver = Wrapfd(port)
    file = os.memfd_create("x")
    calls: list[Callable[[], object]] = [
        lambda: driver.wrap(file, PROT_RW),
        lambda: driver.state(file),
        lambda: driver.acquire(file),
        lambda: driver.load(file, file, 0, 0, PAGESIZE),
        lambda: driver.rewrap(file, PROT_READ),
        lambda: driver.empty(file),
    ]
    for call in calls:
        with refused(ENOTTY):
            call()
    os.close(file)
    with refused(EBADF):
        driver.state(file)
    port.close()


def test_mappings_are_real(port: KernelPort) -> None:
    file = os.memfd_create("x")
    os.ftruncate(file, 4 * PAGESIZE)
    mapping = Wrapfd(port).map(file, 4 * PAGESIZE, PROT_RW)
    mapping.view[:2] = b"hi"
    assert os.pread(file, 2, 0) == b"hi"
    mapping.unmap(PAGESIZE, PAGESIZE)
    mapping.protect(2 * PAGESIZE, PAGESIZE, PROT_READ)
    areas = [line for line in Path("/proc/self/maps").read_text().splitlines() if "/memfd:x" in line]
    assert len(areas) == 3
    mapping.close()
    assert Wrapfd(port).size(file) == 4 * PAGESIZE
    assert "owner" not in port.fdinfo(file)
    port.collect()
    os.close(file)
    port.close()


def test_heaps_that_are_not_there(tmp_path: Path) -> None:
    before = open_descriptors()
    heaps = KernelHeaps(str(tmp_path))
    with refused(ENOENT):
        heaps.allocate("npu", PAGESIZE, b"x")
    (tmp_path / "npu").touch()
    with refused(ENOTTY):
        heaps.allocate("npu", PAGESIZE, b"x")
    with refused(EINVAL):
        heaps.allocate("npu", 0, b"x")
    assert heaps.usage("npu") is None
    assert heaps.shortage("npu", 5) == 5
    assert is_back_at(before)


def test_the_real_driver_is_chosen_where_there_is_one() -> None:
    wanted = KernelProvision if os.path.exists("/dev/wrapfd") else StandInProvision
    assert isinstance(best_provision(None, {}), wanted)
