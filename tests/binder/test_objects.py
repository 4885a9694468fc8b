"""Parts of parcels: bytes that are carried on without being read, with the objects in them."""

from __future__ import annotations

import gc
import os

import pytest

from binder import Binder, Parcel, ParcelError, ParcelFileDescriptor, Status
from binder.flat import FlatObject
from binder.protocol import Stability

from .parcels import ints, status_of
from .services import open_files
from .vectors import KnownObjects


def with_objects(*things: Binder | ParcelFileDescriptor) -> Parcel:
    """An int, then each object followed by an int."""
    parcel = ints(1)
    parcel.position = 4
    for number, thing in enumerate(things):
        if isinstance(thing, Binder):
            parcel.write_strong_binder(thing)
        else:
            parcel.write_file_descriptor(thing)
        parcel.write_int32(100 + number)
    return parcel.rewind()


def test_a_part_has_the_bytes_and_the_objects_in_them() -> None:
    one, other = Binder(), Binder()
    parcel = with_objects(one, other)
    assert parcel.read_int32() == 1
    part = parcel.take(32)
    assert part.offsets == (0,)
    assert part.read_strong_binder() is one
    assert part.read_int32() == 100
    assert parcel.read_strong_binder() is other


def test_what_is_appended_is_as_it_was() -> None:
    one = Binder()
    parcel = with_objects(one)
    whole = ints(7)
    whole.position = 4
    whole.append(parcel.take(36))
    assert whole.offsets == (8,)
    whole.position = 8
    assert whole.read_strong_binder() is one


@pytest.mark.parametrize("size", [-4, 2, 5])
def test_a_part_of_impossible_size_is_refused(size: int) -> None:
    assert status_of(lambda: ints(1, 2).take(size)) is Status.BAD_VALUE


def test_a_part_beyond_the_end_is_not_enough_data() -> None:
    with pytest.raises(ParcelError) as caught:
        ints(1, 2).take(12)
    assert (caught.value.status, caught.value.wanted, caught.value.available) == (
        Status.NOT_ENOUGH_DATA,
        12,
        8,
    )


@pytest.mark.parametrize(("start", "size"), [(0, 8), (0, 24), (8, 24), (24, 8)])
def test_an_object_is_not_taken_in_two(start: int, size: int) -> None:
    parcel = with_objects(Binder())
    parcel.position = start
    assert status_of(lambda: parcel.take(size)) is Status.PERMISSION_DENIED
    assert parcel.position == start


def test_descriptors_move_into_the_part_and_close_with_it() -> None:
    with ParcelFileDescriptor(os.open(os.devnull, os.O_RDONLY)) as fd:
        before = open_files()
        sent = with_objects(fd, fd)
        copies = {offset: ParcelFileDescriptor.dup(fd.fileno()) for offset in sent.offsets}
        parcel = Parcel.from_bytes(bytes(sent), sent.offsets, resolver=KnownObjects(), objects=copies)
        del copies
        parcel.read_int32()
        part = parcel.take(24)
        parcel.release()
        assert open_files() == before + 1
        del part
        gc.collect()
        assert open_files() == before


def test_an_object_that_nobody_has_read_is_resolved_when_it_is_sent_on() -> None:
    known = Binder()

    class Receiver(KnownObjects):
        def resolve_binder(self, flat: FlatObject, stability: Stability) -> Binder:
            return known

    sent = with_objects(known)
    received = Parcel.from_bytes(bytes(sent), sent.offsets, resolver=Receiver())
    whole = Parcel()
    whole.append(received.take(len(sent)))
    assert whole.object_at(4) is known


def test_an_object_that_cannot_be_resolved_is_not_sent_on() -> None:
    sent = with_objects(Binder())
    nobody = Parcel.from_bytes(bytes(sent), sent.offsets)
    whole = Parcel()
    assert status_of(lambda: whole.append(nobody)) is Status.BAD_TYPE
    assert len(whole) == 0
