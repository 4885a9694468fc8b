"""Bytes as people have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.bytes_input import BytesError, parse, read_bytes

WORDS = bytes.fromhex("0100000061626364")


@pytest.mark.parametrize(
    "text",
    [
        "0100000061626364",
        "01000000 61626364",
        "01 00 00 00 61 62 63 64",
        "0x01000000,0x61626364",
        "Result: Parcel(00000001 64636261   '....abcd')",
        "Result: Parcel(\n  0x00000000: 00000001 64636261                   '....abcd        ')",
    ],
)
def test_hex_in_any_dress_is_understood(text: str) -> None:
    assert parse(text) == WORDS


def test_nothing_is_no_bytes() -> None:
    assert parse("") == b""
    assert parse("Result: Parcel()") == b""


@pytest.mark.parametrize(
    "text", ["0", "xyz", "Result: Parcel(zzzz)", "Result: Parcel(Error: 0xffffffffffffffb6)"]
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(BytesError):
        parse(text)


def test_files_hold_hex_or_the_bytes_themselves(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_text("01000000 61626364\n")
    assert read_bytes(f"@{path}") == WORDS
    path.write_bytes(b"\0\1\xff\xfe")
    assert read_bytes(f"@{path}") == b"\0\1\xff\xfe"
    path.write_text("hello")
    with pytest.raises(BytesError):
        read_bytes(f"@{path}")
