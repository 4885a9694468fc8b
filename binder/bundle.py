"""PersistableBundle: a typed map from strings, in the platform's own format.

It is written with the native magic, because Java assumes that what it wrote itself is in hash
order, and in the native order: by type, then by key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self, TypeAlias

from .errors import ParcelError, UsageError, shown
from .parcel import MAX_DEPTH, Parcel
from .protocol import Status
from .values import Parcelable

JAVA_MAGIC = 0x4C444E42  # "BNDL"
NATIVE_MAGIC = 0x4C444E44  # "DNDL"

# Builds from this level on end a bundle with a word that says whether it holds an Intent.
HAS_INTENT_SINCE = 36


class BundleType(IntEnum):
    """What a value is, on the wire. In the order in which native code writes them."""

    NULL = -1
    BOOLEAN = 9
    INT = 1
    LONG = 6
    DOUBLE = 8
    STRING = 0
    BOOLEAN_ARRAY = 23
    BYTE_ARRAY = 13
    INT_ARRAY = 18
    LONG_ARRAY = 19
    DOUBLE_ARRAY = 28
    STRING_ARRAY = 14
    BUNDLE = 25


_ORDER = {kind: index for index, kind in enumerate(BundleType)}

BundleValue: TypeAlias = (
    "bool | int | float | str | bytes | list[bool] | list[int] | list[float] | list[str] "
    "| PersistableBundle | None"
)


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: BundleType
    value: Any


class PersistableBundle(Parcelable):
    """A map from strings to values whose types are kept.

    `PersistableBundle.of({"maxBudget": 8})` makes one from plain values, an int becoming an int
    or, where it does not fit, a long; the `put_...` methods leave no doubt.
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    @classmethod
    def of(cls, values: Mapping[str, BundleValue | Mapping[str, Any]]) -> Self:
        """A bundle of plain values; mappings become nested bundles."""
        return cls._of(values, MAX_DEPTH)

    @classmethod
    def _of(cls, values: Mapping[str, Any], depth_left: int) -> Self:
        if not depth_left:
            raise UsageError(f"bundles nested more than {MAX_DEPTH} deep")
        bundle = cls()
        for key, value in values.items():
            nested = cls._of(value, depth_left - 1) if isinstance(value, Mapping) else value
            bundle._set(key, _entry_of(nested))
        return bundle

    # --- a map ---------------------------------------------------------------------------------

    def get(self, key: str, default: BundleValue = None) -> BundleValue:
        """The value under `key`, whatever its type."""
        entry = self._entries.get(key)
        return default if entry is None else entry.value

    def type_of(self, key: str) -> BundleType | None:
        """The type of the value under `key`; None if there is none."""
        entry = self._entries.get(key)
        return None if entry is None else entry.kind

    def get_int(self, key: str, default: int = 0) -> int:
        """The int under `key`; `default` if there is none or it is something else, as on Android."""
        entry = self._entries.get(key)
        return entry.value if entry is not None and entry.kind is BundleType.INT else default

    def get_bundle(self, key: str) -> PersistableBundle | None:
        """The bundle under `key`; None if there is none or it is something else."""
        entry = self._entries.get(key)
        return entry.value if entry is not None and entry.kind is BundleType.BUNDLE else None

    def put(self, key: str, kind: BundleType, value: BundleValue) -> None:
        """Sets a value of the given type."""
        self._set(key, _Entry(BundleType(kind), value))

    def _set(self, key: str, entry: _Entry) -> None:
        if not isinstance(key, str):
            raise UsageError(f"{shown(key)} cannot be a key of a bundle, which are strings")
        self._entries[key] = entry

    def put_int(self, key: str, value: int) -> None:
        self.put(key, BundleType.INT, value)

    def put_long(self, key: str, value: int) -> None:
        self.put(key, BundleType.LONG, value)

    def put_bundle(self, key: str, value: PersistableBundle) -> None:
        self.put(key, BundleType.BUNDLE, value)

    def keys(self) -> list[str]:
        return list(self._entries)

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, key: str) -> BundleValue:
        value: BundleValue = self._entries[key].value
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PersistableBundle) and self._entries == other._entries

    def __hash__(self) -> int:
        raise TypeError("a PersistableBundle can change, so it has no hash")

    def __repr__(self) -> str:
        return f"PersistableBundle({ {key: entry.value for key, entry in self._entries.items()} })"

    # --- the wire ------------------------------------------------------------------------------

    def write_to(self, parcel: Parcel, *, magic: int = NATIVE_MAGIC) -> None:
        """Appends the body. `magic` says whose order of entries to claim."""
        if not self._entries:
            parcel.write_int32(0)
            return
        start = parcel.position
        parcel.write_int32(0)
        parcel.write_int32(magic)
        parcel.write_int32(len(self._entries))
        try:
            with parcel.nesting():
                self._write_entries(parcel, magic)
        except ParcelError as error:
            raise UsageError(error.message) from None
        parcel.patch_int32(start, parcel.position - start - 8)
        if parcel.api_level >= HAS_INTENT_SINCE:
            parcel.write_int32(0)

    def _write_entries(self, parcel: Parcel, magic: int) -> None:
        for key, entry in sorted(self._entries.items(), key=lambda item: (_ORDER[item[1].kind], item[0])):
            parcel.write_string16(key)
            parcel.write_int32(entry.kind)
            _write_value(parcel, key, entry, magic)

    @classmethod
    def read_from(cls, parcel: Parcel) -> Self:
        bundle = cls()
        length = parcel.read_int32()
        if length == 0:
            return bundle
        if length < 0 or length % 4:
            raise parcel.error(Status.BAD_VALUE, f"a bundle of {length} bytes")
        magic = parcel.read_int32()
        if magic not in (JAVA_MAGIC, NATIVE_MAGIC):
            raise parcel.error(Status.BAD_VALUE, f"a bundle with magic {magic & 0xFFFFFFFF:#x}")
        if length > parcel.remaining:
            raise ParcelError(
                Status.NOT_ENOUGH_DATA,
                f"a bundle of {length} bytes where {parcel.remaining} are left",
                offset=parcel.position,
                wanted=length,
                available=parcel.remaining,
            )
        end = parcel.position + length
        with parcel.nesting():
            bundle._read_entries(parcel, end)
        cls._read_has_intent(parcel)
        return bundle

    def _read_entries(self, parcel: Parcel, end: int) -> None:
        count = parcel.read_int32()
        for _ in range(count):
            # A count that is too large must not be paid for with time.
            if parcel.position >= end:
                break
            key = parcel.non_null(parcel.read_string16())
            self._entries[key] = _read_value(parcel)
        else:
            if parcel.position == end and count >= 0:
                return
        raise parcel.error(Status.BAD_VALUE, f"a bundle's {count} entries do not end where it does, at {end}")

    @staticmethod
    def _read_has_intent(parcel: Parcel) -> None:
        # The word is outside of the length, so its absence shows only at the parcel's end.
        if parcel.api_level >= HAS_INTENT_SINCE and parcel.remaining and parcel.read_int32() != 0:
            raise parcel.error(Status.BAD_VALUE, "a PersistableBundle that claims to hold an Intent")


_PLAIN: dict[BundleType, tuple[str, str]] = {
    BundleType.STRING: ("write_string16", "read_string16"),
    BundleType.INT: ("write_int32", "read_int32"),
    BundleType.LONG: ("write_int64", "read_int64"),
    BundleType.DOUBLE: ("write_double", "read_double"),
    BundleType.BOOLEAN: ("write_bool", "read_bool"),
    BundleType.BYTE_ARRAY: ("write_byte_array", "read_byte_array"),
    BundleType.INT_ARRAY: ("write_int32_array", "read_int32_array"),
    BundleType.LONG_ARRAY: ("write_int64_array", "read_int64_array"),
    BundleType.BOOLEAN_ARRAY: ("write_bool_array", "read_bool_array"),
    BundleType.DOUBLE_ARRAY: ("write_double_array", "read_double_array"),
}


def _write_value(parcel: Parcel, key: str, entry: _Entry, magic: int) -> None:
    try:
        if entry.kind is BundleType.BUNDLE:
            _bundle(entry.value).write_to(parcel, magic=magic)
        elif entry.kind is BundleType.STRING_ARRAY:
            parcel.write_nullable_array(entry.value, parcel.write_string16)
        elif entry.kind is BundleType.STRING and entry.value is None:
            raise UsageError("None is no string")
        elif entry.kind is not BundleType.NULL:
            getattr(parcel, _PLAIN[entry.kind][0])(entry.value)
    except UsageError as error:
        raise UsageError(f"{shown(key)}: {error}") from None


def _bundle(value: object) -> PersistableBundle:
    if not isinstance(value, PersistableBundle):
        raise UsageError(f"{shown(value)} is no bundle")
    return value


def _read_value(parcel: Parcel) -> _Entry:
    code = parcel.read_int32()
    try:
        kind = BundleType(code)
    except ValueError:
        raise parcel.error(Status.BAD_TYPE, f"a bundle's value of unknown type {code}") from None
    if kind is BundleType.BUNDLE:
        return _Entry(kind, PersistableBundle.read_from(parcel))
    if kind is BundleType.STRING_ARRAY:
        return _Entry(kind, parcel.read_nullable_array(parcel.read_string16))
    if kind is BundleType.STRING:
        return _Entry(kind, parcel.non_null(parcel.read_string16()))
    if kind is BundleType.NULL:
        return _Entry(kind, None)
    return _Entry(kind, getattr(parcel, _PLAIN[kind][1])())


def _entry_of(value: BundleValue) -> _Entry:
    if isinstance(value, list):
        return _Entry(_array_type(value), value)
    if isinstance(value, int) and not isinstance(value, bool):
        return _Entry(BundleType.INT if -(2**31) <= value < 2**31 else BundleType.LONG, value)
    kinds: dict[type, BundleType] = {
        bool: BundleType.BOOLEAN,
        float: BundleType.DOUBLE,
        str: BundleType.STRING,
        bytes: BundleType.BYTE_ARRAY,
        PersistableBundle: BundleType.BUNDLE,
        type(None): BundleType.NULL,
    }
    kind = kinds.get(type(value))
    if kind is None:
        raise UsageError(f"a bundle cannot hold {shown(value)}")
    return _Entry(kind, value)


def _array_type(values: list[Any]) -> BundleType:
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return BundleType.BOOLEAN_ARRAY
    if kinds == {str} or not kinds:
        return BundleType.STRING_ARRAY
    if kinds == {float}:
        return BundleType.DOUBLE_ARRAY
    if kinds == {int}:
        fits = all(-(2**31) <= value < 2**31 for value in values)
        return BundleType.INT_ARRAY if fits else BundleType.LONG_ARRAY
    raise UsageError(f"a bundle's array must be of one type, bool, int, float or str: {shown(values)}")
