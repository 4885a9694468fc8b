"""Plain values in parcels: sizes, nulls, positions, and what cannot be written."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from binder import (
    NullValueError,
    Parcel,
    ParcelError,
    Status,
    UsageError,
    exactly,
    given,
)
from generated.android.npumanager import ModelLoadRequestParcelable

from .parcels import HUGE, INT32_MAX, ints, status_of

# --- not enough data ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "size", "wanted"),
    [
        (Parcel.read_int32, 3, 4),
        (Parcel.read_int64, 4, 8),
        (Parcel.read_double, 4, 8),
        (Parcel.read_char, 2, 4),
    ],
)
def test_too_few_bytes_are_reported_with_where_and_how_many(
    read: Callable[[Parcel], object], size: int, wanted: int
) -> None:
    parcel = Parcel.from_bytes(bytes(4 + size))
    parcel.read_int32()
    with pytest.raises(ParcelError) as caught:
        read(parcel)
    error = caught.value
    assert (error.status, error.offset, error.wanted, error.available) == (
        Status.NOT_ENOUGH_DATA,
        4,
        wanted,
        size,
    )


@pytest.mark.parametrize(
    "read",
    [
        Parcel.read_int32,
        Parcel.read_int64,
        Parcel.read_string16,
        Parcel.read_byte_array,
        Parcel.read_int32_array,
        Parcel.read_strong_binder,
        Parcel.read_file_descriptor,
    ],
)
def test_a_failed_read_leaves_the_position_where_it_was(read: Callable[[Parcel], object]) -> None:
    parcel = Parcel.from_bytes(bytes.fromhex("00000000 02000000")[:7])
    parcel.read_int32()
    with pytest.raises(ParcelError):
        read(parcel)
    assert parcel.position == 4


def test_a_run_that_is_cut_short_is_not_half_read() -> None:
    parcel = ints(1, 16, 54, 0)  # a request whose size word counts a third int that is missing
    assert status_of(lambda: parcel.read_parcelable(ModelLoadRequestParcelable)) is Status.NOT_ENOUGH_DATA


# --- arrays ---------------------------------------------------------------------------------------

ARRAY_READERS: list[Callable[[Parcel], list[Any] | bytes | None]] = [
    Parcel.read_byte_array,
    Parcel.read_int8_array,
    Parcel.read_int32_array,
    Parcel.read_int64_array,
    Parcel.read_float_array,
    Parcel.read_double_array,
    Parcel.read_bool_array,
    Parcel.read_char_array,
    lambda parcel: parcel.read_nullable_array(parcel.read_string16),
]
every_array = pytest.mark.parametrize("read", ARRAY_READERS)


@every_array
def test_array_of_length_minus_one_is_null(read: Callable[[Parcel], object]) -> None:
    assert read(ints(-1)) is None


@every_array
def test_array_of_length_zero_is_empty(read: Callable[[Parcel], Any]) -> None:
    assert len(read(ints(0))) == 0


@every_array
@pytest.mark.parametrize("count", [INT32_MAX, 0x7FFFFFFC, 9, -2, -(2**31)])
def test_impossible_array_length_is_refused(read: Callable[[Parcel], object], count: int) -> None:
    assert status_of(lambda: read(ints(count, 0, 0))) is Status.BAD_VALUE


@every_array
def test_array_length_that_lies_costs_no_memory(read: Callable[[Parcel], object]) -> None:
    parcel = ints(INT32_MAX, 0, 0)
    tracemalloc.start()
    try:
        status_of(lambda: read(parcel))
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_null_array_where_one_is_required_is_unexpected_null() -> None:
    parcel = ints(-1)
    assert status_of(lambda: parcel.non_null(parcel.read_int32_array())) is Status.UNEXPECTED_NULL
    parcel = ints(-1)
    assert status_of(lambda: parcel.read_array(parcel.read_string16)) is Status.UNEXPECTED_NULL


def test_null_element_where_none_may_be_is_unexpected_null() -> None:
    parcel = ints(1, -1)
    assert status_of(lambda: parcel.read_array(parcel.read_string16)) is Status.UNEXPECTED_NULL


def test_fixed_array_of_another_size_is_refused() -> None:
    parcel = ints(2, 1, 2)
    assert status_of(lambda: parcel.sized(parcel.read_int32_array(), 3)) is Status.BAD_VALUE


def test_chars_and_booleans_take_four_bytes_each_and_bytes_are_packed() -> None:
    """`f(in char[] a, char b, byte c, in boolean[] d, in byte[] e)`."""
    parcel = Parcel()
    parcel.write_char_array(["a", "é"])
    parcel.write_char("b")
    parcel.write_byte(-3)
    parcel.write_bool_array([True, False])
    parcel.write_byte_array(b"\1\2\3\4\5")
    assert bytes(parcel).hex(" ", 4) == (
        "02000000 61000000 e9000000 62000000 fdffffff 02000000 01000000 00000000 05000000 01020304 05000000"
    )


def test_any_number_but_zero_is_true() -> None:
    assert ints(-5).read_bool()
    assert ints(2, 7, 0).read_bool_array() == [True, False]


def test_a_byte_is_read_from_the_lowest_eight_bits() -> None:
    assert ints(0x12345680).read_byte() == -128


# --- strings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [-1, -2, -(2**31)])
def test_any_negative_string_length_is_null(length: int) -> None:
    assert ints(length).read_string16() is None


@pytest.mark.parametrize("length", [INT32_MAX, INT32_MAX - 1, 3])
def test_string_longer_than_the_parcel_is_not_enough_data(length: int) -> None:
    assert status_of(ints(length, 0).read_string16) is Status.NOT_ENOUGH_DATA


def test_string_without_its_terminator_is_refused() -> None:
    assert status_of(ints(1, 0x00410041).read_string16) is Status.BAD_VALUE


@pytest.mark.parametrize("text", ["\ud83d", "a\ude00\ud83db", "\0", "é😀" * 3])
def test_any_string_of_utf_16_units_survives(text: str) -> None:
    parcel = Parcel()
    parcel.write_string16(text)
    assert parcel.rewind().read_string16() == text


# --- what cannot be written -----------------------------------------------------------------------

BAD_VALUES: list[tuple[Callable[[Parcel, Any], object], Any]] = [
    (Parcel.write_int32, 2**31),
    (Parcel.write_int32, HUGE),
    (Parcel.write_int32, "1"),
    (Parcel.write_int32, 1.5),
    (Parcel.write_int32, None),
    (Parcel.write_int64, 2**63),
    (Parcel.write_int64, [1]),
    (Parcel.write_byte, 128),
    (Parcel.write_byte, "a"),
    (Parcel.write_byte, None),
    (Parcel.write_byte, HUGE),
    (Parcel.write_char, ""),
    (Parcel.write_char, "😀"),
    (Parcel.write_char, None),
    (Parcel.write_char, b"a"),
    (Parcel.write_float, 1e300),
    (Parcel.write_float, "1"),
    (Parcel.write_double, HUGE),
    (Parcel.write_double, {}),
    (Parcel.write_string16, 5),
    (Parcel.write_string16, b"abc"),
    (Parcel.write_string16, []),
    (Parcel.write_byte_array, "abc"),
    (Parcel.write_byte_array, 5),
    (Parcel.write_byte_array, [1, 2]),
    (Parcel.write_int8_array, [128]),
    (Parcel.write_int32_array, [1, None]),
    (Parcel.write_int32_array, [HUGE]),
    (Parcel.write_int32_array, 7),
    (Parcel.write_int32_array, (n for n in range(3))),
    (Parcel.write_int64_array, [{}]),
    (Parcel.write_float_array, [1e300]),
    (Parcel.write_double_array, "ab"),
    (Parcel.write_bool_array, 1),
    (Parcel.write_char_array, ["ab"]),
    (Parcel.write_char_array, 3),
    (Parcel.write_parcelable, {"a": 1}),
    (Parcel.write_parcelable, 5),
    (Parcel.write_strong_binder, "binder"),
    (Parcel.write_strong_binder, {}),
    (Parcel.write_interface, 5),
    (Parcel.write_file_descriptor, 1),
    (Parcel.write_parcel_file_descriptor, 1),
    (Parcel.write_interface_token, None),
    (lambda parcel, value: parcel.write_array(value, parcel.write_string16), ["a", None]),
    (lambda parcel, value: parcel.write_array(value, parcel.write_string16), None),
    (lambda parcel, value: parcel.write_array(value, parcel.write_string16), 3),
    (lambda parcel, value: parcel.write_nullable_array(value, parcel.write_string16), iter("ab")),
    (lambda parcel, value: parcel.write_nullable_array(value, parcel.write_parcelable), ["a"]),
    (lambda parcel, value: parcel.patch_int32(0, value), 2**31),
]


@pytest.mark.parametrize(("write", "value"), BAD_VALUES, ids=lambda value: type(value).__name__)
def test_what_cannot_be_written_is_a_usage_error(write: Callable[[Parcel, Any], object], value: Any) -> None:
    parcel = ints(0)
    with pytest.raises(UsageError):
        write(parcel, value)


def test_the_error_names_the_value_however_large_it_is() -> None:
    with pytest.raises(UsageError, match="cannot send 2147483648"):
        Parcel().write_int32(2**31)
    with pytest.raises(UsageError) as caught:
        Parcel().write_int32_array(["x"] * 10_000)  # type: ignore[list-item]
    assert len(str(caught.value)) < 300


def test_the_error_of_a_run_names_the_field() -> None:
    with pytest.raises(UsageError, match="priority: cannot send 'high'"):
        Parcel().write_parcelable(ModelLoadRequestParcelable(priority="high"))  # type: ignore[arg-type]


def test_none_for_an_argument_is_a_null_value_error_naming_it() -> None:
    with pytest.raises(NullValueError, match="request must not be None"):
        given(None, "request")


@pytest.mark.parametrize("values", [None, [], [1, 2], 5])
def test_a_fixed_array_must_have_its_size(values: Any) -> None:
    with pytest.raises(UsageError, match="uuid must have exactly 3"):
        exactly(values, 3, "uuid")


def test_none_is_no_fixed_array_even_of_size_zero() -> None:
    with pytest.raises(UsageError, match="exactly 0"):
        exactly(None, 0, "uuid")


def test_a_view_of_wider_items_is_sent_as_its_bytes() -> None:
    parcel = Parcel()
    parcel.write_byte_array(memoryview(b"\1\0\2\0\3\0\4\0").cast("h")[::2])
    assert parcel.rewind().read_byte_array() == b"\1\0\3\0"


# --- positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [-4, 12, 2, 1])
def test_position_is_a_multiple_of_four_within_the_parcel(position: int) -> None:
    parcel = ints(1, 2)
    with pytest.raises(UsageError, match=f"position {position}"):
        parcel.position = position


def test_writing_in_the_middle_overwrites() -> None:
    parcel = ints(1, 2, 3)
    parcel.position = 4
    parcel.write_int64(-1)
    assert bytes(parcel).hex(" ", 4) == "01000000 ffffffff ffffffff"


def test_patching_outside_of_the_parcel_is_a_usage_error() -> None:
    for offset in (-4, 5, 8):
        with pytest.raises(UsageError):
            ints(1, 2).patch_int32(offset, 7)


@pytest.mark.parametrize("level", [28, 38])
def test_an_unknown_api_level_is_a_usage_error(level: int) -> None:
    with pytest.raises(UsageError, match=f"API level {level}"):
        Parcel(api_level=level)
