"""Objects that answer transactions, without a driver."""

from __future__ import annotations

import threading

import pytest

from binder import (
    Binder,
    Parcel,
    ParcelFileDescriptor,
    SpecialCode,
    Stability,
    Status,
    StatusError,
    TransactionFlag,
)
from binder.flat import ObjectType

from .services import Callback, Raw


def test_every_object_has_an_address_of_its_own_that_stays() -> None:
    one, other = Binder(), Binder()
    assert one.address == one.address != other.address
    assert one.address > 0
    assert one.flatten() == (ObjectType.BINDER, one.address, one.address)


def test_an_address_is_the_same_for_all_threads() -> None:
    for _ in range(20):
        binder = Binder()
        start = threading.Barrier(4)
        found: list[int] = []

        def ask(binder: Binder = binder, start: threading.Barrier = start, found: list[int] = found) -> None:
            start.wait()
            found.append(binder.address)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(found)) == 1


def test_a_plain_object_answers_what_every_object_does() -> None:
    binder = Binder()
    binder.ping()
    assert binder.interface_descriptor() == ""
    assert binder.is_alive()
    assert len(binder.transact(SpecialCode.SYSPROPS, Parcel())) == 0
    with binder.transact(SpecialCode.EXTENSION, Parcel()) as reply:
        assert reply.read_strong_binder() is None


def test_a_plain_object_has_no_other_code() -> None:
    with pytest.raises(StatusError, match="Binder has no code 5") as caught:
        Binder().transact(5, Parcel())
    assert caught.value.status == Status.UNKNOWN_TRANSACTION


def test_death_of_an_own_object_is_never_told() -> None:
    binder = Binder()
    binder.link_to_death(lambda: None)
    assert binder.unlink_to_death(lambda: None)


def test_a_local_call_reads_from_the_start_and_answers_from_the_start() -> None:
    def serve(code: int, data: Parcel, reply: Parcel) -> None:
        reply.write_int32(data.read_int32() + code)

    data = Parcel()
    data.write_int32(5)
    assert Raw(serve).transact(2, data).read_int32() == 7
    assert Raw(serve).transact(3, data).read_int32() == 8


def test_a_local_oneway_call_has_no_reply() -> None:
    binder = Raw(lambda code, data, reply: reply.write_int32(1))
    assert len(binder.transact(1, Parcel(), TransactionFlag.ONE_WAY)) == 0
    assert len(binder.transact(1, Parcel())) == 4


def test_a_local_call_hands_objects_over_as_they_are() -> None:
    own = Callback()

    def serve(code: int, data: Parcel, reply: Parcel) -> None:
        reply.write_strong_binder(data.read_strong_binder())

    data = Parcel()
    data.write_strong_binder(own)
    assert Raw(serve).transact(1, data).read_strong_binder() is own


def test_a_local_call_refuses_what_it_cannot_copy_or_know() -> None:
    data = Parcel()
    data.write_file_descriptor(ParcelFileDescriptor(9999, owned=False))
    with pytest.raises(StatusError, match="FAILED_TRANSACTION"):
        Raw(lambda code, data, reply: None).transact(1, data)
    forged = Parcel()
    forged.write_strong_binder(Binder())
    stranger = Parcel.from_bytes(bytes(forged), (0,))
    with pytest.raises(StatusError, match="nobody here knows"):
        Raw(lambda code, data, reply: data.read_strong_binder()).transact(1, stranger)


def test_a_local_call_speaks_the_parcels_own_level() -> None:
    levels: list[int] = []
    data = Parcel(api_level=31)
    reply = Raw(lambda code, data, reply: levels.append(data.api_level)).transact(1, data)
    assert levels == [31]
    assert reply.api_level == 31


def test_an_unmarked_object_is_the_systems() -> None:
    assert Binder().stability is Stability.SYSTEM


def test_stopping_the_program_is_not_swallowed() -> None:
    def stop(code: int, data: Parcel, reply: Parcel) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Raw(stop).transact(1, Parcel())
