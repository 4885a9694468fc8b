from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from harness.adb import AdbError, Device, LinkLost, OutcomeUnknown, TimedOut
from harness.adb.sync import SyncRefused
from harness.fake_adb import Cut, FakeAdb, FakeFile, Peer, Silence, ran, real_shell


def test_a_file_is_pushed_whole_with_mode_and_time(fake: FakeAdb, device: Device, tmp_path: Path) -> None:
    listed = fake.add("0123")
    content = bytes(range(256)) * 1000
    (tmp_path / "agent").write_bytes(content)
    listed.answers["shell,v2,raw:sha256sum /data/agent"] = ran(b"", b"sha256sum: not found", 127)
    sent = device.push(tmp_path / "agent", "/data/agent", mode=0o755)
    assert sent.size == len(content)
    stored = listed.files["/data/agent"]
    assert (stored.content, stored.mode) == (content, 0o100755)
    assert stored.modified == int((tmp_path / "agent").stat().st_mtime)
    assert device.pull("/data/agent") == content


@pytest.mark.parametrize("content", [b"", b"x", b"y" * (1 << 16), b"z" * ((1 << 16) + 1)])
def test_contents_of_every_length_go_there_and_back(fake: FakeAdb, device: Device, content: bytes) -> None:
    fake.add("0123", shell=real_shell())
    device.push(content, "/data/f")
    assert device.pull("/data/f") == content


def test_a_push_that_did_not_arrive_is_noticed_by_its_size(fake: FakeAdb, device: Device) -> None:
    listed = fake.add("0123")

    class Short(dict[str, FakeFile]):
        def __setitem__(self, key: str, value: FakeFile) -> None:
            super().__setitem__(key, FakeFile(value.content[:-1], value.mode))

    listed.files = Short()
    with pytest.raises(OutcomeUnknown, match="5 bytes were sent, 4 bytes arrived"):
        device.push(b"12345", "/data/f")


def test_a_push_that_arrived_changed_is_noticed_by_its_hash(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["shell,v2,raw:sha256sum /data/f"] = ran(b"0" * 64 + b"  /data/f\n")
    with pytest.raises(OutcomeUnknown, match="SHA-256 is another"):
        device.push(b"12345", "/data/f")


def test_sizes_of_more_than_32_bits_are_told_apart(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").files["/data/big"] = FakeFile(size=5 << 30)
    status = device.status("/data/big")
    assert status is not None
    assert (status.size, status.size_is_exact) == (5 << 30, True)
    assert status.has_size(5 << 30)
    assert not status.has_size(1 << 30)


def test_an_old_device_tells_as_much_of_a_size_as_it_can(fake: FakeAdb, device: Device) -> None:
    fake.add("0123", features="shell_v2").files["/data/big"] = FakeFile(size=5 << 30)
    status = device.status("/data/big")
    assert status is not None
    assert not status.size_is_exact
    assert status.has_size(5 << 30)
    assert not status.has_size((5 << 30) + 1)


@pytest.mark.parametrize("features", ["shell_v2,stat_v2", "shell_v2"])
def test_a_file_of_1970_exists(fake: FakeAdb, device: Device, features: str) -> None:
    fake.add("0123", features=features).files["/apex/com.android.npumanager"] = FakeFile(
        mode=0o40755, modified=0
    )
    assert device.exists("/apex/com.android.npumanager")
    assert not device.exists("/apex/com.android.other")


def test_what_the_device_refuses_is_refused_with_its_reason(fake: FakeAdb, device: Device) -> None:
    fake.add("0123")
    with pytest.raises(SyncRefused, match="couldn't create file: Read-only file system"):
        device.push(b"x", "/system/bin/x")
    with pytest.raises(SyncRefused, match="No such file"):
        device.pull("/data/none")


def test_a_refusal_in_the_middle_of_a_push_is_heard(fake: FakeAdb, device: Device) -> None:
    def refusing(peer: Peer) -> None:
        peer.read(100)
        reason = b"No space left on device"
        peer.write(b"FAIL" + len(reason).to_bytes(4, "little") + reason)

    fake.add("0123").answers["sync:"] = refusing
    with pytest.raises(SyncRefused, match="No space left on device"):
        device.push(b"x" * (1 << 22), "/data/f")


def test_a_transfer_that_is_cut_is_an_error(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["sync:"] = [b"DATA\x05\0\0\0abc", Cut()]
    with pytest.raises(LinkLost, match=r"reading '/data/f' on '0123': the connection ended after 3 of 5"):
        device.pull("/data/f")


def test_a_transfer_has_a_deadline(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["sync:"] = [b"DATA\x05\0\0\0abc", Silence()]
    with pytest.raises(TimedOut, match="reading '/data/f'"):
        device.pull("/data/f", timeout=0.05)


def test_a_path_that_is_too_long_is_refused(fake: FakeAdb, device: Device) -> None:
    fake.add("0123")
    with pytest.raises(AdbError, match="1024"):
        device.pull("/" + "é" * 600)


# --- streams --------------------------------------------------------------------------------------


def test_a_stream_carries_bytes_both_ways_and_ends_on_each_side(fake: FakeAdb, device: Device) -> None:
    fake.add("0123", shell=real_shell())
    with device.stream("cat; echo the end") as stream:
        everything = bytes(range(256))
        for _ in range(3):
            stream.write(everything)
            assert stream.read_exact(256, timeout=5) == everything
        stream.close_write()
        assert stream.read_exact(8, timeout=5) == b"the end\n"
        assert stream.read(1, timeout=5) == b""


def test_a_stream_outlives_whoever_opened_it(fake: FakeAdb, device: Device) -> None:
    fake.add("0123", shell=real_shell())
    stream = Device(device.server, "0123").stream(["cat"])
    gc.collect()
    stream.write(b"still there")
    assert stream.read_exact(11, timeout=5) == b"still there"
    stream.close()


def test_reading_from_a_silent_stream_ends_in_time_or_when_it_is_closed(
    fake: FakeAdb, device: Device
) -> None:
    fake.add("0123").answers["exec:agent"] = [b"hi", Silence()]
    stream = device.stream("agent")
    assert stream.read(10, timeout=5) == b"hi"
    with pytest.raises(TimedOut, match="reading from 'agent'"):
        stream.read(1, timeout=0.01)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(stream.read(1)))
    reader.start()
    stream.close()
    reader.join(5)
    assert heard == [b""]


def test_a_stream_that_ends_early_says_how_early(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["exec:agent"] = b"abc"
    with device.stream("agent") as stream, pytest.raises(LinkLost, match="after 3 of 10 bytes"):
        stream.read_exact(10, timeout=5)


def test_megabytes_go_through_a_stream_while_others_come(fake: FakeAdb, device: Device) -> None:
    fake.add("0123", shell=real_shell())
    data = bytes(range(256)) * (1 << 13)
    with device.stream("cat") as stream:
        writer = threading.Thread(target=stream.write, args=(data,))
        writer.start()
        assert stream.read_exact(len(data), timeout=20) == data
        writer.join(5)


def test_writing_to_a_program_that_has_ended_is_an_error(fake: FakeAdb, device: Device) -> None:
    fake.add("0123").answers["exec:agent"] = b""
    with device.stream("agent") as stream:
        assert stream.read(1, timeout=5) == b""
        stream.close()
        with pytest.raises(LinkLost, match="closed"):
            stream.write(b"x" * (1 << 22))
