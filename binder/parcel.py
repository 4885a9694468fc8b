"""The parcel: plain values, parcelables, and objects at known offsets.

Binders and file descriptors are 24 bytes like any others, but their offsets are listed beside the
bytes, because whoever carries a parcel to another process has to translate them.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from struct import Struct
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from .buffer import Buffer
from .errors import NullValueError, ParcelError, UsageError, shown
from .fds import ParcelFileDescriptor
from .flat import (
    FLAT_OBJECT,
    FLAT_OBJECT_SIZE,
    HANDLE_FLAGS,
    HANDLE_FLAGS_BEFORE_33,
    LOCAL_BINDER_FLAGS,
    FlatObject,
    ObjectType,
    decode_stability,
    encode_stability,
)
from .ibinder import IBinder
from .protocol import LATEST_API_LEVEL, Stability, Status, TokenHeader
from .token import InterfaceToken
from .values import Parcelable

if TYPE_CHECKING:
    from .interface import Interface

T = TypeVar("T")
P = TypeVar("P", bound=Parcelable)
Sized = TypeVar("Sized", bound=Sequence[Any] | bytes | None)

INT32_MAX = 2**31 - 1
# Recursive types let a small parcel nest deeply; no honest one comes near this.
MAX_DEPTH = 100

_put_int = Struct("<i").pack_into
_PRESENT = b"\1\0\0\0"
_ABSENT = b"\0\0\0\0"


class ObjectResolver(Protocol):
    """Knows what the objects in a received parcel stand for: the receiving process."""

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> IBinder:
        """The binder for a BINDER or HANDLE object. Raises `ParcelError` for one it cannot have."""

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        """Takes over a descriptor that has arrived."""


class Parcel(Buffer):
    """Values as bytes.

    Args:
        api_level: whose wire variant to speak, 29 to 37.
        header: what interface tokens say wrote them.
    """

    __slots__ = ("_arrived", "_depth", "_objects", "_resolver", "header")

    def __init__(
        self, *, api_level: int = LATEST_API_LEVEL, header: TokenHeader = TokenHeader.SYSTEM
    ) -> None:
        super().__init__(api_level=api_level)
        self.header = header
        self._depth = 0
        # What was written or read at an offset: keeps it alive for as long as the bytes name it.
        self._objects: dict[int, IBinder | ParcelFileDescriptor] = {}
        # Descriptors that came with the bytes and that nobody has read yet.
        self._arrived: dict[int, ParcelFileDescriptor] = {}
        self._resolver: ObjectResolver | None = None

    @classmethod
    def from_bytes(
        cls,
        data: bytes | bytearray,
        offsets: Iterable[int] = (),
        *,
        resolver: ObjectResolver | None = None,
        objects: Mapping[int, IBinder | ParcelFileDescriptor] | None = None,
        api_level: int = LATEST_API_LEVEL,
    ) -> Self:
        """A parcel to read.

        Args:
            data: its bytes.
            offsets: where the objects in it are.
            resolver: knows what they stand for, and takes over the descriptors among them.
            objects: those, by offset, that the resolver need not be asked about.
            api_level: whose wire variant the bytes are in.

        Raises:
            ParcelError: the offsets cannot be right.
        """
        parcel = cls(api_level=api_level)
        parcel._data = bytearray(data)
        parcel._resolver = resolver
        for offset in sorted(offsets):
            parcel._accept_object(offset, (objects or {}).get(offset))
        return parcel

    def _accept_object(self, offset: int, thing: IBinder | ParcelFileDescriptor | None) -> None:
        after = self._offsets[-1] + FLAT_OBJECT_SIZE if self._offsets else 0
        if not after <= offset <= len(self._data) - FLAT_OBJECT_SIZE or offset & 3:
            raise ParcelError(Status.BAD_VALUE, "there can be no object here", offset=offset)
        self._offsets.append(offset)
        if isinstance(thing, ParcelFileDescriptor):
            self._arrived[offset] = thing
        elif thing is not None:
            self._objects[offset] = thing
        elif self._resolver is not None:
            kind, _, value, _ = FLAT_OBJECT.unpack_from(self._data, offset)
            if kind == ObjectType.FD:
                # At once, not when it is read: from here on it cannot be lost, whatever happens.
                self._arrived[offset] = self._resolver.resolve_fd(value & 0xFFFFFFFF)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.release()
        else:
            self.discard()

    def object_at(self, offset: int) -> IBinder | ParcelFileDescriptor | None:
        """What was written, or already read, at an offset."""
        return self._objects.get(offset)

    def patch_object(
        self, offset: int, flat: FlatObject, flags: int, *, holds: IBinder | None = None
    ) -> None:
        """For drivers: translates the object at an offset. `holds` lives on until it is read."""
        FLAT_OBJECT.pack_into(self._data, offset, flat.type, flags, flat.value, flat.cookie)
        if holds is not None:
            self._objects[offset] = holds

    def release(self) -> None:
        """Closes the descriptors that arrived in this parcel and that nobody read."""
        for fd in self._arrived.values():
            fd.close()
        self._arrived = {}
        self._offsets = []
        self._objects = {}

    def discard(self) -> None:
        """Closes all descriptors that arrived, for a reader who came to grief halfway."""
        if self._resolver is not None:
            for thing in self._objects.values():
                if isinstance(thing, ParcelFileDescriptor):
                    thing.close()
        self.release()

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
        if values is None or None in values.values():
            raise NullValueError(f"null in a map that must not have any: {shown(values)}")
        self.write_nullable_map(values, write)

    def write_nullable_map(self, values: Mapping[str, T] | None, write: Callable[[T], None]) -> None:
        """A map that may be null and whose values may be, each value by `write`."""
        if values is None:
            return self.write_int32(-1)
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

    # --- parts ----------------------------------------------------------------------------------

    def take(self, size: int) -> Parcel:
        """Reads `size` bytes as they are. The objects in them move to the parcel that comes back."""
        start, end = self._pos, self._pos + size
        if size > self.remaining:
            raise self._short(size)
        part = Parcel(api_level=self.api_level, header=self.header)
        part._data = self._data[start:end]
        part._resolver = self._resolver
        for offset in self._offsets:
            if offset + FLAT_OBJECT_SIZE <= start or offset >= end:
                continue
            if offset < start or offset + FLAT_OBJECT_SIZE > end:
                raise self.error(Status.PERMISSION_DENIED, "part of an object")
            part._offsets.append(offset - start)
            if offset in self._objects:
                part._objects[offset - start] = self._objects[offset]
            if offset in self._arrived:
                part._arrived[offset - start] = self._arrived.pop(offset)
        self._pos = end
        return part

    def append(self, part: Parcel) -> None:
        """Writes all bytes of another parcel, which must live until this one has been sent."""
        start = self._pos
        self._put(bytes(part))
        for offset in part._offsets:
            thing = part._objects.get(offset) or part._arrived.get(offset)
            if thing is not None:
                self._list_object(start + offset, thing)

    # --- parcelables ----------------------------------------------------------------------------

    def write_parcelable(self, value: Parcelable | None) -> None:
        """The marker, and the body unless `value` is None."""
        if value is None:
            return self._put(_ABSENT)
        try:
            # Asked for by name: isinstance is slow for an abstract class, and this is called a lot.
            write_to = value.write_to
        except AttributeError:
            raise UsageError(f"{shown(value)} is no parcelable") from None
        data, pos = self._data, self._pos
        if pos == len(data):
            data += _PRESENT
        else:
            self._overwrite(pos, _PRESENT)
        self._pos = pos + 4
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise UsageError(f"a {type(value).__name__} nested more than {MAX_DEPTH} deep")
            write_to(self)
        finally:
            self._depth -= 1

    def read_parcelable(self, cls: type[P]) -> P | None:
        """Reads a parcelable of the given class; None for null."""
        marker = self.read_int32()
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
        size = self.read_int32()
        end = start + size
        if size >= 4 and not size & 3 and end <= len(self._data):
            return end
        self._pos = start
        if size < 4 or size & 3 or end > INT32_MAX:
            raise self.error(Status.BAD_VALUE, f"a parcelable of {size} bytes")
        raise self._short(size)

    def leave_body(self, end: int) -> None:
        """Skips what a newer peer has put behind the fields that are known here."""
        # Going back instead would let a peer have the same bytes read over and over.
        if self._pos > end:
            raise self.error(Status.BAD_VALUE, f"a field extends beyond its parcelable's end at {end}")
        self._pos = end

    # --- objects --------------------------------------------------------------------------------

    def _put_object(self, kind: int, flags: int, value: int, cookie: int) -> int:
        offset = self._pos
        self._put(FLAT_OBJECT.pack(kind, flags, value, cookie))
        return offset

    def _list_object(self, offset: int, thing: IBinder | ParcelFileDescriptor) -> None:
        insort(self._offsets, offset)
        self._objects[offset] = thing

    def write_strong_binder(self, binder: IBinder | None) -> None:
        """Writes a binder, or null."""
        if binder is None:
            self._put_object(ObjectType.BINDER, 0, 0, 0)
            level = Stability.UNDECLARED
        elif isinstance(binder, IBinder):
            flat = binder.flatten()
            flags = LOCAL_BINDER_FLAGS
            if flat.type == ObjectType.HANDLE:
                flags = HANDLE_FLAGS if self.api_level >= 33 else HANDLE_FLAGS_BEFORE_33
            offset = self._put_object(flat.type, flags, flat.value, flat.cookie)
            # Handle 0 is the same node in every process, so nobody needs to translate it.
            if flat.value:
                self._list_object(offset, binder)
            level = binder.stability
        else:
            raise UsageError(f"{shown(binder)} is no binder")
        if self.api_level >= 30:
            self.write_int32(encode_stability(level, self.api_level))

    def read_strong_binder(self) -> IBinder | None:
        """Reads a binder; None for null."""
        offset = self._pos
        try:
            return self._read_binder(offset)
        except ParcelError:
            self._pos = offset
            raise

    def _read_binder(self, offset: int) -> IBinder | None:
        kind, value, cookie, listed = self._read_object()
        level = self._read_stability()
        is_null = kind == ObjectType.BINDER and value == 0 and cookie == 0
        if kind not in (ObjectType.BINDER, ObjectType.HANDLE):
            raise self._bad_object(offset, "a binder was wanted, but something else is there")
        if not listed and (value or cookie):
            raise self._bad_object(offset, "a binder is not in the list of objects")
        if level is not None and is_null != (level is Stability.UNDECLARED):
            what = "null" if is_null else "non-null"
            raise self._bad_object(offset, f"a {what} binder of stability {level.name}")
        if is_null:
            return None
        known = self._objects.get(offset)
        if known is None:
            known = self._resolve(offset, FlatObject(kind, value, cookie), level)
        if not isinstance(known, IBinder):
            raise self._bad_object(offset, "a file descriptor where a binder was wanted")
        if self._resolver is not None and level is not None and level != known.stability:
            raise self._bad_object(offset, f"{known!r} arrived with another stability, {level.name}")
        return known

    def _read_stability(self) -> Stability | None:
        if self.api_level < 30:
            return None
        word = decode_stability(self.read_int32(), self.api_level)
        try:
            return Stability(word)
        except ValueError:
            raise self._bad_object(self._pos - 4, f"a binder of unknown stability {word:#x}") from None

    def _resolve(self, offset: int, flat: FlatObject, level: Stability | None) -> IBinder:
        if self._resolver is None:
            raise self._bad_object(offset, "a binder, but no process to know it")
        try:
            binder = self._resolver.resolve_binder(flat, Stability.SYSTEM if level is None else level)
        except ParcelError as error:
            error.offset = offset
            raise
        self._objects[offset] = binder
        return binder

    def _bad_object(self, offset: int, message: str) -> ParcelError:
        return ParcelError(Status.BAD_TYPE, message, offset=offset)

    def _read_object(self) -> tuple[int, int, int, bool]:
        offset = self._pos
        if self.remaining < FLAT_OBJECT_SIZE:
            raise self._short(FLAT_OBJECT_SIZE)
        kind, _, value, cookie = FLAT_OBJECT.unpack_from(self._data, offset)
        index = bisect_right(self._offsets, offset) - 1
        listed = index >= 0 and self._offsets[index] == offset
        if not listed and self._has_objects(offset, FLAT_OBJECT_SIZE):
            self._refuse_object()
        self._pos = offset + FLAT_OBJECT_SIZE
        return kind, value, cookie, listed

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

    def write_file_descriptor(self, fd: ParcelFileDescriptor) -> None:
        """Writes a bare file descriptor, which must stay open until the parcel has been sent."""
        if not isinstance(fd, ParcelFileDescriptor):
            raise UsageError(f"{shown(fd)} is no ParcelFileDescriptor")
        offset = self._put_object(ObjectType.FD, 0, fd.fileno(), 0)
        self._list_object(offset, fd)

    def read_file_descriptor(self) -> ParcelFileDescriptor:
        """Reads a bare file descriptor. It belongs to the caller, who should close it."""
        offset = self._pos
        kind, value, _, listed = self._read_object()
        if kind != ObjectType.FD or not listed:
            self._pos = offset
            raise self._bad_object(offset, "a file descriptor was wanted, but something else is there")
        arrived = self._arrived.pop(offset, None)
        if arrived is not None:
            self._objects[offset] = arrived
            return arrived
        if self._resolver is not None:
            self._pos = offset
            raise self.error(Status.INVALID_OPERATION, "this file descriptor was taken before")
        # Not a parcel that came from anywhere: whoever wrote it still has its descriptors.
        written = self._objects.get(offset)
        if isinstance(written, ParcelFileDescriptor):
            return written
        return ParcelFileDescriptor(value & 0xFFFFFFFF, owned=False)

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
        InterfaceToken(given(descriptor, "descriptor"), header=self.header).write_to(self)

    def read_interface_token(self) -> InterfaceToken:
        """Reads a token, whatever it says."""
        return InterfaceToken.read_from(self)


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
