from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.adb import Device, Server
from harness.fake_adb import FakeAdb


@pytest.fixture
def fake() -> Iterator[FakeAdb]:
    with FakeAdb() as server:
        yield server


@pytest.fixture
def server(fake: FakeAdb) -> Server:
    return Server(*fake.address)


@pytest.fixture
def device(fake: FakeAdb, server: Server) -> Device:
    """The device that the test has put into `fake` under this serial, or puts there before it uses it."""
    return Device(server, "0123")
