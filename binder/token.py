"""The interface token that opens every request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .protocol import STRICT_MODE_PENALTY_GATHER, UNSET_WORK_SOURCE, TokenHeader

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
