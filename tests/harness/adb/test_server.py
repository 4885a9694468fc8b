"""Servers and their lists. What adbutils makes of the same: `test_adbutils`."""

from __future__ import annotations

import socket
import subprocess

import pytest

from harness.adb import AdbError, Device, DeviceUnavailable, LinkLost, NoServer, Server, TimedOut
from harness.fake_adb import Cut, FakeAdb, Reset, Silence, block

MDNS = "adb-ABC-x (2)._adb-tls-connect._tcp"
NO_PERMISSIONS = "no permissions (user in plugdev group; are your udev rules wrong?); see [http://x.test]"


def test_a_serial_with_a_space_stays_whole(fake: FakeAdb, server: Server) -> None:
    fake.add(MDNS)
    assert [(entry.serial, entry.state.usable) for entry in server.devices()] == [(MDNS, True)]
    fake.devices[0].answers["shell,v2,raw:id"] = b"\x03\x01\0\0\0\x05"
    assert Device(server, MDNS).shell("id").code == 5


def test_no_permissions_is_a_state_with_a_remedy(fake: FakeAdb, server: Server) -> None:
    fake.add("0123", state=NO_PERMISSIONS)
    (listed,) = server.devices()
    assert listed.state.name == "no permissions"
    assert "udev" in listed.state.remedy


def test_a_list_that_comes_byte_by_byte_is_whole(fake: FakeAdb, server: Server) -> None:
    fake.byte_by_byte = True
    fake.add(MDNS)
    fake.add("0123", state="offline")
    assert [entry.serial for entry in server.devices()] == [MDNS, "0123"]


@pytest.mark.parametrize("end", [Cut(), Reset()])
def test_a_list_that_is_cut_is_not_taken_for_a_short_one(
    fake: FakeAdb, server: Server, end: Cut | Reset
) -> None:
    fake.answers["host:devices"] = [block("0123\tdevice\n4567\tdevice\n")[:-3], end]
    with pytest.raises(LinkLost, match="asking the adb server"):
        server.devices()


def test_a_server_that_says_nothing_is_not_waited_for(fake: FakeAdb, server: Server) -> None:
    fake.answers["host:devices"] = [Silence()]
    with pytest.raises(TimedOut, match=r"'host:devices'.*not done within 0.05 s"):
        server.devices(seconds=0.05)


def test_without_a_server_there_is_a_clear_error_and_none_is_started() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(NoServer, match=rf"no adb server answers at 127.0.0.1:{port}.*adb start-server"):
        Server("127.0.0.1", port).devices()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("host", ["a..b", "x" * 70, "\udcff"])
def test_a_host_that_has_no_name_is_said_to_have_none(host: str) -> None:
    with pytest.raises(NoServer, match="no name of a host"):
        Server(host).devices()


def test_what_is_no_adb_server_is_said_to_be_none(fake: FakeAdb, server: Server) -> None:
    fake.answers["host:version"] = [Cut()]
    with pytest.raises(LinkLost):
        server.version()
    fake.answers["host:version"] = block("HTTP")
    with pytest.raises(NoServer, match="'HTTP'"):
        server.version()


def test_a_running_server_is_neither_started_nor_ended(
    fake: FakeAdb, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert server.ensure_running() is False
    assert server.version() == 41
    assert set(fake.requests) == {"host:version"}


def test_a_server_elsewhere_is_not_started() -> None:
    assert not Server("198.51.100.1").is_here
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    class Elsewhere(Server):
        is_here = False

    with pytest.raises(NoServer, match="no adb server answers"):
        Elsewhere("127.0.0.1", port).ensure_running()


def test_without_the_adb_program_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(NoServer, match="there is no adb program; install adb"):
        Server("127.0.0.1", port).ensure_running()


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("lab-1:5038", "lab-1", 5038),
        ("10.0.0.7", "10.0.0.7", 5037),
        ("[::1]:5099", "::1", 5099),
        ("[fe80::2]", "fe80::2", 5037),
    ],
)
def test_addresses_of_servers(text: str, host: str, port: int) -> None:
    assert Server.parse(text) == Server(host, port)
    assert Server.parse(str(Server(host, port))) == Server(host, port)


@pytest.mark.parametrize("text", ["", "lab:0", "lab:65536", "lab:x", "a b:1", "::1", ":5037"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AdbError, match="write HOST:PORT"):
        Server.parse(text)


@pytest.mark.parametrize(
    ("environment", "server"),
    [
        ({}, Server()),
        ({"ANDROID_ADB_SERVER_PORT": "5050"}, Server(port=5050)),
        ({"ANDROID_ADB_SERVER_ADDRESS": "lab", "ANDROID_ADB_SERVER_PORT": "7"}, Server("lab", 7)),
        ({"ADB_SERVER_SOCKET": "tcp:5099"}, Server(port=5099)),
        ({"ADB_SERVER_SOCKET": "tcp:lab:9", "ANDROID_ADB_SERVER_PORT": "7"}, Server("lab", 9)),
        ({"ANDROID_ADB_SERVER_ADDRESS": "::1"}, Server("::1")),
    ],
)
def test_the_environment_says_where_the_server_is(environment: dict[str, str], server: Server) -> None:
    assert Server.from_environment(environment) == server


def test_an_environment_that_names_no_address_is_refused() -> None:
    with pytest.raises(AdbError, match="ADB_SERVER_SOCKET"):
        Server.from_environment({"ADB_SERVER_SOCKET": "localfilesystem:/run/adb"})
    with pytest.raises(AdbError, match="HOST:PORT"):
        Server.from_environment({"ANDROID_ADB_SERVER_PORT": "many"})


@pytest.mark.parametrize(
    ("state", "refusal", "name", "remedy"),
    [
        ("unauthorized", "device unauthorized.\nThis adb server's ...", "unauthorized", "USB debugging"),
        ("authorizing", "device still authorizing", "authorizing", "wait"),
        ("offline", "device offline", "offline", "adb connect"),
        ("recovery", "closed", "recovery", "reboot"),
        ("sideload", "closed", "sideload", "update"),
        ("bootloader", "device offline", "bootloader", "fastboot"),
        ("no permissions; see [http://x.test]", "no permissions", "no permissions", "udev"),
        (NO_PERMISSIONS, "insufficient permissions for device", "no permissions", "udev"),
        ("hibernating", "device hibernating", "hibernating", "adb devices -l"),
    ],
)
def test_each_state_is_told_apart_with_its_remedy(
    fake: FakeAdb, device: Device, state: str, refusal: str, name: str, remedy: str
) -> None:
    fake.add("0123", state=state, refusal=refusal)
    with pytest.raises(DeviceUnavailable, match=remedy) as caught:
        device.shell("id")
    assert caught.value.state.name == name
    assert caught.value.serial == "0123"
    with pytest.raises(DeviceUnavailable):
        device.check()


def test_a_remedy_can_be_typed(fake: FakeAdb, server: Server) -> None:
    fake.add(MDNS, state="recovery")
    with pytest.raises(DeviceUnavailable, match=r"reboot it: adb -s 'adb-ABC-x \(2\).*tcp' reboot"):
        Device(server, MDNS).check()


@pytest.mark.adb
def test_a_real_server_is_started_if_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADB_LOCAL_TRANSPORT_MAX_PORT", "5553")  # no looking for emulators here
    monkeypatch.setenv("ADB_MDNS", "0")
    with socket.create_server(("127.0.0.1", 0)) as free:
        real = Server("127.0.0.1", free.getsockname()[1])
    try:
        assert real.ensure_running() is True
        assert real.ensure_running() is False
        assert real.version() >= 39
        assert isinstance(real.devices(), list)
    finally:
        subprocess.run(
            ["adb", "-P", str(real.port), "kill-server"], capture_output=True, timeout=20, check=True
        )


def test_a_device_that_left_between_list_and_use_is_absent(fake: FakeAdb, device: Device) -> None:
    fake.answers["host-serial:0123:features"] = block("shell_v2")
    with pytest.raises(DeviceUnavailable, match="not known to adb's server; plug it in") as caught:
        device.shell("id")
    assert caught.value.state.name == "absent"


def test_a_refusal_that_the_list_knows_nothing_of_is_believed(fake: FakeAdb, device: Device) -> None:
    """The device went offline, and came back before the list was asked for."""
    fake.add("0123", refusal="device offline")
    with pytest.raises(DeviceUnavailable) as caught:
        device.shell("id")
    assert caught.value.state.name == "offline"


@pytest.mark.parametrize("serial", ["; touch /tmp/x", "$(id)", "-s", "--help", "a'b\"c", "`id`|&"])
def test_a_serial_is_never_anything_but_a_serial(fake: FakeAdb, server: Server, serial: str) -> None:
    listed = fake.add(serial)
    listed.answers["shell,v2,raw:id"] = b"\x03\x01\0\0\0\0"
    Device(server, serial).shell("id").check()
    assert fake.requests == [f"host-serial:{serial}:features", f"host:transport:{serial}", "shell,v2,raw:id"]


def test_a_request_that_is_too_long_is_refused_before_it_is_sent(fake: FakeAdb, device: Device) -> None:
    fake.add("0123")
    with pytest.raises(AdbError, match="65535"):
        device.shell("x" * 70_000)
