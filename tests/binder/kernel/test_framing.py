"""What a host and an agent say to each other, as bytes."""

from __future__ import annotations

import io

import pytest

from binder.kernel.commands import Command, Writer
from binder.kernel.framing import (
    LONGEST_FRAME,
    U32,
    Answer,
    FramingError,
    Operation,
    Outcome,
    Request,
    Returns,
    StreamEnded,
    buffered,
    check_greeting,
    greeting,
    pack_answer,
    pack_commands,
    pack_request,
    pack_returns,
    pack_wish,
    read_answer,
    read_exactly,
    read_request,
    read_wish,
    unpack,
    unpack_commands,
    unpack_returns,
)


def test_frames_have_the_bytes_that_are_written_down() -> None:
    assert greeting() == b"NPUB\x03\x00"
    assert pack_wish(10123, "/dev/binder") == b"\x8b\x27\0\0\x0b\0/dev/binder"
    assert pack_wish(None, "x") == b"\xff\xff\xff\xff\x01\0x"
    assert pack_request(Request(2, 7, Operation.WAKE)) == b"\x09\0\0\0\x02\0\0\0\x07\0\0\0\x07"
    assert pack_answer(Answer(7, Outcome.OK, b"ab")) == b"\x07\0\0\0\x07\0\0\0\0ab"
    assert pack_returns(5, b"r", [(0x1000, b"xy")]) == b"\5\0\0\0\1\0\0\0r\1\0\0\x10\0\0\0\0\0\0\2\0\0\0xy"


def test_what_is_packed_is_read_back() -> None:
    request, answer = Request(1, 2, 3, b"payload"), Answer(4, 1, b"no")
    assert read_request(io.BytesIO(pack_request(request)).read) == request
    assert read_answer(io.BytesIO(pack_answer(answer)).read) == answer
    assert read_wish(io.BytesIO(pack_wish(None, "/dev/x")).read) == (None, "/dev/x")
    assert unpack_returns(pack_returns(9, b"stream", [(1, b"a")])) == Returns(9, b"stream", {1: b"a"})


def test_commands_travel_with_what_they_refer_to() -> None:
    writer = Writer()
    writer.free_buffer(0x7000)
    writer.transaction(Command.TRANSACTION, handle=3, code=1, flags=0, data=b"data", offsets=(0,))
    again = unpack_commands(pack_commands(writer))
    assert again.stream == writer.stream
    assert [(blob.position, blob.data) for blob in again.blobs] == [
        (blob.position, blob.data) for blob in writer.blobs
    ]


def test_a_stream_may_come_in_small_pieces() -> None:
    whole = io.BytesIO(b"0123456789")
    assert read_exactly(lambda size: whole.read(min(size, 3)), 10) == b"0123456789"


def test_a_buffered_stream_says_the_same_in_fewer_pieces() -> None:
    whole, sizes = io.BytesIO(bytes(range(200)) * 1000), []

    def read(size: int) -> bytes:
        sizes.append(size)
        return whole.read(min(size, 1000))

    some = buffered(read)
    assert b"".join(read_exactly(some, size) for size in (1, 4, 995, 100_000)) == whole.getvalue()[:101_000]
    assert len(sizes) == 101
    assert read_exactly(some, 99_000) == whole.getvalue()[101_000:]
    assert some(10) == b""


def test_a_stream_that_ends_says_where() -> None:
    with pytest.raises(StreamEnded, match="after 3 of 4 bytes"):
        read_exactly(io.BytesIO(b"abc").read, 4)
    with pytest.raises(StreamEnded, match=r"^the stream ended$"):
        read_exactly(io.BytesIO().read, 4)


def test_refuses_another_language_and_another_version() -> None:
    with pytest.raises(FramingError, match="does not speak as an agent does"):
        check_greeting(io.BytesIO(b"Traceback (most").read, "it")
    with pytest.raises(FramingError, match="version 1, not 3"):
        check_greeting(io.BytesIO(b"NPUB\1\0").read, "it")


@pytest.mark.parametrize("length", [0, 4, LONGEST_FRAME + 1, 0xFFFFFFFF])
def test_refuses_a_length_that_cannot_be(length: int) -> None:
    with pytest.raises(FramingError, match="a frame cannot have"):
        read_request(io.BytesIO(U32.pack(length) + bytes(64)).read)


def test_every_truncation_of_a_payload_is_noticed() -> None:
    writer = Writer()
    writer.transaction(Command.TRANSACTION, handle=3, code=1, flags=0, data=b"data", offsets=())
    for payload, reader in (
        (pack_commands(writer), unpack_commands),
        (pack_returns(0, b"stream", [(1, b"abc")]), unpack_returns),
    ):
        for size in range(len(payload)):
            with pytest.raises(FramingError):
                reader(payload[:size])
        with pytest.raises(FramingError, match="too many"):
            reader(payload + b"x")


def test_refuses_an_address_outside_of_the_stream() -> None:
    with pytest.raises(FramingError, match="cannot be at"):
        unpack_commands(U32.pack(4) + bytes(4) + b"\1\0" + U32.pack(0) + U32.pack(1) + b"x")


def test_refuses_numbers_of_another_size() -> None:
    with pytest.raises(FramingError, match="3 bytes where 4 were due"):
        unpack(U32, b"abc")


def test_a_peer_that_left_without_reading_all_ends_the_stream() -> None:
    def reset(size: int) -> bytes:
        raise ConnectionResetError

    with pytest.raises(StreamEnded):
        read_exactly(reset, 4)
