"""The parcel: plain values, parcelables, and objects at known offsets.

Binders and file descriptors are 24 bytes like any others, but their offsets are listed beside the
bytes, because whoever carries a parcel to another process has to translate them.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from .buffer import Buffer
from .errors import UsageError
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
from .protocol import LATEST_API_LEVEL, Stability, Status, TokenHeader
from .token import InterfaceToken
from .values import Parcelable

if TYPE_CHECKING:
    from .ibinder import IBinder
    from .interface import Interface

T = TypeVar("T")
P = TypeVar("P", bound=Parcelable)
Sized = TypeVar("Sized", bound=Sequence[Any] | bytes | None)

INT32_MAX = 2**31 - 1
# Recursive types let a small parcel nest deeply; no honest one comes near this.
MAX_DEPTH = 100


class ObjectResolver(Protocol):
    """Knows what the objects in a received parcel stand for: the receiving process."""

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> IBinder:
        """The binder for a BINDER or HANDLE object. Raises `ParcelError` for one it cannot have."""

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        """An object for a descriptor that has arrived; it belongs to whoever reads it."""


class Parcel(Buffer):
    """Values as bytes.

    Args:
        api_level: whose wire variant to speak, 29 to 37.
        header: what interface tokens say wrote them.
    """

    __slots__ = ("_depth", "_objects", "_resolver", "header")

    def __init__(
        self, *, api_level: int = LATEST_API_LEVEL, header: TokenHeader = TokenHeader.SYSTEM
    ) -> None:
        super().__init__(api_level=api_level)
        self.header = header
        self._depth = 0
        # What was written or read at an offset: keeps it alive for as long as the bytes name it.
        self._objects: dict[int, IBinder | ParcelFileDescriptor] = {}
        self._resolver: ObjectResolver | None = None

    @classmethod
    def from_bytes(
        cls,
        data: bytes | bytearray,
        offsets: Iterable[int] = (),
        *,
        resolver: ObjectResolver | None = None,
        api_level: int = LATEST_API_LEVEL,
    ) -> Self:
        """A parcel to read: `data`, with objects at `offsets` that `resolver` understands."""
        parcel = cls(api_level=api_level)
        parcel._data = bytearray(data)
        parcel._offsets = sorted(offsets)
        parcel._resolver = resolver
        return parcel

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

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
        if self._offsets and self._resolver is not None:
            for offset in self._offsets:
                kind, _, value, _ = FLAT_OBJECT.unpack_from(self._data, offset)
                if kind == ObjectType.FD and offset not in self._objects:
                    self._resolver.resolve_fd(value & 0xFFFFFFFF).close()
        self._offsets = []
        self._objects = {}

    # --- arrays of anything ---------------------------------------------------------------------

    def write_array(self, values: Sequence[T], write: Callable[[T], None]) -> None:
        """An array, each element by `write`. Raises `UsageError` if one of them is None."""
        if values is None or any(value is None for value in values):
            raise UsageError(f"null in an array that must not have any: {values!r}")
        self.write_nullable_array(values, write)

    def write_nullable_array(self, values: Sequence[T] | None, write: Callable[[T], None]) -> None:
        """An array that may be null and whose elements may be, each element by `write`."""
        if values is None:
            return self.write_int32(-1)
        self.write_int32(len(values))
        for value in values:
            write(value)

    def read_array(self, read: Callable[[], T | None]) -> list[T]:
        """An array, each element by `read`. Neither it nor an element may be null."""
        count = self.non_null(self._read_count())
        return [self.non_null(read()) for _ in range(count)]

    def read_nullable_array(self, read: Callable[[], T]) -> list[T] | None:
        """An array that may be null, each element by `read`."""
        count = self._read_count()
        return None if count is None else [read() for _ in range(count)]

    def sized(self, values: Sized, count: int) -> Sized:
        """`values`, a fixed-size array just read. Raises BAD_VALUE if it has another size; None passes."""
        if values is not None and len(values) != count:
            raise self.error(Status.BAD_VALUE, f"{len(values)} elements in an array of {count}")
        return values

    # --- parcelables ----------------------------------------------------------------------------

    def write_parcelable(self, value: Parcelable | None) -> None:
        """The marker, and the body unless `value` is None."""
        if value is None:
            return self._put(b"\0\0\0\0")
        self._put(b"\1\0\0\0")
        value.write_to(self)

    def read_parcelable(self, cls: type[P]) -> P | None:
        """Reads a parcelable of the given class; None for null."""
        marker = self.read_int32()
        if marker == 0:
            return None
        if marker != 1:
            self._pos -= 4
            raise self.error(Status.BAD_VALUE, f"{marker} where 1 (a value) or 0 (null) is expected")
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise self.error(Status.BAD_VALUE, f"parcelables nested more than {MAX_DEPTH} deep")
            return cls.read_from(self)
        finally:
            self._depth -= 1

    def begin_body(self) -> int:
        """Starts a structured parcelable's body; give what comes back to `end_body`."""
        self._put(b"\0\0\0\0")
        return self._pos - 4

    def end_body(self, start: int) -> None:
        """Ends a body: fills in its size."""
        self.patch_int32(start, self._pos - start)

    def enter_body(self) -> int:
        """Reads a body's size. Returns where the body ends."""
        start = self._pos
        size = self.read_int32()
        end = start + size
        if size >= 4 and end <= len(self._data):
            return end
        self._pos = start
        if size < 4 or end > INT32_MAX:
            raise self.error(Status.BAD_VALUE, f"a parcelable of {size} bytes")
        raise self._short(size)

    def leave_body(self, end: int) -> None:
        """Skips what a newer peer has put behind the fields that are known here."""
        self._pos = end

    # --- objects --------------------------------------------------------------------------------

    def _put_object(self, kind: ObjectType, flags: int, value: int, cookie: int) -> int:
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
        else:
            flat = binder.flatten()
            flags = LOCAL_BINDER_FLAGS
            if flat.type == ObjectType.HANDLE:
                flags = HANDLE_FLAGS if self.api_level >= 33 else HANDLE_FLAGS_BEFORE_33
            offset = self._put_object(ObjectType(flat.type), flags, flat.value, flat.cookie)
            # Handle 0 is the same node in every process, so nobody needs to translate it.
            if flat.value:
                self._list_object(offset, binder)
            level = binder.stability
        if self.api_level >= 30:
            self.write_int32(encode_stability(level, self.api_level))

    def read_strong_binder(self) -> IBinder | None:
        """Reads a binder; None for null."""
        offset = self._pos
        kind, value, cookie, listed = self._read_object()
        level = Stability.SYSTEM
        if self.api_level >= 30:
            word = decode_stability(self.read_int32(), self.api_level)
            if word not in Stability.__members__.values():
                self._pos = offset
                raise self.error(Status.BAD_TYPE, f"a binder of unknown stability {word:#x}")
            level = Stability(word)
        is_null = kind == ObjectType.BINDER and value == 0 and cookie == 0
        wrong = ""
        if kind not in (ObjectType.BINDER, ObjectType.HANDLE):
            wrong = "a binder was wanted, but something else is there"
        elif not listed and (value or cookie):
            wrong = "a binder is not in the list of objects"
        elif self.api_level >= 30 and is_null != (level is Stability.UNDECLARED):
            wrong = f"a {'null' if is_null else 'non-null'} binder of stability {level.name}"
        if wrong:
            self._pos = offset
            raise self.error(Status.BAD_TYPE, wrong)
        if is_null:
            return None
        known = self._objects.get(offset)
        if known is None:
            if self._resolver is None:
                self._pos = offset
                raise self.error(Status.BAD_TYPE, "a binder, but no process to know it")
            known = self._objects[offset] = self._resolver.resolve_binder(
                FlatObject(kind, value, cookie), level
            )
        if isinstance(known, ParcelFileDescriptor):
            raise self.error(Status.BAD_TYPE, "a file descriptor where a binder was wanted")
        return known

    def _read_object(self) -> tuple[int, int, int, bool]:
        offset = self._pos
        if self.remaining < FLAT_OBJECT_SIZE:
            raise self._short(FLAT_OBJECT_SIZE)
        kind, _, value, cookie = FLAT_OBJECT.unpack_from(self._data, offset)
        index = bisect_right(self._offsets, offset) - 1
        listed = index >= 0 and self._offsets[index] == offset
        if not listed:
            self._refuse_objects(offset, FLAT_OBJECT_SIZE)
        self._pos = offset + FLAT_OBJECT_SIZE
        return kind, value, cookie, listed

    def write_interface(self, value: Interface | None) -> None:
        """Writes the binder behind an AIDL interface, or null."""
        self.write_strong_binder(None if value is None else value.as_binder())

    def read_interface(self, convert: Callable[[IBinder], T]) -> T | None:
        """Reads a binder as an AIDL interface, by its `from_binder`; None for null."""
        binder = self.read_strong_binder()
        return None if binder is None else convert(binder)

    def write_file_descriptor(self, fd: ParcelFileDescriptor) -> None:
        """Writes a bare file descriptor, which must stay open until the parcel has been sent."""
        offset = self._put_object(ObjectType.FD, 0, fd.fileno(), 0)
        self._list_object(offset, fd)

    def read_file_descriptor(self) -> ParcelFileDescriptor:
        """Reads a bare file descriptor. It belongs to the caller, who should close it."""
        offset = self._pos
        kind, value, _, listed = self._read_object()
        if kind != ObjectType.FD or not listed:
            self._pos = offset
            raise self.error(Status.BAD_TYPE, "a file descriptor was wanted, but something else is there")
        if self._resolver is None:
            known = self._objects.get(offset)
            if isinstance(known, ParcelFileDescriptor):
                return known
            return ParcelFileDescriptor(value & 0xFFFFFFFF, owned=False)
        if offset in self._objects:
            self._pos = offset
            raise self.error(Status.INVALID_OPERATION, "this file descriptor was taken before")
        fd = self._resolver.resolve_fd(value & 0xFFFFFFFF)
        self._objects[offset] = fd
        return fd

    def write_parcel_file_descriptor(self, fd: ParcelFileDescriptor | None) -> None:
        """Writes a nullable ParcelFileDescriptor, without the status pipe that Java can add."""
        if fd is None:
            return self._put(b"\0\0\0\0")
        self._put(b"\1\0\0\0\0\0\0\0")
        self.write_file_descriptor(fd)

    def read_parcel_file_descriptor(self) -> ParcelFileDescriptor | None:
        """Reads a nullable ParcelFileDescriptor. It belongs to the caller."""
        if self.read_int32() == 0:
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
        InterfaceToken(descriptor, header=self.header).write_to(self)

    def read_interface_token(self) -> InterfaceToken:
        """Reads a token, whatever it says."""
        return InterfaceToken.read_from(self)


def given(value: T | None, name: str) -> T:
    """`value`, which is about to be written. Raises `UsageError` naming it if it is None."""
    if value is None:
        raise UsageError(f"{name} must not be None")
    return value


def exactly(values: Sized, count: int, name: str) -> Sized:
    """`values`, for a fixed-size array. Raises `UsageError` naming it if its size is another."""
    if values is None or len(values) != count:
        found = "None" if values is None else f"{len(values)} elements"
        raise UsageError(f"{name} must have exactly {count} elements, not {found}")
    return values
