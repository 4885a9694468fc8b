"""What a device says of itself for the record of a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.adb import Device, Server
from harness.fake_adb import FakeAdb, scripted
from harness.on_device.evidence import place_of

FINGERPRINT = "brand/product/device:17/ID/1:userdebug/test-keys"


@pytest.fixture
def fake() -> Iterator[FakeAdb]:
    with FakeAdb() as fake:
        yield fake


def device(fake: FakeAdb, said: bytes) -> Device:
    fake.add("serial", shell=scripted({"getprop ro.build.fingerprint": said}))
    return Device(Server(*fake.address), "serial")


def test_names_serial_and_build(fake: FakeAdb) -> None:
    found = place_of(device(fake, f"{FINGERPRINT}\n".encode()))
    assert found == {"serial": "serial", "build": FINGERPRINT}


def test_device_without_a_fingerprint_has_no_build(fake: FakeAdb) -> None:
    assert place_of(device(fake, b"\n")) == {"serial": "serial", "build": ""}
