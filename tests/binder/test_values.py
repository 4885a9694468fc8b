"""Open enums and runs of fixed-size fields."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from binder import OpaqueParcelable, OpenEnum, Parcel, ParcelableInfo, Run, UsageError, int8
from generated.android.hardware.npu import EndReason
from generated.android.npumanager import ModelLoadRequestParcelable, NpuModelSize


def test_a_number_with_a_name_is_its_member() -> None:
    assert NpuModelSize(2) is NpuModelSize.GREATER_THAN_2G


@pytest.mark.parametrize("value", [7, -1, 2**31 - 1, -(2**31), 2**63])
def test_a_number_without_a_name_is_a_value_of_the_enum_all_the_same(value: int) -> None:
    unknown = NpuModelSize(value)
    assert isinstance(unknown, NpuModelSize)
    assert (unknown, unknown.value, unknown.name) == (value, value, str(value))
    assert repr(unknown) == f"<NpuModelSize.{value}: {value}>"
    assert hash(unknown) == hash(value)
    assert unknown not in list(NpuModelSize)


def test_unnamed_values_survive_copies() -> None:
    unknown = EndReason(77)
    assert copy.deepcopy(unknown) == pickle.loads(pickle.dumps(unknown)) == unknown
    assert isinstance(pickle.loads(pickle.dumps(unknown)), EndReason)


def test_unnamed_values_of_different_enums_are_of_their_own_kind() -> None:
    assert type(EndReason(77)) is EndReason
    assert type(NpuModelSize(77)) is NpuModelSize


@pytest.mark.parametrize("value", ["x", None, 1.5])
def test_what_is_no_number_is_no_enum(value: Any) -> None:
    with pytest.raises(ValueError, match="NpuModelSize"):
        NpuModelSize(value)


def test_a_number_too_large_for_a_name_of_its_own_is_still_a_value() -> None:
    assert NpuModelSize(10**5000) == 10**5000


def test_an_unknown_enumerator_survives_a_round_trip() -> None:
    parcel = Parcel()
    parcel.write_parcelable(ModelLoadRequestParcelable(1, NpuModelSize(99)))
    again = parcel.rewind().read_parcelable(ModelLoadRequestParcelable)
    assert again == ModelLoadRequestParcelable(1, NpuModelSize(99))


def test_aliases_and_negative_numbers_are_fine() -> None:
    class Odd(OpenEnum):
        A = 1
        B = 1
        C = -(1 << 40)

    assert Odd["B"] is Odd["A"]
    assert Odd(-(1 << 40)) is Odd.C


RUN = Run("iqzbcfd", "i q z b c f d", (1, 2, 1, 3, 97, 0.5, 1.5))
VALUES = (-1, 2**40, 1, -3, 0xE9, -0.5, 1e300)


def test_a_run_is_written_and_read_as_its_fields_would_be() -> None:
    together, apart = Parcel(), Parcel()
    together.write_run(RUN, *VALUES)
    apart.write_int32(-1)
    apart.write_int64(2**40)
    apart.write_bool(True)
    apart.write_byte(-3)
    apart.write_char("é")
    apart.write_float(-0.5)
    apart.write_double(1e300)
    assert bytes(together) == bytes(apart)
    assert together.rewind().read_run(RUN) == VALUES


@pytest.mark.parametrize(
    ("end", "kept"), [(0, 0), (4, 1), (12, 2), (16, 3), (20, 4), (24, 5), (28, 6), (36, 7)]
)
def test_fields_that_start_behind_the_end_get_their_defaults(end: int, kept: int) -> None:
    parcel = Parcel()
    parcel.write_run(RUN, *VALUES)
    assert parcel.rewind().read_run(RUN, end) == (*VALUES[:kept], *RUN.defaults[kept:])
    assert parcel.position == end


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1, 2**63, 0, 0, 0, 0, 0), "q: cannot send 9223372036854775808"),
        ((1, 2, 0, 0, 70000, 0, 0), "c: cannot send 70000"),
        ((1, 2, 0, 0, 0, 1e300, 0), "f: cannot send 1e[+]300"),
        ((1, 2, 0, 0, 0, 0, "x"), "d: cannot send 'x'"),
        ((1, 2), "2 values for the 7 fields i, q, z, b, c, f, d"),
        ((10**5000, 2, 0, 0, 0, 0, 0), "i: cannot send int without a repr"),
    ],
)
def test_the_field_that_cannot_be_written_is_named(values: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Parcel().write_run(RUN, *values)


@pytest.mark.parametrize("value", [-129, 128, None, "a", float("nan")])
def test_what_does_not_fit_a_byte_is_a_usage_error(value: Any) -> None:
    with pytest.raises(UsageError, match="does not fit a byte"):
        int8(value)


def test_a_parcelable_without_a_class_says_how_to_get_one() -> None:
    class Thing(OpaqueParcelable):
        aidl = ParcelableInfo("q.Thing")

    parcel = Parcel()
    with pytest.raises(UsageError, match=r"q\.Thing has no Python class"):
        parcel.write_parcelable(Thing())
    with pytest.raises(UsageError, match=r"q\.Thing has no Python class"):
        Parcel.from_bytes(b"\1\0\0\0").read_parcelable(Thing)
