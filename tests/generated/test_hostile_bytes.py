"""Bytes that no honest peer sends: read in bounded time and memory, or refused in one way."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from binder import (
    Binder,
    Parcel,
    Parcelable,
    ParcelError,
    PersistableBundle,
    RemoteException,
    StatusError,
    Stub,
)
from binder.protocol import GET_INTERFACE_HASH, GET_INTERFACE_VERSION, SpecialCode
from generated.android.hardware.npu import IScheduling, SchedulingConfig, Uuid, WorkInfo
from generated.android.npumanager import (
    INpuAllocator,
    INpuManagerService,
    ModelLoadRequestParcelable,
    NpuBufferGetRequest,
)

from .test_round_trips import strategy
from .values import PARCELABLES, STUBS, Anything, implementation

few = settings(max_examples=25, deadline=None, derandomize=True, database=None)
every_parcelable = pytest.mark.parametrize("cls", [*PARCELABLES, PersistableBundle])
every_stub = pytest.mark.parametrize("stub", STUBS)

# Words that mean something somewhere: counts, markers, sizes, magics, and the edges of an int.
WORDS = st.sampled_from(
    [0, 1, 2, 3, 4, 8, 16, 24, 0xFFFFFFFF, 0xFFFFFFFE, 0x7FFFFFFF, 0x80000000, 0x7FFFFFFC, 0x4C444E44, 25]
).map(lambda word: word.to_bytes(4, "little"))
NOISE = st.lists(WORDS | st.binary(min_size=4, max_size=4), max_size=40).map(b"".join) | st.binary(
    max_size=60
)


def arrived(data: bytes, offsets: tuple[int, ...] = (), api_level: int = 37) -> Parcel:
    inside = [offset for offset in offsets if offset + 24 <= len(data)]
    return Parcel.from_bytes(data, inside, resolver=Anything(), api_level=api_level)


@st.composite
def mutated(draw: st.DrawFn, original: bytes) -> bytes:
    """Valid bytes with a few words changed, or cut short."""
    data = bytearray(original)
    for _ in range(draw(st.integers(1, 3))):
        position = 4 * draw(st.integers(0, max(0, len(data) // 4 - 1)))
        data[position : position + 4] = draw(WORDS)
    return bytes(data[: draw(st.integers(len(data) - 8, len(data)))]) if draw(st.booleans()) else bytes(data)


def read_or_refuse(cls: type[Parcelable], parcel: Parcel) -> None:
    with suppress(ParcelError):
        parcel.read_parcelable(cls)
    assert 0 <= parcel.position <= len(parcel)
    parcel.release()


@every_parcelable
@few
@given(noise=NOISE, level=st.integers(29, 37))
def test_noise_is_read_or_is_a_parcel_error(cls: type[Parcelable], noise: bytes, level: int) -> None:
    read_or_refuse(cls, arrived(noise, api_level=level))
    read_or_refuse(cls, arrived(b"\1\0\0\0" + noise, api_level=level))


@every_parcelable
@few
@given(data=st.data())
def test_a_mutated_value_is_read_or_is_a_parcel_error(cls: type[Parcelable], data: st.DataObject) -> None:
    parcel = Parcel()
    parcel.write_parcelable(data.draw(strategy(cls)))
    read_or_refuse(cls, arrived(data.draw(mutated(bytes(parcel))), parcel.offsets))


@few
@given(noise=NOISE)
def test_every_reader_of_a_parcel_reads_noise_or_is_a_parcel_error(noise: bytes) -> None:
    names = [
        name for name in dir(Parcel) if name.startswith("read_") and name.endswith(("array", "16", "er"))
    ]
    readers: list[Callable[[Parcel], Any]] = [
        getattr(Parcel, name) for name in names if name not in ("read_array", "read_nullable_array")
    ]
    assert len(readers) >= 10
    for read in readers:
        parcel = arrived(noise)
        with suppress(ParcelError):
            read(parcel)
        assert 0 <= parcel.position <= len(parcel)


# --- memory and time --------------------------------------------------------------------------------

MANY = 20_000


def peak_of(read: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        with suppress(ParcelError):
            read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@every_parcelable
@few
@given(noise=NOISE)
def test_noise_costs_little_memory(cls: type[Parcelable], noise: bytes) -> None:
    parcel = arrived(b"\1\0\0\0" + noise)
    assert peak_of(lambda: parcel.read_parcelable(cls)) < 20_000 + 64 * len(noise)


@pytest.mark.parametrize("cls", [WorkInfo, NpuBufferGetRequest, SchedulingConfig, ModelLoadRequestParcelable])
def test_the_smallest_possible_elements_cost_a_small_multiple_of_their_bytes(cls: type[Parcelable]) -> None:
    """An element is at least a marker and a size word, and becomes an object with all its fields."""
    data = MANY.to_bytes(4, "little") + b"\1\0\0\0\4\0\0\0" * MANY
    parcel = Parcel.from_bytes(data)
    assert peak_of(lambda: parcel.read_array(lambda: parcel.read_parcelable(cls))) < 32 * len(data)


def test_elements_cannot_claim_the_same_bytes_again_and_again() -> None:
    """Each of these says that it ends at once, and that its first field is the rest of the parcel."""
    element = bytes.fromhex("01000000 10000000 00000000 01000000")
    parcel = Parcel.from_bytes(MANY.to_bytes(4, "little") + element * MANY)
    with pytest.raises(ParcelError):
        parcel.read_array(lambda: parcel.read_parcelable(WorkInfo))
    assert parcel.position < 200


def test_a_count_beyond_the_data_is_refused_before_anything_is_made() -> None:
    parcel = Parcel.from_bytes(b"\xff\xff\xff\x7f" + bytes(8))
    peak = peak_of(lambda: parcel.read_array(lambda: parcel.read_parcelable(Uuid)))
    assert peak < 10_000


# --- requests ---------------------------------------------------------------------------------------


def codes_of(stub: type[Stub]) -> list[int]:
    return [*stub.aidl.by_code, GET_INTERFACE_VERSION, GET_INTERFACE_HASH, 99, *SpecialCode]


def execute(stub: Stub, code: int, parcel: Parcel) -> None:
    with suppress(StatusError):
        stub.execute(code, parcel, 0).release()
    parcel.release()


@every_stub
@few
@given(noise=NOISE, level=st.integers(29, 37))
def test_noise_for_a_request_is_served_or_is_a_status_error(
    stub: type[Stub], noise: bytes, level: int
) -> None:
    service = implementation(stub)
    token = Parcel(api_level=level)
    token.write_interface_token(stub.aidl.descriptor)
    for code in codes_of(stub):
        execute(service, code, arrived(noise, api_level=level))
        execute(service, code, arrived(bytes(token) + noise, api_level=level))


@every_stub
@few
@given(data=st.data())
def test_a_mutated_request_is_served_or_is_a_status_error(stub: type[Stub], data: st.DataObject) -> None:
    service = implementation(stub)
    for code in stub.aidl.by_code:
        token = Parcel()
        token.write_interface_token(stub.aidl.descriptor)
        kinds: list[type[Parcelable]] = [*PARCELABLES, PersistableBundle]
        for cls in data.draw(st.lists(st.sampled_from(kinds), max_size=2)):
            token.write_parcelable(data.draw(strategy(cls)))
        execute(service, code, arrived(data.draw(mutated(bytes(token))), token.offsets))


# --- replies ----------------------------------------------------------------------------------------


class Echo(Binder):
    """Answers everything with the same bytes."""

    def __init__(self, noise: bytes) -> None:
        self.noise = noise

    def transact(self, code: int, data: Parcel, flags: int = 0) -> Parcel:
        return arrived(self.noise)


@few
@given(noise=NOISE)
def test_noise_for_a_reply_is_a_result_or_an_error_of_binders(noise: bytes) -> None:
    for words in (b"", b"\0\0\0\0", b"\xf8\xff\xff\xff", b"\x80\xff\xff\xff"):
        echo = Echo(words + noise)
        manager = INpuManagerService.from_binder(echo)
        allocator = INpuAllocator.from_binder(echo)
        with suppress(ParcelError, RemoteException):
            manager.setPolicy(0, None)
        with suppress(ParcelError, RemoteException):
            allocator.isSupported([])
        with suppress(ParcelError, RemoteException):
            IScheduling.from_binder(echo).getInterfaceHash()
