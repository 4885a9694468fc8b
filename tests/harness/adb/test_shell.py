from __future__ import annotations

from typing import cast

import pytest

from harness.adb import (
    AdbError,
    CommandFailed,
    Device,
    DeviceUnavailable,
    OutcomeUnknown,
    Server,
    TimedOut,
    shell,
)
from harness.adb.wire import Link
from harness.fake_adb import Cut, FakeAdb, Part, Reset, Silence, packet, ran, real_shell


def test_output_errors_and_exit_code_come_apart(fake: FakeAdb, device: Device) -> None:
    fake.add("0123", shell=real_shell())
    done = device.shell("echo a; echo b >&2; exit 7")
    assert (done.stdout, done.stderr, done.code, done.errors_apart) == (b"a\n", b"b\n", 7, True)
    with pytest.raises(CommandFailed, match=r"ended with 7 on the device: 'a\\nb'") as caught:
        done.check()
    assert caught.value.code == 7


def test_every_byte_is_kept(fake: FakeAdb, device: Device) -> None:
    fake.byte_by_byte = True
    everything = bytes(range(256)) + b"\r\n\r\n"
    fake.add("0123").answers["shell,v2,raw:cat"] = ran(everything, everything[::-1])
    done = device.shell("cat")
    assert (done.stdout, done.stderr) == (everything, everything[::-1])


def test_arguments_reach_the_program_as_they_are(fake: FakeAdb, device: Device) -> None:
    fake.add("0123", shell=real_shell())
    arguments = ["a b", "$HOME", "'", '"', "*", "-n", "; exit 3", "é", ""]
    assert device.shell(["printf", "%s|", *arguments]).text == "".join(f"{word}|" for word in arguments)


def test_a_command_with_a_zero_byte_is_refused(fake: FakeAdb, device: Device) -> None:
    with pytest.raises(AdbError, match="zero byte"):
        device.shell(["echo", "a\0b"])
    assert fake.requests == []


def test_long_output_is_whole(fake: FakeAdb, device: Device) -> None:
    line = b"0123456789abcdef" * 1024
    parts: list[Part] = [packet(1, line)] * 500
    fake.add("0123").answers["shell,v2,raw:logcat -d"] = [*parts, packet(3, b"\0")]
    assert device.shell("logcat -d").check().stdout == line * 500


def test_packets_of_later_versions_are_passed_over(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["shell,v2,raw:id"] = packet(9, b"new") + ran(b"uid=2000", b"", 0)
    assert device.shell("id").stdout == b"uid=2000"


# --- a device without shell_v2 --------------------------------------------------------------------


@pytest.fixture
def old(fake: FakeAdb, device: Device) -> Device:
    fake.add("0123", features="cmd", shell=real_shell())
    return device


@pytest.mark.parametrize(
    ("command", "code", "output"),
    [
        ("exit 3", 3, b""),
        ("echo hi # note", 0, b"hi\n"),
        ("sleep 2 & echo started", 0, b"started\n"),
        ("echo a; echo b >&2; exit 7", 7, b"a\nb\n"),
        ("printf 'no end of line'", 0, b"no end of line"),
        ("printf '\\001\\377\\r\\n'", 0, b"\x01\xff\r\n"),
        ("kill -9 $(sh -c 'echo $PPID')", 137, None),
        ("echo 'it'\\''s'", 0, b"it's\n"),
        ("false\ntrue\nfalse", 1, b""),
        ("exec sh -c 'exit 4'", 4, b""),
        ("cat", 0, b""),
        ("if true; then", 2, None),
    ],
)
def test_without_packets_code_and_output_are_right(
    old: Device, command: str, code: int, output: bytes | None
) -> None:
    done = old.shell(command)
    assert done.code == code
    assert not done.errors_apart
    if output is not None:
        assert done.stdout == output


def test_a_command_that_prints_its_own_marker_cannot_deceive(fake: FakeAdb, old: Device) -> None:
    """The marker is new every time, so that nobody can know it before; the command line itself has it."""
    services: list[str] = []

    def spying(service: str) -> object:
        services.append(service)
        return real_shell()(service)

    fake.devices[0].shell = spying  # type: ignore[assignment]
    old.shell("echo one")
    earlier = services[0].split("%s%d.' ")[1].split()[0]
    assert old.shell(f"echo {earlier}0.; exit 5").code == 5


def test_without_packets_a_cut_is_no_end(fake: FakeAdb, device: Device) -> None:
    fake.add("0123", features="").shell = lambda service: [b"half of", Cut()]
    with pytest.raises(OutcomeUnknown, match="'reboot-it' was started"):
        device.shell("reboot-it")


class Pieces:
    """A link on which these arrive one after the other."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = [*pieces, b""]

    def read(self, size: int) -> bytes:
        return self._pieces.pop(0)


def test_without_packets_the_marker_is_found_wherever_it_is_cut() -> None:
    service, read = shell._with_marker("x")
    said = b"output" + service.split("%s%d.' ")[1].split()[0].encode() + b"127."
    for cut in range(1, len(said)):
        done = read(cast(Link, Pieces(said[:cut], said[cut:])))
        assert (done.stdout, done.code) == (b"output", 127)
    done = read(cast(Link, Pieces(*(said[at : at + 1] for at in range(len(said))))))
    assert (done.stdout, done.code) == (b"output", 127)


# --- ends that are no ends ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parts",
    [
        [packet(1, b"hello")[:7], Cut()],
        [packet(1, b"hello")[:3], Cut()],
        [packet(1, b"hello"), Cut()],
        [packet(1, b"hello"), Reset()],
        [packet(3, b"\0")[:5], Cut()],
    ],
)
def test_a_link_cut_in_the_middle_is_an_unknown_outcome(
    fake: FakeAdb, device: Device, parts: list[Part]
) -> None:
    fake.add("0123").answers["shell,v2,raw:svc"] = parts
    with pytest.raises(OutcomeUnknown, match=r"'svc' was started .* find out whether it has happened"):
        device.shell("svc")


def test_a_command_that_hangs_is_an_unknown_outcome_in_time(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["shell,v2,raw:hang"] = [packet(1, b"..."), Silence()]
    with pytest.raises(OutcomeUnknown, match=r"not done within 0.05 s"):
        device.shell("hang", timeout=0.05, repeatable=True)
    assert fake.devices[0].asked == ["shell,v2,raw:hang"], "what hangs is not tried again"


def test_a_command_that_was_never_started_is_no_unknown_outcome(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["shell,v2,raw:x"] = [Silence()]
    with pytest.raises(TimedOut, match="running 'x' on '0123'"):
        device.shell("x", timeout=0.05)


def test_only_what_may_be_repeated_is(fake: FakeAdb, device: Device) -> None:
    tries = iter([[packet(1, b"a"), Cut()], [Reset()], ran(b"ab")])
    fake.add("0123", shell=lambda service: next(tries))
    assert device.shell("getprop", repeatable=True).stdout == b"ab"
    tries = iter([[packet(1, b"a"), Cut()], ran(b"ab")])
    with pytest.raises(OutcomeUnknown):
        device.shell("am start")


def test_before_a_repetition_the_device_is_waited_for(fake: FakeAdb, device: Device) -> None:
    listed = fake.add("0123")

    def leaving(service: str) -> list[Part]:
        listed.state = "offline"
        return [packet(1, b"a"), Cut()]

    listed.shell = leaving
    with pytest.raises(DeviceUnavailable, match="still") as caught:
        device.shell("getprop", repeatable=True, timeout=0.3)
    assert caught.value.state.name == "offline"


def test_a_state_that_does_not_pass_is_not_waited_for(fake: FakeAdb, device: Device) -> None:
    listed = fake.add("0123")

    def leaving(service: str) -> list[Part]:
        listed.state = "unauthorized"
        return [packet(1, b"a"), Cut()]

    listed.shell = leaving
    with pytest.raises(DeviceUnavailable, match="USB debugging"):
        device.shell("getprop", repeatable=True)


def test_nobody_waits_for_a_connection_that_was_refused(server: Server, fake: FakeAdb) -> None:
    fake.add("0123").answers["shell,v2,raw:x"] = ConnectionError("closed")
    with pytest.raises(Exception, match="adb refuses 'shell,v2,raw:x': closed"):
        Device(server, "0123").shell("x")
