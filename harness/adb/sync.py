"""Files to and from a device, by adbd's `sync:` service."""

from __future__ import annotations

import hashlib
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from .errors import AdbError, LinkLost
from .wire import Link

BLOCK = 1 << 16
"""The most that adbd takes or sends at once."""

_ID = struct.Struct("<4sI")
# After the id, `STA2` has error, device, inode, mode, links, uid, gid, size and three times.
_STAT_V2 = struct.Struct("<4sIQQIIIIQqqq")
_STAT_V1 = struct.Struct("<4sIII")
_LOW = (1 << 32) - 1
_LONGEST_PATH = 1024
_ENOENT, _ENOTDIR = 2, 20


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of a file.

    Attributes:
        size: in bytes.
        size_is_exact: False if the device told only the lower 32 bits.
        modified: seconds since 1970, which an APEX's files have as 0.
    """

    mode: int
    size: int
    modified: int
    size_is_exact: bool = True

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.mode)

    def has_size(self, size: int) -> bool:
        """Whether the file may have this size, as far as the device can tell."""
        return self.size == (size if self.size_is_exact else size & _LOW)


class SyncRefused(AdbError):
    """The device will not do this with that file; the message has its reason."""


def status(link: Link, path: str, *, v2: bool) -> Status | None:
    """What is known of a file, None if there is none. A link is followed with `v2` only.

    Raises:
        SyncRefused: the device cannot say, for instance because it may not look there.
    """
    link.write(_request(b"STA2" if v2 else b"STAT", path))
    if not v2:
        _, mode, size, modified = _STAT_V1.unpack(link.read_exact(_STAT_V1.size))
        # Without a mode there is no file; a time of 0 says nothing.
        return Status(mode, size, modified, size_is_exact=False) if mode else None
    _, error, _, _, mode, _, _, _, size, _, modified, _ = _STAT_V2.unpack(link.read_exact(_STAT_V2.size))
    if error in (_ENOENT, _ENOTDIR):
        return None
    if error:
        raise SyncRefused(f"the device cannot look at {path!r} (errno {error})")
    return Status(mode, size, modified)


@dataclass(frozen=True, slots=True)
class Sent:
    """What was sent."""

    size: int
    sha256: str


def send(link: Link, source: BinaryIO, path: str, *, mode: int, modified: int) -> Sent:
    """Writes a file on the device.

    Args:
        mode: permissions, 0 to 0o777.
        modified: seconds since 1970.

    Raises:
        SyncRefused: the device does not take it, for a reason that it gives.
    """
    digest, size = hashlib.sha256(), 0
    link.write(_request(b"SEND", f"{path},{stat.S_IFREG | mode}"))
    try:
        while block := source.read(BLOCK):
            link.write(_ID.pack(b"DATA", len(block)) + block)
            digest.update(block)
            size += len(block)
        link.write(_ID.pack(b"DONE", modified & _LOW))
    except LinkLost as lost:
        # A device that refuses says why, and closes.
        _raise_refusal(link, path, lost)
    kind, length = _ID.unpack(link.read_exact(_ID.size))
    if kind != b"OKAY":
        raise _refusal(link, path, kind, length)
    return Sent(size, digest.hexdigest())


def receive(link: Link, path: str) -> Iterator[bytes]:
    """The content of a file on the device. Raises `SyncRefused` if it cannot be read."""
    link.write(_request(b"RECV", path))
    while True:
        kind, length = _ID.unpack(link.read_exact(_ID.size))
        if kind == b"DONE":
            return
        if kind != b"DATA":
            raise _refusal(link, path, kind, length)
        yield link.read_exact(length)


def _request(kind: bytes, path: str) -> bytes:
    encoded = path.encode()
    if len(encoded) > _LONGEST_PATH:
        raise AdbError(f"a path of {len(encoded)} bytes is longer than adbd's {_LONGEST_PATH}")
    return _ID.pack(kind, len(encoded)) + encoded


def _refusal(link: Link, path: str, kind: bytes, length: int) -> AdbError:
    if kind != b"FAIL":
        return LinkLost(f"{link.deadline.doing}: the device said {kind!r} out of turn")
    return SyncRefused(f"the device refuses {path!r}: {link.read_exact(length).decode(errors='replace')}")


def _raise_refusal(link: Link, path: str, lost: LinkLost) -> None:
    try:
        kind, length = _ID.unpack(link.read_exact(_ID.size))
    except LinkLost:
        raise lost from None
    raise _refusal(link, path, kind, length)
