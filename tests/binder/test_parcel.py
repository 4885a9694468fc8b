"""Parcelables and objects in parcels."""

from __future__ import annotations

from typing import Any, Self

import pytest

from binder import (
    Binder,
    Parcel,
    Parcelable,
    ParcelFileDescriptor,
    Stability,
    Status,
    StatusError,
    UsageError,
)
from binder.flat import FLAT_OBJECT, FlatObject, ObjectType
from binder.parcel import MAX_DEPTH
from binder.token import enforce_interface
from generated.android.hardware.npu import Uuid, WorkInfo
from generated.android.npumanager import ModelLoadRequestParcelable, NpuBufferGetRequest

from .parcels import INT32_MAX, ints, status_of
from .vectors import KnownObjects

# --- parcelables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 0, -1, -(2**31), 7, 17, INT32_MAX, INT32_MAX - 3])
def test_impossible_size_word_is_refused(size: int) -> None:
    parcel = ints(1, size, 54, 1, 0)
    assert status_of(lambda: parcel.read_parcelable(ModelLoadRequestParcelable)) is Status.BAD_VALUE


def test_size_word_beyond_the_parcel_is_not_enough_data() -> None:
    parcel = ints(1, 20, 54, 1, 0)
    assert status_of(lambda: parcel.read_parcelable(ModelLoadRequestParcelable)) is Status.NOT_ENOUGH_DATA


def test_fields_that_an_older_peer_lacks_get_their_defaults() -> None:
    assert ints(1, 8, 54).read_parcelable(ModelLoadRequestParcelable) == ModelLoadRequestParcelable(54)
    assert ints(1, 4).read_parcelable(NpuBufferGetRequest) == NpuBufferGetRequest()


def test_fields_of_a_newer_peer_are_skipped() -> None:
    parcel = ints(1, 24, 54, 1, 1000, 99, 98, 77)
    assert parcel.read_parcelable(ModelLoadRequestParcelable) == ModelLoadRequestParcelable(54, 1, 1000)  # type: ignore[arg-type]
    assert parcel.read_int32() == 77


def test_a_field_that_extends_beyond_its_parcelable_is_refused() -> None:
    """Otherwise each of many small parcelables could claim the rest of the parcel."""
    data = Parcel()
    data.write_int32(1)
    data.write_int32(16)  # ends after groupId's marker and size
    data.write_int32(1)
    data.write_parcelable(Uuid())
    for _ in range(10):
        data.write_int32(0)
    assert status_of(lambda: data.rewind().read_parcelable(WorkInfo)) is Status.BAD_VALUE


def test_a_marker_that_is_neither_null_nor_present_is_refused() -> None:
    parcel = ints(2, 4)
    assert status_of(lambda: parcel.read_parcelable(ModelLoadRequestParcelable)) is Status.BAD_VALUE
    assert parcel.position == 0


def test_a_null_in_a_nullable_field_is_none() -> None:
    parcel = Parcel()
    parcel.write_parcelable(WorkInfo(groupId=None, debugFeatureId=None))
    assert parcel.rewind().read_parcelable(WorkInfo) == WorkInfo()


def test_empty_parcelables_are_a_size_word_each() -> None:
    class Empty(Parcelable):
        def write_to(self, parcel: Parcel) -> None:
            parcel.end_body(parcel.begin_body())

        @classmethod
        def read_from(cls, parcel: Parcel) -> Self:
            parcel.leave_body(parcel.enter_body())
            return cls()

    parcel = Parcel()
    parcel.write_parcelable(Empty())
    parcel.write_parcelable(Empty())
    assert bytes(parcel).hex(" ", 4) == "01000000 04000000 01000000 04000000"
    parcel.rewind()
    assert parcel.read_parcelable(Empty)
    assert parcel.read_parcelable(Empty)
    assert parcel.remaining == 0


class Chain(Parcelable):
    """A parcelable that can contain itself."""

    def __init__(self, inner: Chain | None = None) -> None:
        self.inner = inner

    def write_to(self, parcel: Parcel) -> None:
        start = parcel.begin_body()
        parcel.write_parcelable(self.inner)
        parcel.end_body(start)

    @classmethod
    def read_from(cls, parcel: Parcel) -> Self:
        end = parcel.enter_body()
        inner = parcel.read_parcelable(Chain)
        parcel.leave_body(end)
        return cls(inner)


def chain(length: int) -> Chain:
    first = Chain()
    for _ in range(length - 1):
        first = Chain(first)
    return first


def test_nesting_up_to_the_limit_works_both_ways() -> None:
    parcel = Parcel()
    parcel.write_parcelable(chain(MAX_DEPTH))
    assert parcel.rewind().read_parcelable(Chain)


def test_writing_deeper_than_that_is_a_usage_error() -> None:
    endless = Chain()
    endless.inner = endless
    for value in (chain(MAX_DEPTH + 1), endless):
        with pytest.raises(UsageError, match=f"Chain nested more than {MAX_DEPTH} deep"):
            Parcel().write_parcelable(value)


def test_reading_deeper_than_that_is_refused() -> None:
    depth = 5_000
    parcel = Parcel()
    for level in range(depth):
        parcel.write_int32(1)
        parcel.write_int32(8 * (depth - level) - 4 + 4)
    parcel.write_int32(0)
    assert status_of(lambda: parcel.rewind().read_parcelable(Chain)) is Status.BAD_VALUE


# --- objects --------------------------------------------------------------------------------------


def test_an_object_is_not_read_as_plain_data() -> None:
    parcel = Parcel()
    parcel.write_int32(1)
    parcel.write_strong_binder(Binder())
    parcel.rewind()
    assert parcel.read_int32() == 1
    for read in (parcel.read_int32, parcel.read_int64, parcel.read_double, parcel.read_string16):
        assert status_of(read) is Status.PERMISSION_DENIED
    parcel.rewind()
    assert status_of(parcel.read_int64) is Status.PERMISSION_DENIED


def test_an_object_cannot_be_overwritten() -> None:
    parcel = Parcel()
    parcel.write_int32(1)
    parcel.write_strong_binder(Binder())
    for position in (4, 24):
        parcel.position = position
        with pytest.raises(UsageError, match="in the middle of an object"):
            parcel.write_int32(5)
    with pytest.raises(UsageError, match="in the middle of an object"):
        parcel.patch_int32(8, 5)
    assert parcel.offsets == (4,)


def test_plain_data_is_not_read_as_an_object() -> None:
    plain = Parcel.from_bytes(FLAT_OBJECT.pack(ObjectType.BINDER, 0, 0x10, 0x10) + b"\x0c\0\0\0")
    assert status_of(plain.read_strong_binder) is Status.BAD_TYPE
    plain = Parcel.from_bytes(FLAT_OBJECT.pack(ObjectType.FD, 0, 1, 0))
    assert status_of(plain.read_file_descriptor) is Status.BAD_TYPE


def flat(kind: int, value: int, level: int, listed: bool = True) -> Parcel:
    data = FLAT_OBJECT.pack(kind, 0, value, 0) + level.to_bytes(4, "little")
    return Parcel.from_bytes(data, (0,) if listed else (), resolver=KnownObjects())


def test_only_binders_and_handles_are_read_as_binders() -> None:
    for kind in (ObjectType.WEAK_BINDER, ObjectType.WEAK_HANDLE, ObjectType.FD_ARRAY, ObjectType.POINTER, 7):
        assert status_of(flat(kind, 1, Stability.SYSTEM).read_strong_binder) is Status.BAD_TYPE


def test_null_must_have_no_stability_and_others_a_known_one() -> None:
    assert flat(ObjectType.BINDER, 0, Stability.UNDECLARED, listed=False).read_strong_binder() is None
    for level in (Stability.SYSTEM, Stability.VINTF):
        null = flat(ObjectType.BINDER, 0, level, listed=False)
        assert status_of(null.read_strong_binder) is Status.BAD_TYPE
    for word in (Stability.UNDECLARED, 0x01, 0x10, 0x0C000001):
        assert status_of(flat(ObjectType.HANDLE, 3, word).read_strong_binder) is Status.BAD_TYPE


def test_a_binder_seen_with_another_stability_is_refused() -> None:
    parcel = Parcel()
    parcel.write_strong_binder(binder := Binder())
    data = bytearray(bytes(parcel))
    data[24] = Stability.VINTF
    received = Parcel.from_bytes(data, (0,), resolver=KnownObjects(), objects={0: binder})
    assert status_of(received.read_strong_binder) is Status.BAD_TYPE


def test_a_binder_can_be_read_again() -> None:
    parcel = Parcel()
    parcel.write_strong_binder(binder := Binder())
    assert parcel.rewind().read_strong_binder() is binder
    assert parcel.rewind().read_strong_binder() is binder


def test_a_binder_whose_truth_is_false_is_no_null() -> None:
    class Collection(Binder):
        def __len__(self) -> int:
            return 0

    parcel = Parcel()
    parcel.write_strong_binder(empty := Collection())
    assert parcel.rewind().read_strong_binder() is empty


def test_handle_zero_is_not_listed() -> None:
    class Manager(Binder):
        def flatten(self) -> FlatObject:
            return FlatObject(ObjectType.HANDLE, 0, 0)

    parcel = Parcel()
    parcel.write_strong_binder(Manager())
    assert parcel.offsets == ()


def test_a_descriptor_where_a_binder_is_wanted_is_refused_and_back() -> None:
    with ParcelFileDescriptor.dup(0) as fd:
        parcel = Parcel()
        parcel.write_file_descriptor(fd)
        parcel.write_int32(Stability.SYSTEM)
        parcel.write_strong_binder(Binder())
        parcel.rewind()
        assert status_of(parcel.read_strong_binder) is Status.BAD_TYPE
        parcel.read_file_descriptor()
        parcel.read_int32()
        assert status_of(parcel.read_file_descriptor) is Status.BAD_TYPE


@pytest.mark.parametrize("offsets", [(-4,), (1,), (8,), (0, 20), (0, 0), (2**40,)])
def test_offsets_where_no_object_can_be_are_refused(offsets: tuple[int, ...]) -> None:
    assert status_of(lambda: Parcel.from_bytes(bytes(28), offsets)) is Status.BAD_VALUE


# --- maps -----------------------------------------------------------------------------------------


def test_a_map_is_a_count_and_pairs() -> None:
    parcel = Parcel()
    parcel.write_map({"a": 1, "": 2}, parcel.write_int32)
    assert bytes(parcel).hex(" ", 4) == "02000000 01000000 61000000 01000000 00000000 00000000 02000000"
    assert parcel.rewind().read_map(parcel.read_int32) == {"a": 1, "": 2}


def test_a_nullable_map_and_its_values_may_be_null() -> None:
    parcel = Parcel()
    parcel.write_nullable_map(None, parcel.write_string16)
    parcel.write_nullable_map({"a": None}, parcel.write_string16)
    parcel.rewind()
    assert parcel.read_nullable_map(parcel.read_string16) is None
    assert parcel.read_nullable_map(parcel.read_string16) == {"a": None}


@pytest.mark.parametrize("values", [None, {"a": None}, {None: "a"}, {5: "a"}, ["a"], 5])
def test_what_is_no_map_without_nulls_is_a_usage_error(values: Any) -> None:
    parcel = Parcel()
    with pytest.raises(UsageError):
        parcel.write_map(values, parcel.write_string16)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((-1,), Status.UNEXPECTED_NULL),
        ((1, -1, 0, 0), Status.UNEXPECTED_NULL),
        ((1, 0, 0, -1), Status.UNEXPECTED_NULL),
        ((INT32_MAX, 0, 0), Status.BAD_VALUE),
        ((-2, 0, 0), Status.BAD_VALUE),
        ((2, 0, 0, 0, 0), Status.NOT_ENOUGH_DATA),
    ],
)
def test_a_map_that_makes_no_sense_is_refused(words: tuple[int, ...], expected: Status) -> None:
    parcel = ints(*words)
    assert status_of(lambda: parcel.read_map(parcel.read_string16)) is expected


# --- in the middle --------------------------------------------------------------------------------


def test_an_object_is_not_read_as_a_marker_or_a_size() -> None:
    parcel = Parcel()
    parcel.write_strong_binder(Binder())
    for read in (
        lambda: parcel.rewind().read_parcelable(WorkInfo),
        lambda: WorkInfo.read_from(parcel.rewind()),
        lambda: parcel.rewind().read_nullable_array(parcel.read_string16),
    ):
        assert status_of(read) is Status.PERMISSION_DENIED


def test_an_object_is_not_read_as_a_token() -> None:
    parcel = Parcel()
    parcel.write_interface_token("a.b.IThing")
    with pytest.raises(StatusError, match="an object is there"):
        enforce_interface(Parcel.from_bytes(bytes(parcel), (8,)), "a.b.IThing")


def test_a_value_written_over_others_has_the_same_bytes() -> None:
    value = NpuBufferGetRequest(1, 2, size=3)
    fresh, used = Parcel(), Parcel.from_bytes(b"\xff" * 100)
    for parcel in (fresh, used):
        parcel.write_parcelable(value)
        parcel.write_parcelable(None)
    assert bytes(used) == bytes(fresh) + b"\xff" * (100 - len(fresh))


def test_a_null_interface_is_a_null_binder() -> None:
    one, other = Parcel(), Parcel()
    one.write_interface(None)
    other.write_strong_binder(None)
    assert bytes(one) == bytes(other)
    assert one.rewind().read_interface(lambda binder: binder) is None
