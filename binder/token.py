"""The interface token that opens every request."""

from __future__ import annotations

from codecs import utf_16_le_encode
from dataclasses import dataclass
from functools import lru_cache
from struct import pack
from typing import TYPE_CHECKING

from .errors import ParcelError, StatusError
from .protocol import STRICT_MODE_PENALTY_GATHER, UNSET_WORK_SOURCE, Status, TokenHeader

if TYPE_CHECKING:
    from .parcel import Parcel


@dataclass(frozen=True, slots=True)
class InterfaceToken:
    """What a caller says of itself and of the interface it means.

    Attributes:
        descriptor: the interface's name.
        header: which libbinder wrote it, as a number; None before API 30.
        work_source: a uid to blame for the work, or -1.
        strict_mode: the caller's thread policy.
    """

    descriptor: str
    header: int | None = TokenHeader.SYSTEM
    work_source: int = UNSET_WORK_SOURCE
    strict_mode: int = STRICT_MODE_PENALTY_GATHER

    def write_to(self, parcel: Parcel) -> None:
        parcel.write_int32(self.strict_mode - (1 << 32) if self.strict_mode >> 31 else self.strict_mode)
        parcel.write_int32(self.work_source)
        if parcel.api_level >= 30:
            parcel.write_int32(TokenHeader.SYSTEM if self.header is None else self.header)
        parcel.write_string16(self.descriptor)

    @classmethod
    def read_from(cls, parcel: Parcel) -> InterfaceToken:
        """Raises `ParcelError` if there is no token, or only part of one."""
        strict_mode = parcel.read_int32() & 0xFFFFFFFF
        work_source = parcel.read_int32()
        header = parcel.read_int32() if parcel.api_level >= 30 else None
        descriptor = parcel.non_null(parcel.read_string16())
        return cls(descriptor, header, work_source, strict_mode)


# The start of a token, which says something of its caller and nothing of what it calls.
VARYING_SIZE = 8


@lru_cache(maxsize=256)
def token_bytes(descriptor: str, header: TokenHeader, api_level: int) -> bytes:
    """The bytes of a token with nothing special about its caller."""
    units, _ = utf_16_le_encode(descriptor, "surrogatepass")
    size = len(units)
    return b"".join(
        (
            pack("<Ii", STRICT_MODE_PENALTY_GATHER, UNSET_WORK_SOURCE),
            pack("<i", header) if api_level >= 30 else b"",
            pack("<i", size // 2),
            units,
            b"\0\0" if size & 2 else b"\0\0\0\0",
        )
    )


def enforce_interface(parcel: Parcel, descriptor: str) -> None:
    """Reads a token that must mean the given interface. Raises `StatusError` BAD_TYPE if it does not.

    Whatever is wrong with a token, libbinder answers the same: it cannot know whether the caller
    meant another interface or speaks another dialect.
    """
    start = parcel.position
    expected = token_bytes(descriptor, parcel.header, parcel.api_level)
    if parcel.skip_equal(VARYING_SIZE, expected):
        return
    try:
        token = InterfaceToken.read_from(parcel)
    except ParcelError as error:
        problem = f"{_header_at(parcel, start)}no token where one for {descriptor!r} is expected: {error}"
        raise StatusError(Status.BAD_TYPE, problem) from None
    if token.header is not None and token.header != parcel.header:
        raise StatusError(
            Status.BAD_TYPE,
            f"a token for {token.descriptor!r} with header {token.header:#x} "
            f"where {int(parcel.header):#x} is expected",
        )
    if token.descriptor != descriptor:
        raise StatusError(Status.BAD_TYPE, f"a call meant for {token.descriptor!r} reached {descriptor!r}")


def _header_at(parcel: Parcel, start: int) -> str:
    """What an unreadable token has for a header, if it is not the right one."""
    if parcel.api_level < 30 or len(parcel) < start + 12:
        return ""
    header = int.from_bytes(bytes(parcel)[start + 8 : start + 12], "little")
    return (
        "" if header == parcel.header else f"header {header:#x} where {int(parcel.header):#x} is expected; "
    )
