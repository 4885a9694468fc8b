"""A device of this machine, as far as that can be tested where there is none."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

import pytest

from binder.kernel import DeviceError, LocalDevice
from binder.kernel.commands import MIN_READ_SIZE, WRITE_READ, Command, Writer
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
