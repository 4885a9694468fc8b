"""Fixtures for tests of buffers: a driver, and the promise that nothing stays open."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from reference_impl.buffers.memory import reads_directly

from .kit import Bench, is_back_at, open_descriptors, weights


@pytest.fixture
def bench() -> Iterator[Bench]:
    before = open_descriptors()
    bench = Bench()
    yield bench
    bench.close()
    assert is_back_at(before), "descriptors were left open"
    assert bench.contents.used("npu") == 0, "memory was left in use"


@pytest.fixture(scope="session")
def direct_folder() -> Iterator[Path]:
    """A folder whose files can be read directly, which those of an old tmpfs cannot."""
    for parent in (tempfile.gettempdir(), "/var/tmp", str(Path(__file__).parents[3])):
        with tempfile.TemporaryDirectory(prefix="npukit-", dir=parent) as folder:
            with open(Path(folder, "try"), "wb+") as file:
                direct = reads_directly(file.fileno())
            if direct:
                yield Path(folder)
                return
    pytest.skip("no folder here has files that can be read directly (O_DIRECT)")


@pytest.fixture
def file(direct_folder: Path) -> Iterator[int]:
    """Four pages of A, B, C and D, and three bytes of z."""
    fd = os.open(weights(direct_folder, 4, 3), os.O_RDONLY)
    yield fd
    os.close(fd)
