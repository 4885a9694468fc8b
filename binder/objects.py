"""Objects in a buffer: binders and file descriptors at known offsets.

They are 24 bytes like any others, but their offsets are listed beside the bytes, because whoever
carries a parcel to another process has to translate them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from struct import Struct
from types import TracebackType
from typing import Protocol, Self

from .buffer import Buffer
from .errors import ParcelError, UsageError, shown
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

# Numbers and functions bound once: an enum's members take a while to look up.
_BINDER, _HANDLE = int(ObjectType.BINDER), int(ObjectType.HANDLE)
_pack_int = Struct("<i").pack


class ObjectResolver(Protocol):
    """Knows what the objects in a received parcel stand for: the receiving process."""

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> IBinder:
        """The binder for a BINDER or HANDLE object. Raises `ParcelError` for one it cannot have."""

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        """Takes over a descriptor that has arrived."""


class ObjectBuffer(Buffer):
    """Bytes with a position, and objects at some offsets. What a parcel is before AIDL's types.

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
        # How deep the value that is being read or written is nested in others.
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

    def take(self, size: int) -> Self:
        """Reads `size` bytes as they are. The objects in them move to the parcel that comes back."""
        start, end = self._pos, self._pos + size
        if size < 0 or size & 3:
            raise self.error(Status.BAD_VALUE, f"a part of {size} bytes")
        if size > self.remaining:
            raise self._short(size)
        first = bisect_right(self._offsets, start - FLAT_OBJECT_SIZE)
        inside = self._offsets[first : bisect_left(self._offsets, end)]
        if inside and (inside[0] < start or inside[-1] + FLAT_OBJECT_SIZE > end):
            raise self.error(Status.PERMISSION_DENIED, "part of an object")
        part = type(self)(api_level=self.api_level, header=self.header)
        part._data = self._data[start:end]
        part._resolver = self._resolver
        for offset in inside:
            part._offsets.append(offset - start)
            if offset in self._objects:
                part._objects[offset - start] = self._objects[offset]
            if offset in self._arrived:
                part._arrived[offset - start] = self._arrived.pop(offset)
        self._pos = end
        return part

    def append(self, part: ObjectBuffer) -> None:
        """Writes all bytes of another parcel, which must live until this one has been sent."""
        start = self._pos
        things = [(offset, part._thing_at(offset)) for offset in part._offsets]
        self._put(bytes(part))
        for offset, thing in things:
            self._list_object(start + offset, thing)

    def _thing_at(self, offset: int) -> IBinder | ParcelFileDescriptor:
        thing = self._objects.get(offset, self._arrived.get(offset))
        if thing is None:
            kind, _, value, cookie = FLAT_OBJECT.unpack_from(self._data, offset)
            thing = self._resolve(offset, FlatObject(kind, value, cookie), None)
        return thing

    # --- objects --------------------------------------------------------------------------------

    def _put_object(self, kind: int, flags: int, value: int, cookie: int) -> int:
        offset = self._pos
        self._put(FLAT_OBJECT.pack(kind, flags, value, cookie))
        return offset

    def _list_object(self, offset: int, thing: IBinder | ParcelFileDescriptor) -> None:
        offsets = self._offsets
        if not offsets or offsets[-1] < offset:
            offsets.append(offset)
        else:
            insort(offsets, offset)
        self._objects[offset] = thing

    def write_strong_binder(self, binder: IBinder | None) -> None:
        """Writes a binder, or null."""
        kind, value, cookie, flags, level = _BINDER, 0, 0, 0, Stability.UNDECLARED
        if binder is not None:
            # Asked for by name: isinstance is slow for an abstract class.
            flatten = getattr(binder, "flatten", None)
            if flatten is None:
                raise UsageError(f"{shown(binder)} is no binder")
            kind, value, cookie = flatten()
            flags = LOCAL_BINDER_FLAGS
            if kind == _HANDLE:
                flags = HANDLE_FLAGS if self.api_level >= 33 else HANDLE_FLAGS_BEFORE_33
            level = binder.stability
        chunk = FLAT_OBJECT.pack(kind, flags, value, cookie)
        if self.api_level >= 30:
            chunk += _pack_int(encode_stability(level, self.api_level))
        offset = self._pos
        self._put(chunk)
        # Handle 0 is the same node in every process, so nobody needs to translate it.
        if value and binder is not None:
            self._list_object(offset, binder)

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

    def replace_binder(self, offset: int, binder: IBinder) -> None:
        """Has whoever reads the object at an offset find this one, which must stand for the same."""
        self._objects[offset] = binder

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
