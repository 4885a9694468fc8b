"""ParcelableHolder: known and unknown contents, and contents that make no sense."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

import pytest

from binder import (
    Parcel,
    Parcelable,
    ParcelableHolder,
    ParcelableInfo,
    ParcelFileDescriptor,
    PersistableBundle,
    Stability,
    Status,
    UsageError,
    read_holder,
)

from .parcels import INT32_MAX, ints, status_of
from .services import open_files
from .vectors import KnownObjects


@dataclass
class P2(Parcelable):
    """`package h; parcelable P2 { int k; }`"""

    aidl: ClassVar[ParcelableInfo] = ParcelableInfo("h.P2")
    k: int = 0

    def write_to(self, parcel: Parcel) -> None:
        start = parcel.begin_body()
        parcel.write_int32(self.k)
        parcel.end_body(start)

    @classmethod
    def read_from(cls, parcel: Parcel) -> Self:
        end = parcel.enter_body()
        k = parcel.read_int32() if parcel.position < end else 0
        parcel.leave_body(end)
        return cls(k)


class Other(P2):
    aidl = ParcelableInfo("h.Other")


class Stable(P2):
    aidl = ParcelableInfo("h.Stable", Stability.VINTF)


@dataclass
class WithFile(Parcelable):
    """A parcelable with nothing but a descriptor."""

    aidl: ClassVar[ParcelableInfo] = ParcelableInfo("h.WithFile")
    file: ParcelFileDescriptor

    def write_to(self, parcel: Parcel) -> None:
        start = parcel.begin_body()
        parcel.write_parcel_file_descriptor(self.file)
        parcel.end_body(start)

    @classmethod
    def read_from(cls, parcel: Parcel) -> Self:
        end = parcel.enter_body()
        file = parcel.non_null(parcel.read_parcel_file_descriptor())
        parcel.leave_body(end)
        return cls(file)


def holding(value: Parcelable | None, stability: Stability = Stability.UNDECLARED) -> ParcelableHolder:
    holder = ParcelableHolder(stability)
    holder.set(value)
    return holder


def sent(holder: ParcelableHolder) -> Parcel:
    parcel = Parcel()
    parcel.write_parcelable(holder)
    return parcel.rewind()


def there_and_back(holder: ParcelableHolder) -> ParcelableHolder:
    return read_holder(sent(holder), holder.stability)


def test_golden_vector_23() -> None:
    parcel = sent(holding(P2(5)))
    assert bytes(parcel).hex(" ", 4) == (
        "01000000 00000000 18000000 04000000 68002e00 50003200 00000000 08000000 05000000"
    )
    assert read_holder(parcel, Stability.UNDECLARED).get(P2) == P2(5)
    assert parcel.remaining == 0


def test_what_it_holds_is_given_to_who_asks_for_that_type_only() -> None:
    for holder in (holding(P2(5)), there_and_back(holding(P2(5)))):
        assert holder.name == "h.P2"
        assert holder.get(Other) is None
        assert holder.get(P2) == P2(5)
        assert holder.get(P2) == P2(5)


def test_an_empty_one_has_no_name_and_no_bytes() -> None:
    holder = there_and_back(ParcelableHolder())
    assert (holder.name, holder.get(P2)) == ("", None)
    assert bytes(sent(holder)).hex(" ", 4) == "01000000 00000000 00000000"
    full = holding(P2(1))
    full.set(None)
    assert full == holder


def test_what_nobody_can_read_is_sent_on_as_it_came() -> None:
    once = there_and_back(holding(P2(5)))
    twice = there_and_back(once)
    assert twice.get(P2) == P2(5)
    assert once == twice == holding(P2(5)) != holding(P2(6))


def test_a_stable_holder_holds_stable_things_only() -> None:
    holder = holding(Stable(5), Stability.VINTF)
    assert there_and_back(holder).get(Stable) == Stable(5)
    with pytest.raises(UsageError, match=r"h\.P2 is not VINTF-stable"):
        holder.set(P2(5))


@pytest.mark.parametrize("stability", [Stability.SYSTEM, Stability.VENDOR])
def test_there_are_no_holders_of_other_stabilities(stability: Stability) -> None:
    with pytest.raises(UsageError, match=stability.name):
        ParcelableHolder(stability)


def test_a_holder_of_another_stability_than_its_parcelables_is_refused() -> None:
    parcel = sent(holding(P2(5)))
    assert status_of(lambda: read_holder(parcel, Stability.VINTF)) is Status.BAD_VALUE


def test_only_what_has_an_aidl_name_can_be_held() -> None:
    with pytest.raises(UsageError, match="has no AIDL name"):
        ParcelableHolder().set(PersistableBundle())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((0,), Status.UNEXPECTED_NULL),
        ((1, 2, 0), Status.BAD_VALUE),
        ((1, 0, -1), Status.BAD_VALUE),
        ((1, 0, 6, 0, 0), Status.BAD_VALUE),
        ((1, 0, 12, 0, 0), Status.NOT_ENOUGH_DATA),
        ((1, 0, INT32_MAX - 3, 0, 0), Status.NOT_ENOUGH_DATA),
        ((1, 0, 4, -1), Status.UNEXPECTED_NULL),
        ((1, 0, 4, 5), Status.NOT_ENOUGH_DATA),
    ],
)
def test_a_holder_that_makes_no_sense_is_refused(words: tuple[int, ...], expected: Status) -> None:
    assert status_of(lambda: read_holder(ints(*words), Stability.UNDECLARED)) is expected


def test_contents_that_make_no_sense_are_refused_when_asked_for() -> None:
    parcel = sent(holding(P2(5)))
    damaged = bytearray(bytes(parcel))
    damaged[28:32] = b"\3\0\0\0"
    holder = read_holder(Parcel.from_bytes(damaged), Stability.UNDECLARED)
    for _ in range(2):
        assert status_of(lambda: holder.get(P2)) is Status.BAD_VALUE


def test_a_holder_in_itself_is_a_usage_error() -> None:
    class Loop(P2):
        aidl = ParcelableInfo("h.Loop")
        holder: ClassVar[ParcelableHolder] = ParcelableHolder()

        def write_to(self, parcel: Parcel) -> None:
            parcel.write_parcelable(self.holder)

    Loop.holder.set(Loop())
    with pytest.raises(UsageError, match="deep"):
        sent(Loop.holder)


@pytest.mark.parametrize("ask", [lambda holder: None, lambda holder: holder.get(WithFile).file.close()])
def test_a_descriptor_inside_closes_with_the_holder(ask: Callable[[ParcelableHolder], None]) -> None:
    with ParcelFileDescriptor.dup(0) as fd:
        before = open_files()
        original = sent(holding(WithFile(fd)))
        (offset,) = original.offsets
        arrived = Parcel.from_bytes(
            bytes(original),
            original.offsets,
            resolver=KnownObjects(),
            objects={offset: ParcelFileDescriptor.dup(fd.fileno())},
        )
        holder = read_holder(arrived, Stability.UNDECLARED)
        arrived.release()
        assert open_files() == before + 1
        ask(holder)
        del holder
        gc.collect()
        assert open_files() == before


def test_it_has_no_hash_and_a_telling_repr() -> None:
    with pytest.raises(TypeError, match="can change"):
        hash(ParcelableHolder())
    assert repr(holding(P2(5))) == "ParcelableHolder(P2(k=5))"
    assert repr(there_and_back(holding(P2(5)))) == "ParcelableHolder(h.P2)"
    assert repr(ParcelableHolder()) == "ParcelableHolder(None)"
    assert ParcelableHolder() != 5
