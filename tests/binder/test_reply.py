"""Reply headers: exceptions there and back, and the blocks that may come before them."""

from __future__ import annotations

import pytest

from binder import (
    BadParcelableException,
    ExceptionCode,
    IllegalArgumentException,
    IllegalStateException,
    NetworkOnMainThreadException,
    NullPointerException,
    Parcel,
    ParcelableException,
    ParcelError,
    RemoteException,
    SecurityException,
    ServiceSpecificException,
    Status,
    UnsupportedOperationException,
)
from binder.errors import REMOTE_EXCEPTIONS
from binder.reply import read_exception, write_exception

from .parcels import INT32_MAX, ints, status_of

ALL: list[RemoteException] = [
    SecurityException("x"),
    BadParcelableException("x"),
    IllegalArgumentException("é😀"),
    NullPointerException(""),
    IllegalStateException("x" * 1000),
    NetworkOnMainThreadException("x"),
    UnsupportedOperationException("x"),
    ServiceSpecificException(-7, "no"),
    ParcelableException("x"),
]


def read(parcel: Parcel) -> RemoteException:
    with pytest.raises(RemoteException) as caught:
        read_exception(parcel)
    return caught.value


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_an_exception_arrives_as_what_it_was(error: RemoteException) -> None:
    parcel = Parcel()
    write_exception(parcel, error)
    arrived = read(parcel.rewind())
    assert type(arrived) is type(error)
    assert vars(arrived) == vars(error)
    assert parcel.remaining == 0


def test_every_exception_of_aidl_is_tried_above() -> None:
    assert {type(error) for error in ALL} == set(REMOTE_EXCEPTIONS.values())
    assert {error.code for error in ALL} | {
        ExceptionCode.NONE,
        ExceptionCode.HAS_NOTED_APPOPS_REPLY_HEADER,
        ExceptionCode.HAS_STRICTMODE_REPLY_HEADER,
    } == set(ExceptionCode)


def test_a_null_message_is_kept_and_sent_as_an_empty_one() -> None:
    assert read(ints(-1, -1, 0)).message is None
    parcel = Parcel()
    write_exception(parcel, SecurityException(None))
    assert read(parcel.rewind()).message == ""


def test_a_stack_trace_is_skipped() -> None:
    parcel = ints(-8, -1, 12, 0, 0, 33)
    error = read(parcel)
    assert isinstance(error, ServiceSpecificException)
    assert error.error == 33


def test_the_class_name_of_a_java_parcelable_exception_is_kept() -> None:
    parcel = Parcel()
    parcel.write_int32(ExceptionCode.PARCELABLE)
    parcel.write_string16("why")
    parcel.write_int32(0)
    parcel.write_int32(100)
    parcel.write_string16("a.b.C")
    error = read(parcel.rewind())
    assert isinstance(error, ParcelableException)
    assert (error.message, error.class_name) == ("why", "a.b.C")


def test_results_follow_a_strict_mode_header() -> None:
    parcel = ints(-128, 12, 0, 0, 99)
    read_exception(parcel)
    assert parcel.read_int32() == 99


def test_the_real_code_follows_a_header_of_noted_operations() -> None:
    assert isinstance(read(ints(-127, 8, 0, -5, -1, 0)), IllegalStateException)
    parcel = ints(-127, 4, 0, 99)
    read_exception(parcel)
    assert parcel.read_int32() == 99


def test_both_headers_may_come() -> None:
    parcel = ints(-127, 4, -128, 4, 99)
    read_exception(parcel)
    assert parcel.read_int32() == 99


@pytest.mark.parametrize("size", [-4, 0, 3, 5, 16, INT32_MAX])
@pytest.mark.parametrize("code", [-127, -128])
def test_a_header_of_impossible_size_is_an_unknown_error(code: int, size: int) -> None:
    parcel = ints(code, size, 0, 0)
    assert status_of(lambda: read_exception(parcel)) is Status.UNKNOWN_ERROR


@pytest.mark.parametrize("size", [-4, 2, 6, 100])
def test_a_stack_trace_of_impossible_size_is_an_unknown_error(size: int) -> None:
    parcel = ints(-1, -1, size, 0)
    assert status_of(lambda: read_exception(parcel)) is Status.UNKNOWN_ERROR


@pytest.mark.parametrize("code", [1, -10, -129, 7])
def test_an_unknown_code_is_an_unknown_error_naming_it(code: int) -> None:
    with pytest.raises(ParcelError, match=f"unknown exception code {code}"):
        read_exception(ints(code, -1, 0))


def test_the_text_of_an_error_is_its_message() -> None:
    assert str(SecurityException("no")) == "no"
    assert str(ServiceSpecificException(3)) == "error 3"
    assert str(ServiceSpecificException(3, "full")) == "error 3: full"
