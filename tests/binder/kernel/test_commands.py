"""The driver's language: literal bytes, both ways."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from binder.kernel.commands import (
    TRANSACTION_SIZE,
    WRITE_READ,
    Command,
    Ioctl,
    ProtocolError,
    Return,
    Writer,
    parse,
    payload_size,
)


def test_numbers_are_those_of_the_ioctl_encoding() -> None:
    # Direction, size, group 'b', 'c' or 'r', number: as `_IOWR('b', 1, struct binder_write_read)`.
    encoded = {
        Ioctl.WRITE_READ: (3, WRITE_READ.size, "b", 1),
        Ioctl.SET_MAX_THREADS: (1, 4, "b", 5),
        Ioctl.SET_CONTEXT_MGR: (1, 4, "b", 7),
        Ioctl.SET_CONTEXT_MGR_EXT: (1, 24, "b", 13),
        Ioctl.GET_EXTENDED_ERROR: (3, 12, "b", 17),
        Command.TRANSACTION: (1, TRANSACTION_SIZE, "c", 0),
        Return.TRANSACTION: (2, TRANSACTION_SIZE, "r", 2),
    }
    for number, (direction, size, group, ordinal) in encoded.items():
        assert int(number) == direction << 30 | size << 16 | ord(group) << 8 | ordinal


@pytest.mark.parametrize(
    ("number", "size"),
    [
        (Return.NOOP, 0),
        (Return.ERROR, 4),
        (Return.TRANSACTION, 64),
        (Return.TRANSACTION_SEC_CTX, 72),
        (Return.ACQUIRE, 16),
        (Return.DEAD_BINDER, 8),
        (Command.REQUEST_DEATH_NOTIFICATION, 12),
        (Command.FREE_BUFFER, 8),
        (Command.ENTER_LOOPER, 0),
    ],
)
def test_a_number_says_how_long_its_payload_is(number: int, size: int) -> None:
    assert payload_size(number) == size


def _written(write: str, *args: int) -> bytes:
    writer = Writer()
    getattr(writer, write)(*args)
    return bytes(writer.stream)


def test_commands_are_packed() -> None:
    assert _written("simple", Command.ENTER_LOOPER) == bytes.fromhex("0C630000")
    assert _written("handle", Command.ACQUIRE, 5) == bytes.fromhex("05630440 05000000")
    assert _written("node", Command.ACQUIRE_DONE, 0x10, 0x20) == bytes.fromhex(
        "09631040 1000000000000000 2000000000000000"
    )
    assert _written("free_buffer", 0x1122) == bytes.fromhex("03630840 2211000000000000")
    assert _written("watch", Command.REQUEST_DEATH_NOTIFICATION, 7, 9) == bytes.fromhex(
        "0E630C40 07000000 0900000000000000"
    )
    assert _written("watch", Command.CLEAR_FREEZE_NOTIFICATION, 7, 9) == bytes.fromhex(
        "14630C40 07000000 0900000000000000"
    )
    assert _written("heard", Command.FREEZE_NOTIFICATION_DONE, 9) == bytes.fromhex(
        "15630840 0900000000000000"
    )
    assert _written("heard", Command.DEAD_BINDER_DONE, 9) == bytes.fromhex("10630840 0900000000000000")


def test_a_transaction_leaves_its_addresses_to_the_device() -> None:
    writer = Writer()
    writer.simple(Command.ENTER_LOOPER)
    writer.transaction(Command.TRANSACTION, handle=5, code=3, flags=0x10, data=b"data", offsets=(0, 24))
    (command,) = struct.unpack_from("<I", writer.stream, 4)
    fields = struct.unpack_from("<QQIIiIQQQQ", writer.stream, 8)
    assert command == Command.TRANSACTION
    assert fields == (5, 0, 3, 0x10, 0, 0, 4, 16, 0, 0)
    data, offsets = writer.blobs
    assert (data.position, data.data) == (8 + 48, b"data")
    assert (offsets.position, offsets.data) == (8 + 56, struct.pack("<QQ", 0, 24))


def test_empty_data_has_no_address() -> None:
    writer = Writer()
    writer.transaction(Command.REPLY, handle=0, code=0, flags=0, data=b"", offsets=())
    assert writer.blobs == []


def test_returns_are_read_in_order_and_unknown_ones_skipped() -> None:
    incoming = struct.pack("<QQIIiIQQQQ", 0x10, 0x20, 3, 1, 77, 10123, 8, 0, 0x7000, 0)
    unknown = 2 << 30 | 8 << 16 | ord("r") << 8 | 99
    stream = b"".join(
        [
            struct.pack("<I", Return.NOOP),
            struct.pack("<IQ", unknown, 1),
            struct.pack("<IQQ", Return.ACQUIRE, 0x10, 0x20),
            struct.pack("<I", Return.TRANSACTION) + incoming,
            struct.pack("<Ii", Return.ERROR, -22),
            struct.pack("<IQ", Return.DEAD_BINDER, 9),
        ]
    )
    noop, skipped, acquire, transaction, error, death = parse(stream)
    assert (noop.kind, skipped.kind) == (Return.NOOP, unknown)
    assert (acquire.pointer, acquire.cookie) == (0x10, 0x20)
    assert transaction.incoming is not None
    assert transaction.incoming.sender_euid == 10123
    assert transaction.incoming.data_address == 0x7000
    assert error.value == -22
    assert death.cookie == 9


def test_security_context_form_of_a_transaction_is_read_too() -> None:
    fields = struct.pack("<QQIIiIQQQQ", 0, 0, 1, 0, 1, 2, 0, 0, 0, 0)
    (returned,) = parse(struct.pack("<I", Return.TRANSACTION_SEC_CTX) + fields + struct.pack("<Q", 0x9000))
    assert returned.incoming is not None
    assert returned.incoming.sender_euid == 2


@pytest.mark.parametrize("cut", [1, 3, 5, 11])
def test_a_stream_cut_off_is_refused(cut: int) -> None:
    stream = struct.pack("<IQ", Return.DEAD_BINDER, 9)
    with pytest.raises(ProtocolError, match="cut off"):
        list(parse(stream[:cut]))


@given(st.binary(max_size=300))
def test_nonsense_is_refused_and_nothing_else(stream: bytes) -> None:
    try:
        returned = list(parse(stream))
    except ProtocolError:
        return
    assert sum(4 + payload_size(item.kind) for item in returned) == len(stream)
