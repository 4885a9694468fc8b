"""Bytes as people have them: hex in any grouping, the output of Android's `service call`, a file."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_SERVICE_CALL = re.compile(r"Parcel\s*\((.*)\)", re.DOTALL)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{8}:")
_PICTURE = re.compile(r"'[^\n]*'[ \t]*(?=\n|$|\))")


class BytesError(ValueError):
    """The text is no bytes. The message says why."""


def read_bytes(text: str) -> bytes:
    """The bytes that a user means.

    Args:
        text: hex, "-" for standard input, or `@FILE` for a file. Both hold raw bytes, hex, or what
            `service call` prints.

    Raises:
        BytesError: it is none of these.
        OSError: the file cannot be read.
    """
    if text == "-":
        return _from_file(sys.stdin.buffer.read())
    if text.startswith("@"):
        return _from_file(Path(text[1:]).read_bytes())
    return parse(text)


def _from_file(content: bytes) -> bytes:
    try:
        text = content.decode("ascii")
        return parse(text)
    except (UnicodeDecodeError, BytesError):
        # Hex is text; what is no hex can only be the bytes themselves, unless it is text all the same.
        if content and all(byte in b"\t\n\r" or 32 <= byte < 127 for byte in content):
            raise
        return content


def parse(text: str) -> bytes:
    """Hex in any grouping, or the output of `service call`. Raises `BytesError`."""
    if found := _SERVICE_CALL.search(text):
        # It prints words as numbers, so the bytes of each stand the other way round.
        words = _PICTURE.sub("", _ADDRESS.sub("", found[1])).split()
        if wrong := [word for word in words if not re.fullmatch(r"[0-9a-fA-F]{8}", word)]:
            raise BytesError(f"{wrong[0]!r} is no word that `service call` prints")
        return b"".join(int(word, 16).to_bytes(4, "little") for word in words)
    digits = re.sub(r"[\s,_:]|0x", "", text)
    if not re.fullmatch(r"(?:[0-9a-fA-F]{2})*", digits):
        raise BytesError("these are no bytes: give hex, @FILE, -, or what `service call` prints")
    return bytes.fromhex(digits)
