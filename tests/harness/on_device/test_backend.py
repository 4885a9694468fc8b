from __future__ import annotations

import pytest

from harness.adb.errors import DeviceUnavailable
from harness.fake_adb import FakeAdb
from harness.on_device.backend import AdbBackend
from harness.on_device.options import DeviceOptions
from harness.placement import PlacementError
from tests.harness.adb.fake_android import FakeAndroid
from tests.harness.command import run_command
from tests.harness.conftest import Command


def options(fake: FakeAdb, *serials: str) -> DeviceOptions:
    host, port = fake.address
    return DeviceOptions((f"{host}:{port}",), serials, run="test")


def test_without_a_device_it_says_how_to_get_one(fake: FakeAdb) -> None:
    with pytest.raises(PlacementError, match="there is no device; plug one in, start an emulator"):
        AdbBackend(options(fake)).check()


def test_a_device_that_is_not_ready_is_named_with_its_state(fake: FakeAdb) -> None:
    fake.add("0123", state="unauthorized")
    with pytest.raises(PlacementError, match="'0123' is ") as caught:
        AdbBackend(options(fake, "0123")).check()
    assert isinstance(caught.value.__cause__, DeviceUnavailable)


def test_a_device_without_the_service_is_sent_to_the_doctor(fake: FakeAdb, phone: FakeAndroid) -> None:
    phone.overrides["service list"] = "Found 1 services:\n0\tactivity: [android.app.IActivityManager]\n"
    with pytest.raises(PlacementError, match=r"0123 has no service 'npu'; see: harness doctor --serial 0123"):
        AdbBackend(options(fake)).check()


def test_a_device_that_was_not_named_is_not_touched(
    fake: FakeAdb, phone: FakeAndroid, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [fake.add("one"), fake.add("two")]
    phone.overrides["service list"] = "Found 0 services:\n"
    monkeypatch.setenv("ANDROID_SERIAL", "0123")
    with pytest.raises(PlacementError, match="no service"):
        AdbBackend(options(fake)).check()
    assert phone.ran != []
    assert [other.asked for other in others] == [[], []]


@pytest.mark.parametrize("workers", ["1", "3"])
def test_nor_is_it_by_several_workers(
    fake: FakeAdb, phone: FakeAndroid, workers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [fake.add("one"), fake.add("two")]
    phone.overrides["service list"] = "Found 0 services:\n"
    monkeypatch.setenv("ANDROID_SERIAL", "0123")
    host, port = fake.address
    done = run_command("harness", "run", "--backend", "adb", "-n", workers, "--adb-server", f"{host}:{port}")
    assert done.code == 2
    assert "0123 has no service 'npu'" in done.err
    assert [other.asked for other in others] == [[], []]


def test_without_a_server_elsewhere_it_says_so(harness: Command) -> None:
    done = harness("run", "--backend", "adb", "--adb-server", "127.0.0.2:1")
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "127.0.0.2:1" in done.err


def test_the_reference_needs_no_adb(harness: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("ANDROID_SERIAL", "gone")
    assert harness("run", "status_quo.is_the_default").code == 0
