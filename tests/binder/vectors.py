"""The wire format's golden vectors: values and the bytes that stand for them.

Numbers are those of the wire format's reference, which were made by a script that follows the
platform's rules and checked by hand. What travels by other means (RPC binder) or in types that
there are not yet (unions, ParcelableHolder) has no row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from binder import (
    Binder,
    InterfaceToken,
    Parcel,
    Parcelable,
    ParcelFileDescriptor,
    PersistableBundle,
    RemoteException,
    SecurityException,
    ServiceSpecificException,
    Stability,
)
from binder.bundle import JAVA_MAGIC, NATIVE_MAGIC
from binder.flat import FlatObject, ObjectType
from binder.reply import read_exception, write_exception, write_no_exception
from generated.android.hardware.npu import Uuid
from generated.android.npumanager import ModelLoadRequestParcelable

Write = Callable[[Parcel, Any], None]
Read = Callable[[Parcel], Any]


class FixedBinder(Binder):
    """A binder that is written with the numbers of a vector."""

    def __init__(self, flat: FlatObject, stability: Stability) -> None:
        self.flat = flat
        self.stability = stability

    def flatten(self) -> FlatObject:
        return self.flat


class KnownObjects:
    """A receiver for whom a vector's objects stand for themselves."""

    def __init__(self, binder: Binder | None = None) -> None:
        self.binder = binder

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> Binder:
        if self.binder is None or self.binder.flatten() != flat:
            raise AssertionError(f"{flat} is not what was sent")
        return self.binder

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        return ParcelFileDescriptor(fd, owned=False)


@dataclass(frozen=True)
class Vector:
    """One value and its bytes.

    Attributes:
        number: in the wire format's reference, with a word to tell several of one number apart.
        write, read: None where only the other direction is ours.
        hex: the bytes, spaces ignored.
        offsets: where the objects are.
        api_level: whose variant it is.
        prefixes: lengths at which the bytes are a complete, shorter value.
        source: where the bytes came from.
    """

    number: str
    write: Write | None
    read: Read
    value: Any
    hex: str
    offsets: tuple[int, ...] = ()
    api_level: int = 37
    prefixes: frozenset[int] = field(default=frozenset())
    source: str = "reference script"

    @property
    def data(self) -> bytes:
        return bytes.fromhex(self.hex)

    def parcel(self, data: bytes | None = None) -> Parcel:
        """The vector's bytes, or other ones, as they arrive at a receiver."""
        content = self.data if data is None else data
        offsets = [offset for offset in self.offsets if offset + 24 <= len(content)]
        binder = self.value if isinstance(self.value, Binder) else None
        return Parcel.from_bytes(content, offsets, resolver=KnownObjects(binder), api_level=self.api_level)


def _twice(write: Callable[[Parcel, Any], None]) -> Write:
    def both(parcel: Parcel, values: Any) -> None:
        for value in values:
            write(parcel, value)

    return both


def _rows(write: Write) -> Write:
    def write_rows(parcel: Parcel, rows: Any) -> None:
        parcel.write_array(rows, lambda row: write(parcel, row))

    return write_rows


def _typed(cls: type[Parcelable]) -> Read:
    return lambda parcel: parcel.read_parcelable(cls)


def _bundle_with(magic: int) -> Write:
    def write(parcel: Parcel, value: PersistableBundle) -> None:
        parcel.write_int32(1)
        value.write_to(parcel, magic=magic)

    return write


def _write_token(parcel: Parcel, token: InterfaceToken) -> None:
    parcel.write_interface_token(token.descriptor)


def _write_exception(parcel: Parcel, error: RemoteException | None) -> None:
    if error is None:
        write_no_exception(parcel)
    else:
        write_exception(parcel, error)


def _read_outcome(parcel: Parcel) -> RemoteException | None:
    try:
        read_exception(parcel)
    except RemoteException as error:
        return error
    return None


def _read_fd(parcel: Parcel) -> int | None:
    fd = parcel.read_parcel_file_descriptor()
    return None if fd is None else fd.fileno()


def _write_fd(parcel: Parcel, fd: int) -> None:
    parcel.write_parcel_file_descriptor(ParcelFileDescriptor(fd, owned=False))


def _write_no_service(parcel: Parcel, value: Any) -> None:
    """What IServiceManager.getService2 returns for a name that is not there, by hand."""
    write_no_exception(parcel)
    parcel.write_int32(1)  # Service, a union
    parcel.write_int32(0)  # serviceWithMetadata
    parcel.write_int32(1)  # ServiceWithMetadata
    start = parcel.begin_body()
    parcel.write_strong_binder(None)
    parcel.write_bool(False)
    parcel.end_body(start)


def _read_no_service(parcel: Parcel) -> Any:
    read_exception(parcel)
    union = parcel.read_int32(), parcel.read_int32(), parcel.read_int32()
    end = parcel.enter_body()
    service, lazy = parcel.read_strong_binder(), parcel.read_bool()
    parcel.leave_body(end)
    return (*union, service, lazy)


def _write_check_service(parcel: Parcel, name: str) -> None:
    parcel.write_interface_token("android.os.IServiceManager")
    parcel.write_string16(name)


def _read_check_service(parcel: Parcel) -> str | None:
    token = parcel.read_interface_token()
    assert token == InterfaceToken("android.os.IServiceManager")
    return parcel.read_string16()


MAX_BUDGET = PersistableBundle.of({"maxBudget": 8})
NESTED = PersistableBundle.of({"n": {"b": True}})
LOCAL = FixedBinder(FlatObject(ObjectType.BINDER, 0x10, 0x20), Stability.SYSTEM)
REMOTE = FixedBinder(FlatObject(ObjectType.HANDLE, 5, 0), Stability.VINTF)

_MAX_BUDGET_BODY = (
    "24000000 {magic} 01000000 09000000 6D006100 78004200 75006400 67006500 74000000 01000000 08000000"
)
_JAVA = "01000000" + _MAX_BUDGET_BODY.format(magic="424E444C")
_NATIVE = "01000000" + _MAX_BUDGET_BODY.format(magic="444E444C")
_NPU_DESCRIPTOR = (
    "25000000 61006E00 64007200 6F006900 64002E00 6E007000 75006D00 61006E00 61006700 65007200 2E004900"
    "4E007000 75004D00 61006E00 61006700 65007200 53006500 72007600 69006300 65000000"
)
_BINDER = "852A6273 13010000 10000000 00000000 20000000 00000000"
_NULL_BINDER = "852A6273 00000000 00000000 00000000 00000000 00000000"
_FD_7 = "01000000 00000000 852A6466 00000000 07000000 00000000 {owned} 00000000"
_read_binder = Parcel.read_strong_binder
_write_binder = Parcel.write_strong_binder


def _v(number: str, write: Write | None, read: Read, value: Any, hex: str, **more: Any) -> Vector:
    return Vector(number, write, read, value, hex, **more)


PLAIN = [
    _v("1", Parcel.write_string16, Parcel.read_string16, "npu", "03000000 6E007000 75000000"),
    _v("2 null", Parcel.write_string16, Parcel.read_string16, None, "FFFFFFFF"),
    _v("2 empty", Parcel.write_string16, Parcel.read_string16, "", "00000000 00000000"),
    _v("3", Parcel.write_string16, Parcel.read_string16, "é😀", "03000000 E9003DD8 00DE0000"),
    _v("4", Parcel.write_bool_array, Parcel.read_bool_array, [True, False], "02000000 01000000 00000000"),
    _v("5", Parcel.write_byte_array, Parcel.read_byte_array, b"\1\2\3", "03000000 01020300"),
    _v("6 long", Parcel.write_int64, Parcel.read_int64, 0x0102030405060708, "08070605 04030201"),
    _v("6 double", Parcel.write_double, Parcel.read_double, 1.5, "00000000 0000F83F"),
    _v("6 byte", Parcel.write_byte, Parcel.read_byte, -1, "FFFFFFFF"),
    _v("7 chars", Parcel.write_char_array, Parcel.read_char_array, ["a", "b"], "02000000 61000000 62000000"),
    _v(
        "7 strings",
        lambda p, value: p.write_nullable_array(value, p.write_string16),
        lambda p: p.read_nullable_array(p.read_string16),
        ["a", None],
        "02000000 01000000 61000000 FFFFFFFF",
    ),
    _v(
        "8",
        _rows(Parcel.write_int32_array),
        lambda p: p.sized(p.read_array(p.read_int32_array), 2),
        [[1, 2], [3, 4]],
        "02000000 02000000 01000000 02000000 02000000 03000000 04000000",
    ),
    _v(
        "9",
        _rows(Parcel.write_byte_array),
        lambda p: p.sized(p.read_array(p.read_byte_array), 2),
        [b"\1\2\3", b"\4\5\6"],
        "02000000 03000000 01020300 03000000 04050600",
    ),
    # Not in the reference: what else the types of AIDL can be, from the same rules.
    _v("int", Parcel.write_int32, Parcel.read_int32, -2, "FEFFFFFF", source="rules"),
    _v("float", Parcel.write_float, Parcel.read_float, -0.5, "000000BF", source="rules"),
    _v("boolean", Parcel.write_bool, Parcel.read_bool, True, "01000000", source="rules"),
    _v("char", Parcel.write_char, Parcel.read_char, "é", "E9000000", source="rules"),
    _v(
        "long[]",
        Parcel.write_int64_array,
        Parcel.read_int64_array,
        [-1],
        "01000000" + "FF" * 8,
        source="rules",
    ),
    _v(
        "float[]",
        Parcel.write_float_array,
        Parcel.read_float_array,
        [1.0],
        "01000000 0000803F",
        source="rules",
    ),
    _v(
        "double[]",
        Parcel.write_double_array,
        Parcel.read_double_array,
        [1.5],
        "01000000 00000000 0000F83F",
        source="rules",
    ),
    _v(
        "byte enum[]",
        Parcel.write_int8_array,
        Parcel.read_int8_array,
        [-1],
        "01000000 FF000000",
        source="rules",
    ),
    _v("null array", Parcel.write_int32_array, Parcel.read_int32_array, None, "FFFFFFFF", source="rules"),
    _v(
        "lone surrogate",
        Parcel.write_string16,
        Parcel.read_string16,
        "\ud83d",
        "01000000 3DD80000",
        source="rules",
    ),
]

PARCELABLES = [
    _v(
        "10",
        Parcel.write_parcelable,
        _typed(ModelLoadRequestParcelable),
        ModelLoadRequestParcelable(id=54),
        "01000000 10000000 36000000 00000000 00000000",
    ),
    _v(
        "fixed array",
        Parcel.write_parcelable,
        _typed(Uuid),
        Uuid(bytes(range(16))),
        "01000000 18000000 10000000 00010203 04050607 08090A0B 0C0D0E0F",
        source="rules",
    ),
    _v(
        "12 empty",
        Parcel.write_parcelable,
        _typed(PersistableBundle),
        PersistableBundle(),
        "01000000 00000000",
    ),
    _v("12 null", Parcel.write_parcelable, _typed(PersistableBundle), None, "00000000"),
    # At the end of a parcel the flag behind a bundle may be missing, as from an older peer.
    _v(
        "13",
        _bundle_with(JAVA_MAGIC),
        _typed(PersistableBundle),
        MAX_BUDGET,
        _JAVA + "00000000",
        prefixes=frozenset({48}),
    ),
    _v("13b", _bundle_with(JAVA_MAGIC), _typed(PersistableBundle), MAX_BUDGET, _JAVA, api_level=34),
    _v(
        "13c",
        Parcel.write_parcelable,
        _typed(PersistableBundle),
        MAX_BUDGET,
        _NATIVE + "00000000",
        prefixes=frozenset({48}),
    ),
    _v("13b+c", Parcel.write_parcelable, _typed(PersistableBundle), MAX_BUDGET, _NATIVE, api_level=34),
    _v(
        "14",
        _bundle_with(JAVA_MAGIC),
        _typed(PersistableBundle),
        NESTED,
        "01000000 30000000 424E444C 01000000 01000000 6E000000 19000000 14000000 424E444C 01000000 01000000"
        "62000000 09000000 01000000 00000000 00000000",
        prefixes=frozenset({60}),
    ),
    _v(
        "14 native, API 34",
        _bundle_with(NATIVE_MAGIC),
        _typed(PersistableBundle),
        NESTED,
        "01000000 2C000000 444E444C 01000000 01000000 6E000000 19000000 14000000 444E444C 01000000 01000000"
        "62000000 09000000 01000000",
        api_level=34,
        source="vector 14 without its flags",
    ),
]

HEADERS = [
    _v(
        "15",
        _write_token,
        Parcel.read_interface_token,
        InterfaceToken("android.npumanager.INpuManagerService"),
        "00000080 FFFFFFFF 54535953" + _NPU_DESCRIPTOR,
    ),
    _v(
        "15 API 29",
        _write_token,
        Parcel.read_interface_token,
        InterfaceToken("android.npumanager.INpuManagerService", header=None),
        "00000080 FFFFFFFF" + _NPU_DESCRIPTOR,
        api_level=29,
        source="vector 15 without its header",
    ),
    _v("16 OK", _write_exception, _read_outcome, None, "00000000"),
    _v("16", _write_exception, _read_outcome, SecurityException("x"), "FFFFFFFF 01000000 78000000 00000000"),
    _v(
        "17",
        _write_exception,
        _read_outcome,
        ServiceSpecificException(7, "no"),
        "F8FFFFFF 02000000 6E006F00 00000000 00000000 07000000",
    ),
    _v("18", None, _read_outcome, None, "81FFFFFF 08000000 11000000 00000000"),
    _v("strict mode", None, _read_outcome, None, "80FFFFFF 08000000 11000000", source="rules"),
    _v(
        "24",
        _write_no_service,
        _read_no_service,
        (1, 0, 1, None, False),
        "00000000 01000000 00000000 01000000 24000000" + _NULL_BINDER + "00000000 00000000",
    ),
    _v(
        "25",
        _write_check_service,
        _read_check_service,
        "npu",
        "00000080 FFFFFFFF 54535953 1A000000 61006E00 64007200 6F006900 64002E00 6F007300 2E004900 53006500"
        "72007600 69006300 65004D00 61006E00 61006700 65007200 00000000 03000000 6E007000 75000000",
    ),
]

OBJECTS = [
    _v("19", _write_binder, _read_binder, LOCAL, _BINDER + "0C000000", offsets=(0,)),
    _v("19 API 30", _write_binder, _read_binder, LOCAL, _BINDER + "0C000000", offsets=(0,), api_level=30),
    _v("19b", _write_binder, _read_binder, LOCAL, _BINDER + "0100000C", offsets=(0,), api_level=31),
    _v("19b API 32", _write_binder, _read_binder, LOCAL, _BINDER + "0100000C", offsets=(0,), api_level=32),
    _v("19 API 29", _write_binder, _read_binder, LOCAL, _BINDER, offsets=(0,), api_level=29, source="rules"),
    _v("20", _write_binder, _read_binder, None, _NULL_BINDER + "00000000"),
    _v("20 API 33", _write_binder, _read_binder, None, _NULL_BINDER + "00000000", api_level=33),
    _v("20 API 31", _write_binder, _read_binder, None, _NULL_BINDER + "01000000", api_level=31),
    _v("20 API 30", _write_binder, _read_binder, None, _NULL_BINDER + "00000000", api_level=30),
    _v("20 API 29", _write_binder, _read_binder, None, _NULL_BINDER, api_level=29, source="rules"),
    _v(
        "21",
        _write_binder,
        _read_binder,
        REMOTE,
        "852A6873 13000000 05000000 00000000 00000000 00000000 3F000000",
        offsets=(0,),
    ),
    _v(
        "21 API 32",
        _write_binder,
        _read_binder,
        REMOTE,
        "852A6873 13010000 05000000 00000000 00000000 00000000 0100003F",
        offsets=(0,),
        api_level=32,
        source="vector 21 with the flags and the level's form of that level",
    ),
    # Ours do not own what they send: the caller keeps it open until the driver has copied it.
    _v("22", None, _read_fd, 7, _FD_7.format(owned="01000000"), offsets=(8,)),
    _v("22 lent", _write_fd, _read_fd, 7, _FD_7.format(owned="00000000"), offsets=(8,)),
]

VECTORS = [*PLAIN, *PARCELABLES, *HEADERS, *OBJECTS]
