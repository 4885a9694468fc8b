"""The parcel: plain values, objects, and what AIDL makes of them.

Layers: `Buffer` has the plain values, `ObjectBuffer` the binders and descriptors; here are arrays of
anything, maps, parcelables, interfaces and tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from struct import Struct
from struct import error as StructError
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import NullValueError, ParcelError, UsageError, shown
from .fds import ParcelFileDescriptor
from .ibinder import IBinder
from .objects import ObjectBuffer, ObjectResolver
from .protocol import Status
from .token import InterfaceToken, token_bytes
from .values import Parcelable

if TYPE_CHECKING:
    from .interface import Interface

__all__ = [
    "INT32_MAX",
    "MAX_DEPTH",
    "ObjectResolver",
    "Parcel",
    "exactly",
    "given",
    "marked_bytes",
    "sized_body",
]

T = TypeVar("T")
P = TypeVar("P", bound=Parcelable)
Sized = TypeVar("Sized", bound=Sequence[Any] | bytes | None)

INT32_MAX = 2**31 - 1
# Recursive types let a small parcel nest deeply; no honest one comes near this.
MAX_DEPTH = 100

# As in `Buffer`, what is done for every value is done without calls where it can be.
_put_int = Struct("<i").pack_into
_unpack_int = Struct("<i").unpack_from
_pack_int = Struct("<i").pack
_PRESENT = b"\1\0\0\0"
_ABSENT = b"\0\0\0\0"

# What asking for a body's bytes may end in where only the long way knows what to do, or what is wrong.
_NO_SHORT_WAY = (StructError, OverflowError, TypeError, AttributeError, UsageError)


class Parcel(ObjectBuffer):
    """Values as bytes.

    Args:
        api_level: whose wire variant to speak, 29 to 37.
        header: what interface tokens say wrote them.
    """

    __slots__ = ()

    @contextmanager
    def nesting(self) -> Iterator[None]:
        """The body reads or writes what can contain itself. Raises `ParcelError` if that is too deep."""
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise self._too_deep()
            yield
        finally:
            self._depth -= 1

    def _too_deep(self) -> ParcelError:
        return self.error(Status.BAD_VALUE, f"values nested more than {MAX_DEPTH} deep")

    # --- arrays of anything ---------------------------------------------------------------------

    def write_array(self, values: Sequence[T], write: Callable[[T], None]) -> None:
        """An array, each element by `write`. Raises `UsageError` if one of them is None."""
        if values is None:
            raise NullValueError("null where an array is required")
        self._write_count(values)
        for value in values:
            if value is None:
                raise NullValueError(f"null in an array that must not have any: {shown(values)}")
            write(value)

    def write_nullable_array(self, values: Sequence[T] | None, write: Callable[[T], None]) -> None:
        """An array that may be null and whose elements may be, each element by `write`."""
        if values is None:
            return self.write_int32(-1)
        self._write_count(values)
        for value in values:
            write(value)

    def _write_count(self, values: Sequence[Any]) -> None:
        try:
            count = len(values)
        except TypeError:
            raise UsageError(f"{shown(values)} is no array") from None
        self.write_int32(count)

    def read_array(self, read: Callable[[], T | None]) -> list[T]:
        """An array, each element by `read`. Neither it nor an element may be null."""
        values: list[T] = []
        for _ in range(self.non_null(self._read_count())):
            value = read()
            if value is None:
                raise self.error(Status.UNEXPECTED_NULL, "null in an array that must not have any")
            values.append(value)
        return values

    def read_nullable_array(self, read: Callable[[], T]) -> list[T] | None:
        """An array that may be null, each element by `read`."""
        count = self._read_count()
        return None if count is None else [read() for _ in range(count)]

    def sized(self, values: Sized, count: int) -> Sized:
        """`values`, a fixed-size array just read. Raises BAD_VALUE if it has another size; None passes."""
        if values is not None and len(values) != count:
            raise self.error(Status.BAD_VALUE, f"{len(values)} elements in an array of {count}")
        return values

    # --- maps -----------------------------------------------------------------------------------

    def write_map(self, values: Mapping[str, T], write: Callable[[T], None]) -> None:
        """A `Map<String, ...>`, each value by `write`. Raises `UsageError` if one of them is None."""
        if values is None:
            raise NullValueError("null where a map is required")

        def write_non_null(value: T) -> None:
            if value is None:
                raise NullValueError(f"null in a map that must not have any: {shown(values)}")
            write(value)

        self.write_nullable_map(values, write_non_null)

    def write_nullable_map(self, values: Mapping[str, T] | None, write: Callable[[T], None]) -> None:
        """A map that may be null and whose values may be, each value by `write`."""
        if values is None:
            return self.write_int32(-1)
        if not isinstance(values, Mapping):
            raise UsageError(f"{shown(values)} is no map")
        self.write_int32(len(values))
        for key, value in values.items():
            self.write_string16(given(key, "a map's key"))
            write(value)

    def read_map(self, read: Callable[[], T | None]) -> dict[str, T]:
        """A map, each value by `read`. Neither it nor a value may be null."""
        count = self.non_null(self._read_count())
        return {self.non_null(self.read_string16()): self.non_null(read()) for _ in range(count)}

    def read_nullable_map(self, read: Callable[[], T]) -> dict[str, T] | None:
        """A map that may be null, each value by `read`."""
        count = self._read_count()
        if count is None:
            return None
        return {self.non_null(self.read_string16()): read() for _ in range(count)}

    # --- parcelables ----------------------------------------------------------------------------

    def write_parcelable(self, value: Parcelable | None) -> None:
        """The marker, and the body unless `value` is None."""
        if value is None:
            return self._put(_ABSENT)
        if self._depth < MAX_DEPTH:
            try:
                chunk = marked_bytes(value)
            except _NO_SHORT_WAY:
                pass
            else:
                return self._put(chunk)
        self._put(_PRESENT)
        try:
            # Asked for by name: isinstance is slow for an abstract class, and this is called a lot.
            write_to = value.write_to
        except AttributeError:
            raise UsageError(f"{shown(value)} is no parcelable") from None
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise UsageError(f"a {type(value).__name__} nested more than {MAX_DEPTH} deep")
            write_to(self)
        finally:
            self._depth -= 1

    def write_parcelables(self, values: Sequence[Parcelable]) -> None:
        """An array of parcelables. Raises `UsageError` if one of them is None."""
        if self._depth < MAX_DEPTH:
            try:
                count: list[bytes | None] = [_pack_int(len(values))]
                # Every body has a marker before it; a body that could not be had cannot be joined.
                chunk = _PRESENT.join(count + [value.pack_body() for value in values])  # type: ignore[arg-type]
            except _NO_SHORT_WAY:
                pass
            else:
                return self._put(chunk)
        self.write_array(values, self.write_parcelable)

    def read_parcelable(self, cls: type[P]) -> P | None:
        """Reads a parcelable of the given class; None for null."""
        pos = self._pos
        try:
            marker = _unpack_int(self._data, pos)[0]
        except StructError:
            raise self._short(4) from None
        if self._offsets and self._has_objects(pos, 4):
            self._refuse_object()
        self._pos = pos + 4
        if marker != 1 and not self._is_present(marker):
            return None
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise self._too_deep()
            return cls.read_from(self)
        finally:
            self._depth -= 1

    def _is_present(self, marker: int) -> bool:
        if marker in (0, 1):
            return marker == 1
        self._pos -= 4
        raise self.error(Status.BAD_VALUE, f"{marker} where 1 (a value) or 0 (null) is expected")

    def begin_body(self) -> int:
        """Starts a structured parcelable's body; give what comes back to `end_body`."""
        data, start = self._data, self._pos
        if start == len(data):
            data += _ABSENT
        else:
            self._overwrite(start, _ABSENT)
        self._pos = start + 4
        return start

    def end_body(self, start: int) -> None:
        """Ends a body: fills in its size."""
        _put_int(self._data, start, self._pos - start)

    def enter_body(self) -> int:
        """Reads a body's size. Returns where the body ends."""
        start = self._pos
        try:
            size: int = _unpack_int(self._data, start)[0]
        except StructError:
            raise self._short(4) from None
        if self._offsets and self._has_objects(start, 4):
            self._refuse_object()
        end = start + size
        if size >= 4 and not size & 3 and end <= len(self._data):
            self._pos = start + 4
            return end
        if size < 4 or size & 3 or end > INT32_MAX:
            raise self.error(Status.BAD_VALUE, f"a parcelable of {size} bytes")
        raise self._short(size)

    def leave_body(self, end: int) -> None:
        """Skips what a newer peer has put behind the fields that are known here."""
        # Going back instead would let a peer have the same bytes read over and over.
        if self._pos > end:
            raise self.error(Status.BAD_VALUE, f"a field extends beyond its parcelable's end at {end}")
        self._pos = end

    # --- interfaces and descriptors ---------------------------------------------------------------

    def write_interface(self, value: Interface | None) -> None:
        """Writes the binder behind an AIDL interface, or null."""
        if value is None:
            return self.write_strong_binder(None)
        as_binder = getattr(value, "as_binder", None)
        if as_binder is None:
            raise UsageError(f"{shown(value)} is no AIDL interface")
        self.write_strong_binder(as_binder())

    def read_interface(self, convert: Callable[[IBinder], T]) -> T | None:
        """Reads a binder as an AIDL interface, by its `from_binder`; None for null."""
        binder = self.read_strong_binder()
        return None if binder is None else convert(binder)

    def write_parcel_file_descriptor(self, fd: ParcelFileDescriptor | None) -> None:
        """Writes a nullable ParcelFileDescriptor, without the status pipe that Java can add."""
        if fd is None:
            return self._put(_ABSENT)
        self._put(_PRESENT + _ABSENT)
        self.write_file_descriptor(fd)

    def read_parcel_file_descriptor(self) -> ParcelFileDescriptor | None:
        """Reads a nullable ParcelFileDescriptor. It belongs to the caller."""
        if not self._is_present(self.read_int32()):
            return None
        has_status_pipe = self.read_int32()
        fd = self.read_file_descriptor()
        if has_status_pipe:
            with self.read_file_descriptor() as pipe:
                pipe.report_detached()
        return fd

    # --- interface tokens -------------------------------------------------------------------------

    def write_interface_token(self, descriptor: str) -> None:
        """The first thing in every request: which interface the caller thinks it is calling."""
        if not isinstance(descriptor, str):
            raise UsageError(f"{shown(descriptor)} is no interface's name")
        self._put(token_bytes(descriptor, self.header, self.api_level))

    def read_interface_token(self) -> InterfaceToken:
        """Reads a token, whatever it says."""
        return InterfaceToken.read_from(self)


def marked_bytes(value: Parcelable | None) -> bytes:
    """A parcelable as a parcel holds it, marker included. Raises `TypeError` where only `write_to` knows."""
    return _ABSENT if value is None else _PRESENT + value.pack_body()  # type: ignore[operator]


def sized_body(*parts: bytes) -> bytes:
    """A structured parcelable's body, its size word included, of its fields."""
    fields = b"".join(parts)
    return _pack_int(len(fields) + 4) + fields


def given(value: T | None, name: str) -> T:
    """`value`, which is about to be written. Raises `UsageError` naming it if it is None."""
    if value is None:
        raise NullValueError(f"{name} must not be None")
    return value


def exactly(values: Sized, count: int, name: str) -> Sized:
    """`values`, for a fixed-size array. Raises `UsageError` naming it if its size is another."""
    try:
        fits = values is not None and len(values) == count
    except TypeError:
        fits = False
    if not fits:
        raise UsageError(f"{name} must have exactly {count} elements: {shown(values)}")
    return values
