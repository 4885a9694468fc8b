from __future__ import annotations

import pytest

from harness.adb import Device, DeviceUnavailable, NotSupported, TimedOut, lifecycle
from harness.adb.deadline import Deadline
from harness.fake_adb import FakeAdb, block

from .fake_android import FakeAndroid


@pytest.fixture
def phone(fake: FakeAdb) -> FakeAndroid:
    return FakeAndroid().install(fake.add("0123"))


def test_root_is_had_once(phone: FakeAndroid, device: Device) -> None:
    lifecycle.become_root(device)
    assert lifecycle.user_id(device) == 0
    lifecycle.become_root(device)
    assert phone.device.asked.count("root:") == 1


def test_a_build_without_root_says_so(phone: FakeAndroid, device: Device) -> None:
    phone.userdebug = False
    with pytest.raises(NotSupported, match=r"cannot run as root in production builds; use a userdebug"):
        lifecycle.become_root(device)


def test_an_adbd_that_knows_no_root_says_so(phone: FakeAndroid, device: Device) -> None:
    phone.device.answers["root:"] = ConnectionError("closed")
    with pytest.raises(NotSupported, match="closed"):
        lifecycle.become_root(device)


def test_after_a_reboot_boot_and_service_are_waited_for(phone: FakeAndroid, device: Device) -> None:
    lifecycle.become_root(device)
    lifecycle.reboot(device, timeout=20)
    assert phone.boots == 2
    assert phone.answers_until_booted == 0
    assert lifecycle.user_id(device) == 2000
    assert phone.ran.index("getprop sys.boot_completed") < phone.ran.index("service check npu")


def test_a_reboot_that_does_not_happen_is_noticed(phone: FakeAndroid, device: Device) -> None:
    phone.device.answers["reboot:"] = b""
    with pytest.raises(TimedOut, match="rebooting '0123'"):
        lifecycle.reboot(device, timeout=0.3)


def test_a_boot_whose_service_never_comes_says_which(phone: FakeAndroid, device: Device) -> None:
    phone.overrides["service check npu"] = "Service npu: not found\n"
    with pytest.raises(TimedOut, match="waiting for the service 'npu' of '0123'"):
        lifecycle.wait_for_boot(device, timeout=0.3)
    lifecycle.wait_for_boot(device, service="", timeout=5)


def test_a_device_on_a_network_is_connected_to_again(fake: FakeAdb, device: Device) -> None:
    serial = "10.0.0.2:5555"
    listed = fake.add(serial, state="offline")

    def connect(peer: object) -> None:
        listed.state = "device"

    fake.answers[f"host:disconnect:{serial}"] = block("disconnected")
    fake.answers[f"host:connect:{serial}"] = connect
    lifecycle.wait_until_connected(Device(device.server, serial), Deadline(5, "a test"))
    assert f"host:disconnect:{serial}" in fake.requests


def test_a_device_that_stays_away_is_named_with_its_last_state(phone: FakeAndroid, device: Device) -> None:
    phone.device.state = "recovery"
    with pytest.raises(DeviceUnavailable, match=r"in recovery.*still"):
        lifecycle.wait_until_connected(device, Deadline(0.05, "a test"))


def test_nothing_of_this_ends_a_server(phone: FakeAndroid, device: Device, fake: FakeAdb) -> None:
    lifecycle.become_root(device)
    lifecycle.reboot(device, timeout=20)
    assert not any("kill" in request for request in fake.requests)
