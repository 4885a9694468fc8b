"""A device of this machine, as far as that can be tested where there is none."""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import threading
from pathlib import Path

import pytest

from binder.kernel import DeviceError, LocalDevice
from binder.kernel.commands import MIN_READ_SIZE, WRITE_READ, Command, Return, Writer
from binder.kernel.device import _Exchange


def test_a_device_that_is_not_there_says_what_helps(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    with pytest.raises(DeviceError, match=r"cannot be opened: No such file.*binder_linux"):
        LocalDevice(tmp_path / "binder")
    with pytest.raises(DeviceError, match="/dev/null is no binder device"):
        LocalDevice("/dev/null")
    assert len(os.listdir("/proc/self/fd")) == len(before)


@pytest.mark.parametrize("size", [0, 1, 1000])
def test_the_driver_finds_a_transaction_where_its_addresses_say(size: int) -> None:
    writer = Writer()
    writer.free_buffer(0x7000)
    data = os.urandom(size)
    writer.transaction(Command.TRANSACTION, handle=3, code=7, flags=0x10, data=data, offsets=(0, 24))
    exchange = _Exchange()
    exchange.load(writer, wait=True)
    length, _, address, read_size, _, read_address = WRITE_READ.unpack(exchange.request)
    assert (length, read_size) == (len(writer.stream), MIN_READ_SIZE)
    assert read_address >= address + length
    stream = ctypes.string_at(address, length)
    data_size, offsets_size, data_at, offsets_at = struct.unpack("<QQQQ", stream[-32:])
    assert (ctypes.string_at(data_at, data_size) if data_at else b"") == data
    assert struct.unpack("<2Q", ctypes.string_at(offsets_at, offsets_size)) == (0, 24)


def test_nothing_is_read_where_nothing_is_waited_for() -> None:
    exchange = _Exchange()
    exchange.load(Writer(), wait=False)
    assert WRITE_READ.unpack(exchange.request)[3] == 0


@pytest.mark.parametrize("is_done", [False, True])
def test_what_the_driver_says_as_a_signal_comes_is_not_lost(
    monkeypatch: pytest.MonkeyPatch, is_done: bool
) -> None:
    """A handler that raises runs after the driver's answer, or before anything has been asked."""
    device = LocalDevice.__new__(LocalDevice)
    device.name, device._fd, device._unusable, device._thread = "/dev/fake", -1, "", threading.local()
    answer = struct.pack("<IIQ", Return.NOOP, Return.DEAD_BINDER, 5)

    def ioctl(fd: int, number: int, request: bytearray, mutate: bool) -> None:
        size, _, address, read_size, _, read_address = WRITE_READ.unpack(request)
        if is_done:
            ctypes.memmove(read_address, answer, len(answer))
            WRITE_READ.pack_into(request, 0, size, size, address, read_size, len(answer), read_address)
        raise KeyboardInterrupt

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    writer = Writer()
    writer.free_buffer(1)
    with pytest.raises(KeyboardInterrupt):
        device.write_read(writer, wait=True)
    assert writer.returned == (answer if is_done else b"")
    assert writer.owed() == (b"" if is_done else bytes(writer.stream))


def test_after_an_interruption_a_transaction_is_not_owed() -> None:
    writer = Writer()
    writer.free_buffer(1)
    writer.free_buffer(2)
    writer.transaction(Command.TRANSACTION, handle=3, code=7, flags=0, data=b"", offsets=())
    assert writer.owed() == b""
    writer.taken = 12
    assert writer.owed() == struct.pack("<IQ", Command.FREE_BUFFER, 2)
    writer.taken = len(writer.stream)
    assert writer.owed() == b""
