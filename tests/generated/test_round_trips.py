"""Whatever value a generated type can have, its bytes are read as that value again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from binder import OpenEnum, Parcel, Parcelable, ParcelError, PersistableBundle, Status

from .values import ENUMS, PARCELABLES, STRUCTURED, STUBS, UNIONS, bundles, required, values

few = settings(max_examples=15, deadline=None, derandomize=True, database=None)
every_parcelable = pytest.mark.parametrize("cls", [*PARCELABLES, PersistableBundle])


def strategy(cls: type[Parcelable]) -> st.SearchStrategy[Any]:
    return bundles() if cls is PersistableBundle else values(cls)


def test_there_is_something_to_try() -> None:
    assert {cls.__name__ for cls in PARCELABLES} >= {"WorkInfo", "NpuBufferGetRequest", "FileSegment"}
    assert {cls.__name__ for cls in UNIONS} >= {"Service"}
    assert {cls.__name__ for cls in STUBS} >= {"BnNpuManagerService", "BnScheduling"}


@every_parcelable
@few
@given(data=st.data(), level=st.integers(29, 37))
def test_a_value_is_read_as_it_was_written(cls: type[Parcelable], data: st.DataObject, level: int) -> None:
    value = data.draw(strategy(cls))
    parcel = Parcel(api_level=level)
    parcel.write_parcelable(value)
    assert len(parcel) % 4 == 0
    assert parcel.rewind().read_parcelable(cls) == value
    assert parcel.remaining == 0


@every_parcelable
@few
@given(data=st.data())
def test_what_was_read_is_written_as_the_same_bytes(cls: type[Parcelable], data: st.DataObject) -> None:
    value = data.draw(strategy(cls))
    one, other = Parcel(), Parcel()
    one.write_parcelable(value)
    other.write_parcelable(one.rewind().read_parcelable(cls))
    assert bytes(one) == bytes(other)


@every_parcelable
@few
@given(data=st.data())
def test_arrays_and_nulls_are_read_as_they_were_written(cls: type[Parcelable], data: st.DataObject) -> None:
    items = data.draw(st.lists(st.none() | strategy(cls), max_size=3))
    parcel = Parcel()
    parcel.write_nullable_array(items, parcel.write_parcelable)
    assert parcel.rewind().read_nullable_array(lambda: parcel.read_parcelable(cls)) == items
    assert parcel.remaining == 0


@pytest.mark.parametrize("cls", STRUCTURED)
@few
@given(data=st.data(), extra=st.binary(max_size=5).map(lambda b: b * 4))
def test_fields_of_a_newer_peer_are_skipped(cls: type[Parcelable], data: st.DataObject, extra: bytes) -> None:
    value = data.draw(values(cls))
    parcel = Parcel()
    parcel.write_int32(0)
    value.write_to(parcel)
    body = bytes(parcel)[4:]
    newer = bytearray(body + extra)
    newer[:4] = len(newer).to_bytes(4, "little")
    moved = Parcel.from_bytes(
        bytes(newer) + b"\x07\0\0\0",
        (offset - 4 for offset in parcel.offsets),
        objects={
            offset - 4: thing for offset in parcel.offsets if (thing := parcel.object_at(offset)) is not None
        },
    )
    assert cls.read_from(moved) == value
    assert moved.read_int32() == 7


@pytest.mark.parametrize("cls", STRUCTURED)
def test_an_older_peers_empty_body_is_all_defaults_or_lacks_what_has_none(cls: type[Parcelable]) -> None:
    parcel = Parcel.from_bytes(b"\4\0\0\0")
    if required(cls):
        with pytest.raises(ParcelError) as caught:
            cls.read_from(parcel)
        assert caught.value.status is Status.UNEXPECTED_NULL
    else:
        assert cls.read_from(parcel) == cls()


@pytest.mark.parametrize("cls", ENUMS)
@few
@given(number=st.integers(-128, 127))
def test_every_number_is_a_value_of_an_enum(cls: type[OpenEnum], number: int) -> None:
    assert cls(number) == number
    assert isinstance(cls(number), cls)
