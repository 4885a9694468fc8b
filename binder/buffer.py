"""Plain values as bytes: a growing buffer with a position.

Everything is little-endian and starts at a multiple of four. Reading never trusts: every `read_*`
raises `ParcelError` with the status libbinder would answer, and allocates no more than there are
bytes. Methods that deal in something nullable take and return None for null, as Java's `Parcel`
does; `non_null` turns a None that must not be there into an error.
"""

from __future__ import annotations

from bisect import bisect_right
from codecs import utf_16_le_decode, utf_16_le_encode
from collections.abc import Sequence
from operator import attrgetter
from struct import Struct, pack, unpack_from
from struct import error as StructError
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar

from .errors import ParcelError, UsageError, shown
from .flat import FLAT_OBJECT_SIZE
from .protocol import LATEST_API_LEVEL, OLDEST_API_LEVEL, Status
from .values import FixedBody, Run, int8

T = TypeVar("T")

_INT = Struct("<i")
_LONG = Struct("<q")
_FLOAT = Struct("<f")
_DOUBLE = Struct("<d")
_CHAR = Struct("<H2x")
_BYTE = Struct("<b3x")

# Bound once: these are where a parcel's time goes.
_pack_int = _INT.pack
_unpack_int = _INT.unpack_from
_unpack_long = _LONG.unpack_from

UNBOUNDED = 2**63
_NULL = b"\xff\xff\xff\xff"
_PADDING = (b"", b"\0\0\0", b"\0\0", b"\0")


class Buffer:
    """Bytes with a position, and the plain types of AIDL in and out of them.

    Args:
        api_level: whose wire variant to speak, 29 to 37.
    """

    __slots__ = ("_data", "_offsets", "_pos", "api_level")

    def __init__(self, *, api_level: int = LATEST_API_LEVEL) -> None:
        if not OLDEST_API_LEVEL <= api_level <= LATEST_API_LEVEL:
            raise UsageError(f"API level {api_level} is not one of {OLDEST_API_LEVEL} to {LATEST_API_LEVEL}")
        self.api_level = api_level
        self._data = bytearray()
        self._pos = 0
        # Where there are objects, which must not be read as plain data.
        self._offsets: list[int] = []

    # --- the buffer ---------------------------------------------------------------------------

    def __bytes__(self) -> bytes:
        return bytes(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def _move(self, value: int) -> None:
        if not 0 <= value <= len(self._data) or value & 3:
            raise UsageError(f"position {value} is not a multiple of 4 within {len(self._data)} bytes")
        self._pos = value

    # Where the next read or write happens, in bytes from the start. Generated code asks before
    # every field, hence a getter that is no Python function.
    if TYPE_CHECKING:

        @property
        def position(self) -> int: ...
        @position.setter
        def position(self, value: int) -> None: ...
    else:
        position = property(attrgetter("_pos"), _move)

    @property
    def remaining(self) -> int:
        """Bytes from the position to the end."""
        return len(self._data) - self._pos

    @property
    def offsets(self) -> tuple[int, ...]:
        """Where the objects are, in ascending order."""
        return tuple(self._offsets)

    def rewind(self) -> Self:
        """Goes back to the start, to read what was written."""
        self._pos = 0
        return self

    def _put(self, chunk: bytes) -> None:
        data, pos = self._data, self._pos
        if pos == len(data):
            data += chunk
        else:
            self._overwrite(pos, chunk)
        self._pos = pos + len(chunk)

    def _overwrite(self, pos: int, chunk: bytes) -> None:
        # An object's bytes are known elsewhere too: to the list of offsets, and to whoever keeps
        # the object alive.
        if self._has_objects(pos, len(chunk)):
            raise UsageError(f"position {pos} is in the middle of an object, which cannot be overwritten")
        self._data[pos : pos + len(chunk)] = chunk

    def patch_int32(self, offset: int, value: int) -> None:
        """Overwrites four bytes written earlier."""
        if not 0 <= offset <= len(self._data) - 4:
            raise UsageError(f"offset {offset} is outside of the parcel's {len(self._data)} bytes")
        try:
            self._overwrite(offset, _pack_int(value))
        except StructError as error:
            raise UsageError(f"cannot send {shown(value)}: {error}") from None

    def _take(self, size: int) -> int:
        """Claims `size` bytes of plain data and returns where they start."""
        pos = self._pos
        if size > len(self._data) - pos:
            raise self._short(size)
        if self._offsets and self._has_objects(pos, size):
            self._refuse_object()
        self._pos = pos + size
        return pos

    def _has_objects(self, pos: int, size: int) -> bool:
        index = bisect_right(self._offsets, pos - FLAT_OBJECT_SIZE)
        return index < len(self._offsets) and self._offsets[index] < pos + size

    def _refuse_object(self) -> NoReturn:
        raise self.error(Status.PERMISSION_DENIED, "plain data was wanted, but an object is there")

    def skip_equal(self, start: int, expected: bytes) -> bool:
        """Skips as many bytes as `expected` has, if they are the same from `start` of them on."""
        pos = self._pos
        end = pos + len(expected)
        if self._data[pos + start : end] != expected[start:] or end > len(self._data):
            return False
        if self._offsets and self._has_objects(pos, len(expected)):
            return False
        self._pos = end
        return True

    def error(self, status: Status, message: str) -> ParcelError:
        """An error about what is at the position."""
        return ParcelError(status, message, offset=self._pos)

    def _short(self, wanted: int) -> ParcelError:
        left = self.remaining
        return ParcelError(
            Status.NOT_ENOUGH_DATA,
            f"{wanted} bytes are needed and {left} are left",
            offset=self._pos,
            wanted=wanted,
            available=left,
        )

    def non_null(self, value: T | None) -> T:
        """`value`, which was just read. Raises UNEXPECTED_NULL if it is None."""
        if value is None:
            raise self.error(Status.UNEXPECTED_NULL, "null where a value is required")
        return value

    # --- fixed-size values --------------------------------------------------------------------

    def _write_scalar(self, codec: Struct, value: float) -> None:
        try:
            chunk = codec.pack(value)
        except (StructError, OverflowError) as error:
            raise UsageError(f"cannot send {shown(value)}: {error}") from None
        self._put(chunk)

    def write_int32(self, value: int) -> None:
        try:
            chunk = _pack_int(value)
        except StructError as error:
            raise UsageError(f"cannot send {shown(value)}: {error}") from None
        data, pos = self._data, self._pos
        if pos == len(data):
            data += chunk
        else:
            self._overwrite(pos, chunk)
        self._pos = pos + 4

    def write_int64(self, value: int) -> None:
        self._write_scalar(_LONG, value)

    def write_bool(self, value: bool) -> None:
        self._put(b"\1\0\0\0" if value else b"\0\0\0\0")

    def write_byte(self, value: int) -> None:
        self._write_scalar(_INT, int8(value))

    def write_char(self, value: str) -> None:
        self._write_scalar(_CHAR, utf16_unit(value))

    def write_float(self, value: float) -> None:
        self._write_scalar(_FLOAT, value)

    def write_double(self, value: float) -> None:
        self._write_scalar(_DOUBLE, value)

    def read_int32(self) -> int:
        pos = self._pos
        try:
            value: int = _unpack_int(self._data, pos)[0]
        except StructError:
            raise self._short(4) from None
        if self._offsets and self._has_objects(pos, 4):
            self._refuse_object()
        self._pos = pos + 4
        return value

    def read_int64(self) -> int:
        pos = self._pos
        try:
            value: int = _unpack_long(self._data, pos)[0]
        except StructError:
            raise self._short(8) from None
        if self._offsets and self._has_objects(pos, 8):
            self._refuse_object()
        self._pos = pos + 8
        return value

    def read_bool(self) -> bool:
        return self.read_int32() != 0

    def read_byte(self) -> int:
        """An AIDL byte, -128 to 127."""
        return int(_BYTE.unpack_from(self._data, self._take(4))[0])

    def read_char(self) -> str:
        return chr(_CHAR.unpack_from(self._data, self._take(4))[0])

    def read_float(self) -> float:
        return float(_FLOAT.unpack_from(self._data, self._take(4))[0])

    def read_double(self) -> float:
        return float(_DOUBLE.unpack_from(self._data, self._take(8))[0])

    def write_run(self, run: Run, *values: float) -> None:
        """Writes neighbouring fixed-size fields at once. Raises `UsageError` naming the culprit."""
        try:
            chunk = run.pack(*values)
        except (StructError, OverflowError):
            raise run.explain(values) from None
        data, pos = self._data, self._pos
        if pos == len(data):
            data += chunk
        else:
            self._overwrite(pos, chunk)
        self._pos = pos + run.size

    def read_run(self, run: Run, end: int = UNBOUNDED) -> tuple[Any, ...]:
        """Reads neighbouring fixed-size values; fields, if given where their parcelable ends.

        Fields that an older peer did not send, those that would start at `end` or later, come
        back as the run's defaults.
        """
        pos, size = self._pos, run.size
        if pos + size > end:
            return self._read_part_of_run(run, end)
        try:
            values = run.unpack_from(self._data, pos)
        except StructError:
            raise self._short(size) from None
        if self._offsets and self._has_objects(pos, size):
            self._refuse_object()
        self._pos = pos + size
        return values

    def read_fixed_body(self, body: FixedBody) -> tuple[Any, ...] | None:
        """Reads a body of exactly this form, size word included. None, and nothing is read, for another."""
        pos = self._pos
        try:
            values: tuple[Any, ...] = body.unpack_from(self._data, pos)
        except StructError:
            return None
        if not body.has_form(values) or (self._offsets and self._has_objects(pos, body.size)):
            return None
        self._pos = pos + body.size
        return values

    def _read_part_of_run(self, run: Run, end: int) -> tuple[Any, ...]:
        values = list(run.defaults)
        for index, reader in enumerate(run.readers):
            if self._pos >= end:
                break
            (values[index],) = reader.unpack_from(self._data, self._take(reader.size))
        return tuple(values)

    # --- strings ------------------------------------------------------------------------------

    def write_string16(self, value: str | None) -> None:
        """Writes a string, or null."""
        self._put(string16_bytes(value))

    def read_string16(self) -> str | None:
        """Reads a string; None for null."""
        start = self._pos
        length = self.read_int32()
        if length < 0:
            return None
        try:
            pos = self._take((2 * length + 5) & ~3)
        except ParcelError:
            self._pos = start
            raise
        end = pos + 2 * length
        data = self._data
        if data[end] or data[end + 1]:
            self._pos = start
            raise self.error(Status.BAD_VALUE, "a string does not end in a zero")
        return utf_16_le_decode(data[pos:end], "surrogatepass", True)[0]

    # --- arrays of fixed-size elements ----------------------------------------------------------

    def _write_packed(self, letter: str, values: Sequence[int | float] | None) -> None:
        if values is None:
            return self._put(_NULL)
        try:
            chunk = pack(f"<i{len(values)}{letter}", len(values), *values)
        except (StructError, OverflowError, TypeError) as error:
            raise UsageError(f"cannot send the array {shown(values)}: {error}") from None
        self._put(chunk + _PADDING[len(chunk) & 3])

    def _read_packed(self, letter: str, element_size: int) -> list[Any] | None:
        start = self._pos
        count = self._read_count()
        if count is None:
            return None
        size = count * element_size
        try:
            pos = self._take(size + (-size & 3))
        except ParcelError:
            self._pos = start
            raise
        return list(unpack_from(f"<{count}{letter}", self._data, pos))

    def _read_count(self) -> int | None:
        count = self.read_int32()
        if count == -1:
            return None
        # Nothing takes less than a byte: refuse before allocating anything, as libbinder does.
        if not 0 <= count <= self.remaining:
            self._pos -= 4
            raise self.error(Status.BAD_VALUE, f"an array of {count} elements in {self.remaining - 4} bytes")
        return count

    def write_byte_array(self, value: bytes | bytearray | memoryview | None) -> None:
        if value is None:
            return self._put(_NULL)
        try:
            # Not bytes(value), which would turn an int into that many zeros.
            chunk = value if isinstance(value, bytes) else memoryview(value).tobytes()
            self._put(_pack_int(len(chunk)) + chunk + _PADDING[len(chunk) & 3])
        except (TypeError, BufferError, StructError) as error:
            raise UsageError(f"cannot send {shown(value)} as bytes: {error}") from None

    def write_int8_array(self, value: Sequence[int] | None) -> None:
        """An array of enumerators backed by a byte."""
        self._write_packed("b", value)

    def write_int32_array(self, value: Sequence[int] | None) -> None:
        self._write_packed("i", value)

    def write_int64_array(self, value: Sequence[int] | None) -> None:
        self._write_packed("q", value)

    def write_float_array(self, value: Sequence[float] | None) -> None:
        self._write_packed("f", value)

    def write_double_array(self, value: Sequence[float] | None) -> None:
        self._write_packed("d", value)

    def write_bool_array(self, value: Sequence[bool] | None) -> None:
        self._write_packed("i", None if value is None else [1 if item else 0 for item in _items(value)])

    def write_char_array(self, value: Sequence[str] | None) -> None:
        self._write_packed("i", None if value is None else [utf16_unit(item) for item in _items(value)])

    def read_byte_array(self) -> bytes | None:
        start = self._pos
        count = self._read_count()
        if count is None:
            return None
        try:
            pos = self._take(count + (-count & 3))
        except ParcelError:
            self._pos = start
            raise
        return bytes(self._data[pos : pos + count])

    def read_int8_array(self) -> list[int] | None:
        return self._read_packed("b", 1)

    def read_int32_array(self) -> list[int] | None:
        return self._read_packed("i", 4)

    def read_int64_array(self) -> list[int] | None:
        return self._read_packed("q", 8)

    def read_float_array(self) -> list[float] | None:
        return self._read_packed("f", 4)

    def read_double_array(self) -> list[float] | None:
        return self._read_packed("d", 8)

    def read_bool_array(self) -> list[bool] | None:
        words = self._read_packed("i", 4)
        return None if words is None else [word != 0 for word in words]

    def read_char_array(self) -> list[str] | None:
        words = self._read_packed("I", 4)
        return None if words is None else [chr(word & 0xFFFF) for word in words]


def _items(values: Sequence[T]) -> Sequence[T]:
    try:
        iter(values)
    except TypeError:
        raise UsageError(f"{shown(values)} is no array") from None
    return values


def string16_bytes(value: str | None) -> bytes:
    """A string, or null, as a parcel holds it. Raises `UsageError`."""
    if value is None:
        return _NULL
    try:
        # An unpaired surrogate is legal in Java's strings, hence on the wire.
        units, _ = utf_16_le_encode(value, "surrogatepass")
        size = len(units)
        # The terminator, and zeros up to a multiple of four.
        return _pack_int(size >> 1) + units + (b"\0\0" if size & 2 else b"\0\0\0\0")
    except (TypeError, StructError) as error:
        raise UsageError(f"cannot send {shown(value)} as a string: {error}") from None


def utf16_unit(value: str) -> int:
    """The number of a character that is one UTF-16 unit, as an AIDL char must be."""
    if not isinstance(value, str) or len(value) != 1 or ord(value) > 0xFFFF:
        raise UsageError(f"{shown(value)} is not one UTF-16 unit, which a char is")
    return ord(value)
