"""Objects in a parcel: the 24 bytes that stand for a binder or a file descriptor."""

from __future__ import annotations

from enum import IntEnum
from struct import Struct
from typing import NamedTuple

from .protocol import Stability

FLAT_OBJECT = Struct("<IIQQ")
FLAT_OBJECT_SIZE = FLAT_OBJECT.size

# Flags of a flat binder: scheduling priority in the low byte, then "accepts file descriptors".
LOCAL_BINDER_FLAGS = 0x113
HANDLE_FLAGS = 0x13
HANDLE_FLAGS_BEFORE_33 = 0x113


class ObjectType(IntEnum):
    BINDER = 0x73622A85
    WEAK_BINDER = 0x77622A85
    HANDLE = 0x73682A85
    WEAK_HANDLE = 0x77682A85
    FD = 0x66642A85
    FD_ARRAY = 0x66646185
    POINTER = 0x70742A85


class FlatObject(NamedTuple):
    """`value` is a local node's pointer, a remote node's handle, or a file descriptor.

    `cookie` belongs to a local node; for a file descriptor it says whether the parcel owns it.
    """

    type: int
    value: int
    cookie: int


def encode_stability(level: Stability, api_level: int) -> int:
    """The word after a flat binder, as a signed int. Only API 31 and 32 do more than the level."""
    if api_level not in (31, 32):
        return level
    word = level << 24 | 1
    return word - (1 << 32) if word >= 1 << 31 else word


def decode_stability(word: int, api_level: int) -> int:
    """The level in the word after a flat binder; not necessarily a known one."""
    return (word >> 24) & 0xFF if api_level in (31, 32) else word
