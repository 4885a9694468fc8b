"""The same on a real adb server and a real adbd, in the virtual machine."""

from __future__ import annotations

import shlex
import threading

import pytest

from harness.adb import (
    Device,
    DeviceUnavailable,
    LinkLost,
    NotSupported,
    OutcomeUnknown,
    Server,
    lifecycle,
    shell,
)
from harness.adb.deadline import Deadline
from harness.adb.finding import find
from tests.vm.machine import Machine

pytestmark = [pytest.mark.adb, pytest.mark.vm, pytest.mark.xdist_group("vm")]


@pytest.fixture
def device(machine: Machine) -> Device:
    return Device(Server(port=machine.adb.port), machine.adb.serial)


def test_the_server_lists_the_machine_and_is_not_restarted(machine: Machine, device: Device) -> None:
    assert device.server.ensure_running() is False
    assert [(entry.serial, entry.state.name) for entry in device.server.devices()] == [
        (machine.adb.serial, "device")
    ]
    assert {"shell_v2", "stat_v2"} <= device.features


def test_output_errors_and_exit_code_come_apart(device: Device) -> None:
    done = device.shell("echo a; echo b >&2; exit 7")
    assert (done.stdout, done.stderr, done.code) == (b"a\n", b"b\n", 7)
    arguments = ["a b", "$HOME", "'", "é", ""]
    assert device.shell(["printf", "%s|", *arguments]).text == "".join(f"{word}|" for word in arguments)


def test_bytes_and_length_of_output_are_kept(device: Device) -> None:
    done = device.shell(
        "head -c 3000000 /dev/zero | tr '\\000' '\\377'; printf '\\001\\r\\n'", timeout=60
    ).check()
    assert done.stdout == b"\xff" * 3_000_000 + b"\x01\r\n"


@pytest.mark.parametrize(
    ("command", "code", "output"),
    [
        ("exit 3", 3, b""),
        ("echo hi # note", 0, b"hi\n"),
        ("sleep 2 & echo started", 0, b"started\n"),
        ("echo a; echo b >&2; exit 7", 7, b"a\nb\n"),
        ("printf '\\001\\377\\r\\n'", 0, b"\x01\xff\r\n"),
        ("cat", 0, b""),
    ],
)
def test_without_packets_code_and_output_are_right(
    device: Device, command: str, code: int, output: bytes
) -> None:
    done = shell.run(
        lambda service: device.server.open_device(device.serial, service, Deadline(20, "a test")),
        command,
        packets=False,
    )
    assert (done.code, done.stdout, done.errors_apart) == (code, output, False)


def test_a_stream_carries_bytes_both_ways_and_ends_on_each_side(device: Device) -> None:
    everything = bytes(range(256)) * 64
    device.shell("rm -f /tmp/end").check()
    with device.stream("trap '' HUP; cat; echo over >/tmp/end") as stream:
        writer = threading.Thread(target=stream.write, args=(everything * 16,))
        writer.start()
        assert stream.read_exact(16 * len(everything), timeout=30) == everything * 16
        writer.join(5)
        stream.close_write()
        assert stream.read(1, timeout=10) == b""
    device.shell("for try in $(seq 50); do [ -s /tmp/end ] && exit 0; sleep 0.1; done; exit 1").check()


def test_a_program_ends_with_its_stream(device: Device) -> None:
    with device.stream("echo $$; exec cat") as stream:
        line = b""
        while not line.endswith(b"\n"):
            line += stream.read(20, timeout=10)
    pid = int(line)
    gone = f"for try in $(seq 50); do [ -d /proc/{pid} ] || exit 0; sleep 0.1; done; exit 1"
    device.shell(gone).check()


def test_files_arrive_and_are_checked_by_their_hash(device: Device) -> None:
    content = bytes(range(256)) * 5000
    sent = device.push(content, "/tmp/pushed file", mode=0o755)
    assert sent.sha256 in device.shell(["sha256sum", "/tmp/pushed file"]).text
    device.shell(["test", "-x", "/tmp/pushed file"]).check()
    assert device.pull("/tmp/pushed file") == content


def test_files_of_1970_and_of_5_gib_are_seen_as_they_are(device: Device) -> None:
    device.shell("echo x >/tmp/old && touch -d @0 /tmp/old && truncate -s 5G /tmp/big").check()
    assert device.exists("/tmp/old")
    assert not device.exists("/tmp/none")
    big = device.status("/tmp/big")
    assert big is not None
    assert big.size == 5 << 30
    device.shell("rm /tmp/big").check()


def test_the_same_machine_by_two_addresses_is_one_device(machine: Machine, device: Device) -> None:
    other = machine.adb.serial.replace("127.0.0.1", "localhost")
    device.server.ask(f"host:connect:{other}")
    try:
        assert len(device.server.devices()) == 2
        assert [found.device.serial for found in find([device.server])] == [machine.adb.serial]
    finally:
        device.server.ask(f"host:disconnect:{other}")


def test_root_and_reboot_are_said_to_be_impossible_where_they_are(device: Device) -> None:
    lifecycle.become_root(device)  # it is already
    with pytest.raises(NotSupported, match="does not reboot: closed"):
        lifecycle.reboot(device, timeout=20)


def test_a_device_that_goes_in_mid_command_leaves_an_unknown_outcome(device: Device) -> None:
    with pytest.raises((OutcomeUnknown, LinkLost)):
        # adbd is started again by the machine's first process.
        device.shell(
            "for p in /proc/[0-9]*; do grep -qx adbd $p/comm && kill -9 ${p#/proc/}; done; sleep 20",
            timeout=30,
        )
    device.wait_until_usable(Deadline(30, "waiting for adbd"))
    assert device.shell("echo again", repeatable=True).text == "again\n"


def test_a_device_that_is_gone_is_absent_or_offline(device: Device) -> None:
    device.server.ask(f"host:disconnect:{device.serial}")
    with pytest.raises(DeviceUnavailable) as caught:
        device.shell(shlex.join(["true"]))
    assert caught.value.state.name == "absent"
