"""`harness doctor` and `harness devices`, against pretended adb servers."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from harness.fake_adb import Cut, FakeAdb

from .adb.fake_android import FakeAndroid
from .conftest import Command


@pytest.fixture(autouse=True)
def _no_devices_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANDROID_SERIAL", "ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")


@pytest.fixture
def fake() -> Iterator[FakeAdb]:
    with FakeAdb() as server:
        yield server


@pytest.fixture
def at(fake: FakeAdb) -> list[str]:
    """The option that leads to the server."""
    return ["--adb-server", "{}:{}".format(*fake.address)]


def test_the_doctor_tells_people(fake: FakeAdb, harness: Command, at: list[str]) -> None:
    FakeAndroid().install(fake.add("0123 (2)"))
    done = harness("doctor", "--no-agent", *at)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("0123 (2)")
    assert any(
        line.split()[:3] == ["HAL", "ok", "android.hardware.npu.IScheduling/default"] for line in lines
    )
    assert any(line.startswith("agent with any uid  no") for line in lines)
    assert "-> install two apps" not in done.out
    assert done.err == ""


def test_the_doctor_tells_programs(fake: FakeAdb, harness: Command, at: list[str]) -> None:
    FakeAndroid().install(fake.add("0123"))
    done = harness("doctor", "--json", "--no-agent", "--serial", "0123", *at)
    told = json.loads(done.out)
    assert (told["serial"], told["playable"]) == ("0123", True)
    assert {each["level"] for each in told["findings"]} == {"ok", "absent"}


def test_a_feature_without_a_hal_ends_with_1(fake: FakeAdb, harness: Command, at: list[str]) -> None:
    phone = FakeAndroid().install(fake.add("0123"))
    phone.overrides["service list"] = "Found 1 services:\n0\tnpu: [android.npumanager.INpuManagerService]\n"
    done = harness("doctor", "--no-agent", *at)
    assert done.code == 1
    assert "must have it (VTS)" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("unauthorized", "accept the question about USB debugging"),
        ("authorizing", "wait a moment"),
        ("offline", "adb disconnect 0123, then adb connect 0123"),
        ("recovery", "adb -s 0123 reboot"),
        ("sideload", "let the update end"),
        ("bootloader", "fastboot -s 0123 reboot"),
        ("no permissions (x); see [http://x.test]", "udev rules"),
    ],
)
def test_a_device_that_is_not_ready_ends_with_2_and_the_remedy(
    fake: FakeAdb, harness: Command, at: list[str], state: str, says: str
) -> None:
    fake.add("0123", state=state)
    done = harness("doctor", "--serial", "0123", *at)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert len(done.err.splitlines()) == 1


def test_a_device_that_is_lost_meanwhile_ends_with_3(fake: FakeAdb, harness: Command, at: list[str]) -> None:
    listed = fake.add("0123")
    phone = FakeAndroid().install(listed)

    def leaving(service: str) -> object:
        if "service list" in service:
            listed.state = "bootloader"
            return [Cut()]
        return phone.answer(service)

    listed.shell = leaving  # type: ignore[assignment]
    done = harness("doctor", "--no-agent", *at)
    assert (done.code, done.out) == (3, "")
    assert "the device was lost: device '0123' is in its bootloader" in done.err


def test_two_devices_and_none_chosen_are_listed(fake: FakeAdb, harness: Command, at: list[str]) -> None:
    fake.add("one")
    fake.add("two")
    done = harness("doctor", *at)
    assert done.code == 2
    assert "there are 2 devices: one (device), two (device); choose one: --serial" in done.err


def test_the_environment_chooses(
    fake: FakeAdb, harness: Command, at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for serial in ("one", "two", "three"):
        FakeAndroid().install(fake.add(serial))
    monkeypatch.setenv("ANDROID_SERIAL", "two")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(fake.address[1]))
    done = harness("doctor", "--no-agent", "--json")
    assert json.loads(done.out)["serial"] == "two"
    assert [device.serial for device in fake.devices if device.asked] == ["two"]


def test_without_a_server_there_is_one_sentence(harness: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv("PATH", "")
    done = harness("devices", "--adb-server", f"127.0.0.1:{port}")
    assert done.code == 2
    assert "there is no adb program; install adb" in done.err


@pytest.mark.parametrize("address", ["lab:port", "", "lab:99999"])
def test_a_server_that_is_no_address_is_refused(harness: Command, address: str) -> None:
    done = harness("doctor", "--adb-server", address)
    assert done.code == 2
    assert "write HOST:PORT" in done.err


def test_devices_of_several_servers_are_listed_once(fake: FakeAdb, harness: Command, at: list[str]) -> None:
    FakeAndroid().install(fake.add("one"))
    fake.add("ghost", state="offline")
    with FakeAdb() as other:
        other.add("two")
        also = ["--adb-server", "{}:{}".format(*other.address)]
        told = json.loads(harness("devices", "--json", *at, *also).out)
        people = harness("devices", *at, *also)
    assert [(each["serial"], each["state"], each["ready"]) for each in told] == [
        ("one", "device", True),
        ("two", "device", True),
        ("ghost", "offline", False),
    ]
    assert "plug it in again" in told[2]["remedy"]
    assert people.out.splitlines()[-1] == "3 devices, 2 ready"
    assert people.code == 0


def test_a_list_talks_to_the_chosen_device_only(
    fake: FakeAdb, harness: Command, at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for serial in ("one", "two"):
        FakeAndroid().install(fake.add(serial))
    monkeypatch.setenv("ANDROID_SERIAL", "two")
    assert len(json.loads(harness("devices", "--json", *at).out)) == 2
    assert [device.serial for device in fake.devices if device.asked] == ["two"]


def test_no_device_says_what_to_do(harness: Command, at: list[str]) -> None:
    assert harness("devices", *at).out.strip() == "no device; see: adb connect HOST:PORT"
    assert harness("doctor", *at).code == 2
