"""The numbers of the binder protocol: transaction codes, flags, status and exception codes.

Names are those of libbinder and of AIDL's `Status`, so that one search finds them there too.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

FIRST_CALL_TRANSACTION = 1
LAST_CALL_TRANSACTION = 0x00FFFFFF
GET_INTERFACE_VERSION = LAST_CALL_TRANSACTION
GET_INTERFACE_HASH = LAST_CALL_TRANSACTION - 1

LATEST_API_LEVEL = 37
OLDEST_API_LEVEL = 29


def four_characters(name: str) -> int:
    """The number that a four-character constant stands for, first character highest."""
    return int.from_bytes(name.encode("ascii"), "big")


class SpecialCode(IntEnum):
    """Transactions that every binder answers; they carry no interface token."""

    PING = four_characters("_PNG")
    DUMP = four_characters("_DMP")
    SHELL_COMMAND = four_characters("_CMD")
    INTERFACE = four_characters("_NTF")
    SYSPROPS = four_characters("_SPR")
    EXTENSION = four_characters("_EXT")
    DEBUG_PID = four_characters("_PID")


class TransactionFlag(IntFlag):
    """How a transaction is to be carried and answered."""

    NONE = 0
    ONE_WAY = 0x01
    COLLECT_NOTED_APP_OPS = 0x02
    STATUS_CODE = 0x08
    ACCEPT_FDS = 0x10
    CLEAR_BUF = 0x20
    PRIVATE_VENDOR = 0x10000000
    """A call among vendors; libbinder keeps this one to itself."""


class Status(IntEnum):
    """libbinder's `status_t`. Positive never; 0 is success; the small ones are negated errnos."""

    OK = 0
    PERMISSION_DENIED = -1
    NAME_NOT_FOUND = -2
    WOULD_BLOCK = -11
    NO_MEMORY = -12
    ALREADY_EXISTS = -17
    NO_INIT = -19
    BAD_VALUE = -22
    DEAD_OBJECT = -32
    INVALID_OPERATION = -38
    NOT_ENOUGH_DATA = -61
    UNKNOWN_TRANSACTION = -74
    BAD_INDEX = -75
    TIMED_OUT = -110
    UNKNOWN_ERROR = -(2**31)
    BAD_TYPE = -(2**31) + 1
    FAILED_TRANSACTION = -(2**31) + 2
    FDS_NOT_ALLOWED = -(2**31) + 7
    UNEXPECTED_NULL = -(2**31) + 8


class ExceptionCode(IntEnum):
    """First word of a reply."""

    NONE = 0
    SECURITY = -1
    BAD_PARCELABLE = -2
    ILLEGAL_ARGUMENT = -3
    NULL_POINTER = -4
    ILLEGAL_STATE = -5
    NETWORK_MAIN_THREAD = -6
    UNSUPPORTED_OPERATION = -7
    SERVICE_SPECIFIC = -8
    PARCELABLE = -9
    HAS_NOTED_APPOPS_REPLY_HEADER = -127
    HAS_STRICTMODE_REPLY_HEADER = -128


class Stability(IntEnum):
    """Who a binder may be handed to. The values are bit masks, as `libbinder` checks them."""

    UNDECLARED = 0x00
    VENDOR = 0x03
    SYSTEM = 0x0C
    VINTF = 0x3F


STRICT_MODE_PENALTY_GATHER = 0x80000000
UNSET_WORK_SOURCE = -1


class TokenHeader(IntEnum):
    """Which libbinder wrote an interface token (API 30 and later)."""

    SYSTEM = four_characters("SYST")
    VENDOR = four_characters("VNDR")
    RECOVERY = four_characters("RECO")
    UNKNOWN = four_characters("UNKN")
