"""Bytes of a transaction as values, by the wire layout alone.

This reads what a device or a log has, without any code having been generated. What cannot be read is
reported with its offset, and everything that could be read before it is kept.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from . import ast
from .layout import (
    Array,
    BinderValue,
    FileDescriptorValue,
    HolderValue,
    MapValue,
    ParcelableValue,
    Scalar,
    Slot,
    String,
    WireType,
    body_slots,
    reply_slots,
    request_slots,
)
from .wire import type_text

Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | None"

_FORMATS = {"z": "<i", "b": "<b3x", "c": "<H2x", "i": "<i", "q": "<q", "f": "<f", "d": "<d"}
_PACKED = {
    "z": ("i", 4),
    "b": ("b", 1),
    "c": ("i", 4),
    "i": ("i", 4),
    "q": ("q", 8),
    "f": ("f", 4),
    "d": ("d", 8),
}

_EXCEPTIONS = {
    -1: "SecurityException",
    -2: "BadParcelableException",
    -3: "IllegalArgumentException",
    -4: "NullPointerException",
    -5: "IllegalStateException",
    -6: "NetworkOnMainThreadException",
    -7: "UnsupportedOperationException",
    -8: "ServiceSpecificException",
    -9: "ParcelableException",
}
_OBJECTS = {0x73622A85: "local binder", 0x73682A85: "handle", 0x66642A85: "file descriptor"}
_BUNDLE = "android.os.PersistableBundle"
_BUNDLE_VALUES: dict[int, WireType] = {
    0: String(True),
    1: Scalar("i"),
    6: Scalar("q"),
    8: Scalar("d"),
    9: Scalar("z"),
    13: Array(Scalar("b"), True),
    14: Array(String(True), True),
    18: Array(Scalar("i"), True),
    19: Array(Scalar("q"), True),
    23: Array(Scalar("z"), True),
    28: Array(Scalar("d"), True),
}
# Nobody nests honestly any deeper, and Python's own limit is not far above.
_MAX_DEPTH = 100


class DecodeError(Exception):
    """Bytes that are not what they should be, at an offset."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(f"offset {offset}: {message}")
        self.offset = offset


@dataclass(slots=True)
class Line:
    """One decoded value: where it starts, how deep it is nested, what it is called and what it is."""

    offset: int
    depth: int
    name: str
    text: str


@dataclass(slots=True)
class Decoded:
    """What was read. `error` is set if something could not be."""

    lines: list[Line] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    error: DecodeError | None = None


def decode_request(
    interface: ast.Interface, method: ast.Method, data: bytes, *, api_level: int = 37
) -> Decoded:
    """Reads a request, interface token first."""
    return _Decoder(data, api_level).transaction(request_slots(method), interface=interface)


def decode_reply(method: ast.Method, data: bytes, *, api_level: int = 37) -> Decoded:
    """Reads a reply, exception header first."""
    return _Decoder(data, api_level).transaction(reply_slots(method), interface=None)


class _Decoder:
    def __init__(self, data: bytes, api_level: int) -> None:
        self._data = data
        self._pos = 0
        self._api_level = api_level
        self._depth = 0
        self._out = Decoded()

    def transaction(self, slots: Sequence[Slot], interface: ast.Interface | None) -> Decoded:
        try:
            if interface is not None:
                self._token(interface)
            elif not self._exception():
                return self._out
            for slot in slots:
                self._out.values[slot.name] = self._value(slot.name, slot.type)
            if left := len(self._data) - self._pos:
                raise DecodeError(self._pos, f"{left} bytes are left over")
        except DecodeError as error:
            self._out.error = error
        return self._out

    # --- bytes -----------------------------------------------------------------------------------

    def _take(self, size: int, what: str) -> int:
        left = len(self._data) - self._pos
        if size > left:
            raise DecodeError(self._pos, f"{what} takes {size} bytes, and {left} are left")
        start = self._pos
        self._pos += size
        return start

    def _unpack(self, letters: str, what: str) -> Any:
        size = struct.calcsize(letters)
        return struct.unpack_from(letters, self._data, self._take(size, what))[0]

    def _int(self, what: str) -> int:
        return int(self._unpack("<i", what))

    def _string(self, what: str) -> str | None:
        start = self._pos
        length = self._int(what)
        if length < 0:
            return None
        size = 2 * length + 2
        at = self._take(size + (-size & 3), f"{what}, a string of {length} units,")
        if self._data[at + size - 2 : at + size] != b"\0\0":
            raise DecodeError(start, f"{what}, a string of {length} units, does not end in a zero")
        return self._data[at : at + size - 2].decode("utf-16-le", "replace")

    def _count(self, what: str) -> int | None:
        start = self._pos
        count = self._int(what)
        if count == -1:
            return None
        if not 0 <= count <= len(self._data) - self._pos:
            raise DecodeError(start, f"{what} cannot have {count} elements")
        return count

    def _say(self, offset: int, name: str, text: str) -> None:
        self._out.lines.append(Line(offset, self._depth, name, text))

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise DecodeError(self._pos, f"values nested more than {_MAX_DEPTH} deep")
        try:
            yield
        finally:
            self._depth -= 1

    # --- headers ---------------------------------------------------------------------------------

    def _token(self, interface: ast.Interface) -> None:
        start = self._pos
        strict = self._int("the strict mode of the token") & 0xFFFFFFFF
        source = self._int("the work source of the token")
        parts = [f"strict mode {strict:#x}", f"work source {source}"]
        if self._api_level >= 30:
            header = self._int("the header of the token") & 0xFFFFFFFF
            parts.append(f"header {header.to_bytes(4, 'big').decode('ascii', 'replace')}")
        descriptor = self._string("the descriptor of the token")
        self._say(start, "(token)", ", ".join([*parts, repr(descriptor)]))
        if descriptor != interface.descriptor:
            raise DecodeError(start, f"the token is for {descriptor!r}, not for {interface.descriptor!r}")

    def _exception(self) -> bool:
        """Reads a reply's header. Returns whether results follow."""
        start = self._pos
        code = self._int("the exception code")
        while code in (-127, -128):
            self._say(start, "(header)", f"{code}, skipped")
            size = self._int("the size of a reply header")
            self._take(size - 4, "a reply header") if size >= 4 else None
            start = self._pos
            code = 0 if code == -128 else self._int("the exception code")
        if code == 0:
            self._say(start, "(exception)", "none")
            return True
        name = _EXCEPTIONS.get(code, f"unknown exception {code}")
        message = self._string("the exception's message")
        size = self._int("the size of the stack trace")
        if size > 4:
            self._take(size - 4, "the stack trace")
        text = f"{name}: {message}"
        if code == -8:
            text = f"{name} {self._int('the service-specific error')}: {message}"
        self._say(start, "(exception)", text)
        self._out.values["(exception)"] = text
        return False

    # --- values ----------------------------------------------------------------------------------

    def _value(self, name: str, type_: WireType) -> Value:
        start = self._pos
        match type_:
            case Scalar():
                value = self._scalar(self._unpack(_FORMATS[type_.letter], name), type_)
                self._say(start, name, str(value))
                return value
            case String(nullable):
                text: str | None = self._non_null(self._string(name), start, name, nullable)
                self._say(start, name, "null" if text is None else repr(text))
                return text
            case Array():
                return self._array(name, type_)
            case MapValue():
                return self._map(name, type_)
            case ParcelableValue():
                return self._parcelable(name, type_)
            case BinderValue(_, nullable):
                return self._binder(name, nullable)
            case FileDescriptorValue(parcel, nullable):
                return self._file_descriptor(name, parcel, nullable)
            case HolderValue():
                return self._holder(name)

    @staticmethod
    def _scalar(raw: Any, type_: Scalar) -> Value:
        if type_.enum is not None:
            named = [item.name for item in type_.enum.enumerators if item.value == raw]
            return named[0] if named else int(raw)
        match type_.letter:
            case "z":
                return bool(raw)
            case "c":
                return chr(raw & 0xFFFF)
            case _:
                number: int | float = raw
                return number

    @staticmethod
    def _non_null(value: Any, offset: int, name: str, nullable: bool) -> Any:
        if value is None and not nullable:
            raise DecodeError(offset, f"{name} is null, which it must not be")
        return value

    def _array(self, name: str, type_: Array) -> Value:
        start = self._pos
        count = self._non_null(self._count(name), start, name, type_.nullable)
        if count is None:
            self._say(start, name, "null")
            return None
        if type_.count is not None and count != type_.count:
            raise DecodeError(start, f"{name} has {count} elements instead of {type_.count}")
        if isinstance(type_.element, Scalar):
            letter, size = _PACKED[type_.element.letter]
            at = self._take(count * size + (-count * size & 3), f"{name}, {count} elements,")
            raw = struct.unpack_from(f"<{count}{letter}", self._data, at)
            values = [self._scalar(item, type_.element) for item in raw]
            self._say(start, name, f"[{', '.join(map(str, values))}]")
            return values
        self._say(start, name, f"{type_text(type_)}, {count} elements")
        with self._deeper():
            return [self._value(f"[{index}]", type_.element) for index in range(count)]

    def _map(self, name: str, type_: MapValue) -> Value:
        start = self._pos
        count = self._non_null(self._count(name), start, name, type_.nullable)
        self._say(start, name, "null" if count is None else f"{type_text(type_)}, {count} entries")
        if count is None:
            return None
        values: dict[str, Value] = {}
        with self._deeper():
            for _ in range(count):
                key = self._non_null(self._string("a key"), self._pos, "a key", False)
                values[key] = self._value(repr(key), type_.value)
        return values

    def _parcelable(self, name: str, type_: ParcelableValue) -> Value:
        start = self._pos
        marker = self._int(f"the marker of {name}")
        if marker not in (0, 1):
            raise DecodeError(start, f"{name} has marker {marker}, which is neither 1 nor 0 for null")
        if marker == 0:
            self._non_null(None, start, name, type_.nullable)
            self._say(start, name, "null")
            return None
        self._say(start, name, type_.declaration.path)
        with self._deeper():
            match type_.declaration:
                case ast.Parcelable() as parcelable:
                    return self._body(parcelable)
                case ast.Union() as union:
                    return self._union(union)
                case ast.UnstructuredParcelable(qualified_name=known) if known == _BUNDLE:
                    return self._bundle()
                case opaque:
                    raise DecodeError(
                        self._pos, f"the bytes of {opaque.qualified_name} are not defined by AIDL"
                    )

    def _body(self, parcelable: ast.Parcelable) -> Value:
        start = self._pos
        size = self._int(f"the size of {parcelable.name}")
        end = start + size
        if size < 4 or end > len(self._data):
            raise DecodeError(start, f"{parcelable.name} says that it has {size} bytes")
        self._say(start, "(size)", str(size))
        values: dict[str, Value] = {}
        for slot in body_slots(parcelable):
            if self._pos >= end:
                self._say(self._pos, slot.name, "not sent")
                continue
            values[slot.name] = self._value(slot.name, slot.type)
        if self._pos < end:
            self._say(self._pos, "(unknown)", f"{end - self._pos} bytes of newer fields")
        self._pos = end
        return values

    def _union(self, union: ast.Union) -> Value:
        start = self._pos
        tag = self._int(f"the tag of {union.name}")
        slots = body_slots(union)
        if not 0 <= tag < len(slots):
            raise DecodeError(start, f"{union.name} has no tag {tag}")
        self._say(start, "(tag)", f"{tag}, {slots[tag].name}")
        return {slots[tag].name: self._value(slots[tag].name, slots[tag].type)}

    def _holder(self, name: str) -> Value:
        start = self._pos
        if self._int(f"the marker of {name}") != 1:
            raise DecodeError(start, f"{name} is a holder, which cannot be null")
        stability, size = self._int("a holder's stability"), self._int("a holder's size")
        if size < 0 or size > len(self._data) - self._pos:
            raise DecodeError(self._pos - 4, f"{name} says that it holds {size} bytes")
        end = self._pos + size
        held = self._string("a holder's type") if size else None
        content = f"{held}, {end - self._pos} bytes" if size else "nothing"
        self._say(start, name, f"holder of stability {stability}: {content}")
        self._pos = end
        return held

    # --- objects ---------------------------------------------------------------------------------

    def _object(self, name: str) -> tuple[int, int, int]:
        at = self._take(24, name)
        kind, _, value, cookie = struct.unpack_from("<IIQQ", self._data, at)
        return kind, value, cookie

    def _binder(self, name: str, nullable: bool) -> Value:
        start = self._pos
        kind, value, cookie = self._object(name)
        word = self._int(f"the stability of {name}") if self._api_level >= 30 else 0
        if kind not in (0x73622A85, 0x73682A85):
            raise DecodeError(start, f"{name} is a binder, but its type is {kind:#x}")
        if not value and not cookie and kind == 0x73622A85:
            self._non_null(None, start, name, nullable)
            self._say(start, name, "null")
            return None
        text = f"{_OBJECTS[kind]} {value:#x}" if kind == 0x73622A85 else f"{_OBJECTS[kind]} {value}"
        self._say(start, name, f"{text}, stability {word & 0xFFFFFFFF:#x}")
        return text

    def _file_descriptor(self, name: str, parcel: bool, nullable: bool) -> Value:
        start = self._pos
        if parcel:
            if self._int(f"the marker of {name}") == 0:
                self._non_null(None, start, name, nullable)
                self._say(start, name, "null")
                return None
            if self._int(f"the second marker of {name}"):
                self._object(f"the status pipe of {name}")
        kind, value, _ = self._object(name)
        if kind != 0x66642A85:
            raise DecodeError(start, f"{name} is a file descriptor, but its type is {kind:#x}")
        text = f"file descriptor {value & 0xFFFFFFFF}"
        self._say(start, name, text)
        return text

    # --- PersistableBundle -----------------------------------------------------------------------

    def _bundle(self) -> Value:
        start = self._pos
        length = self._int("the length of a bundle")
        self._say(start, "(length)", str(length))
        if length == 0:
            return {}
        magic = self._unpack("<I", "the magic of a bundle").to_bytes(4, "little")
        if magic not in (b"BNDL", b"DNDL"):
            raise DecodeError(start + 4, f"a bundle with magic {magic!r}")
        if length < 0 or length > len(self._data) - self._pos:
            raise DecodeError(start, f"a bundle of {length} bytes")
        end = self._pos + length
        values: dict[str, Value] = {}
        for _ in range(self._count("a bundle") or 0):
            key = self._non_null(self._string("a key"), self._pos, "a key", False)
            at = self._pos
            kind = self._int(f"the type of {key!r}")
            if kind == 25:
                self._say(at, repr(key), "PersistableBundle")
                with self._deeper():
                    values[key] = self._bundle()
            elif kind == -1:
                values[key] = None
            elif kind in _BUNDLE_VALUES:
                values[key] = self._value(repr(key), _BUNDLE_VALUES[kind])
            else:
                raise DecodeError(at, f"{key!r} is of unknown type {kind}")
        if self._pos != end:
            raise DecodeError(self._pos, f"the entries of a bundle do not end where it does, at {end}")
        if self._api_level >= 36 and len(self._data) - self._pos >= 4:
            self._int("the last word of a bundle")
        return values
