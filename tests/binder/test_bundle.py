"""PersistableBundle: a typed map, and its bytes."""

from __future__ import annotations

from typing import Any

import pytest

from binder import BundleType, Parcel, PersistableBundle, Status, UsageError
from binder.bundle import JAVA_MAGIC, NATIVE_MAGIC
from binder.parcel import MAX_DEPTH

from .parcels import INT32_MAX, ints, status_of
from .services import World

VALUES: dict[str, Any] = {
    "boolean": True,
    "int": -1,
    "long": 2**40,
    "double": 1.5,
    "string": "é😀",
    "empty": "",
    "bytes": b"\1\2\3",
    "booleans": [True, False],
    "ints": [1, -2],
    "longs": [2**40, 1],
    "doubles": [0.5, -1.0],
    "strings": ["a", ""],
    "nothing": [],
    "null": None,
}


def there_and_back(bundle: PersistableBundle, api_level: int = 37) -> PersistableBundle:
    parcel = Parcel(api_level=api_level)
    parcel.write_parcelable(bundle)
    read = parcel.rewind().read_parcelable(PersistableBundle)
    assert read is not None
    assert parcel.remaining == 0
    return read


def read(*words: int, api_level: int = 34) -> PersistableBundle:
    return PersistableBundle.read_from(ints(*words, api_level=api_level))


# --- a map ----------------------------------------------------------------------------------------


def test_every_kind_of_value_survives_with_its_type() -> None:
    bundle = PersistableBundle.of({**VALUES, "nested": VALUES})
    for level in (29, 34, 36, 37):
        again = there_and_back(bundle, level)
        assert again == bundle
        assert {key: again.type_of(key) for key in again} == {key: bundle.type_of(key) for key in bundle}


def test_there_is_a_sample_of_every_type() -> None:
    bundle = PersistableBundle.of({**VALUES, "nested": {}})
    assert {bundle.type_of(key) for key in bundle} == set(BundleType)


def test_it_is_a_map() -> None:
    bundle = PersistableBundle.of({"a": 1, "b": {"c": 2}})
    assert (len(bundle), list(bundle), bundle.keys(), "a" in bundle, 5 in bundle) == (
        2,
        ["a", "b"],
        ["a", "b"],
        True,
        False,
    )
    assert bundle["a"] == 1
    assert bundle.get("z", 9) == 9
    assert bundle.type_of("z") is None
    assert repr(bundle["b"]) == "PersistableBundle({'c': 2})"


def test_a_typed_getter_gives_its_default_for_another_type() -> None:
    bundle = PersistableBundle.of({"int": 5, "long": 2**40, "bundle": {}, "text": "5"})
    assert bundle.get_int("int") == 5
    assert [bundle.get_int(key, 7) for key in ("long", "text", "none")] == [7, 7, 7]
    assert bundle.get_bundle("bundle") == PersistableBundle()
    assert bundle.get_bundle("int") is None


def test_put_leaves_no_doubt_about_the_type() -> None:
    bundle = PersistableBundle()
    bundle.put_int("a", 1)
    bundle.put_long("b", 1)
    bundle.put_bundle("c", PersistableBundle())
    bundle.put("d", BundleType.DOUBLE, 1)
    assert [bundle.type_of(key) for key in "abcd"] == [
        BundleType.INT,
        BundleType.LONG,
        BundleType.BUNDLE,
        BundleType.DOUBLE,
    ]
    assert there_and_back(bundle) == bundle


def test_equal_values_of_different_types_are_different() -> None:
    as_int, as_long = PersistableBundle(), PersistableBundle()
    as_int.put_int("a", 1)
    as_long.put_long("a", 1)
    assert as_int != as_long
    assert as_int != {"a": 1}


def test_it_has_no_hash() -> None:
    with pytest.raises(TypeError, match="can change"):
        hash(PersistableBundle())


def test_entries_are_written_by_type_and_then_by_key() -> None:
    bundle = PersistableBundle.of({"z": 1, "text": "x", "a": 2, "flag": True})
    assert there_and_back(bundle).keys() == ["flag", "a", "z", "text"]


BAD: list[Any] = [{"a": object()}, {"a": {1, 2}}, {"a": [1, "b"]}, {"a": [None]}, {5: 1}, {None: 1}]


@pytest.mark.parametrize("values", BAD)
def test_what_a_bundle_cannot_hold_is_a_usage_error(values: Any) -> None:
    with pytest.raises(UsageError):
        PersistableBundle.of(values)


def test_a_key_must_be_a_string() -> None:
    with pytest.raises(UsageError, match="None cannot be a key"):
        PersistableBundle().put_int(None, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (BundleType.INT, "x"),
        (BundleType.INT, 2**31),
        (BundleType.LONG, 2**63),
        (BundleType.STRING, 5),
        (BundleType.STRING, None),
        (BundleType.STRING_ARRAY, 5),
        (BundleType.INT_ARRAY, [None]),
        (BundleType.BUNDLE, {"a": 1}),
        (BundleType.BYTE_ARRAY, "x"),
    ],
)
def test_a_value_that_cannot_be_written_is_a_usage_error_naming_its_key(kind: BundleType, value: Any) -> None:
    bundle = PersistableBundle()
    bundle.put("the key", kind, value)
    with pytest.raises(UsageError, match="'the key'"):
        Parcel().write_parcelable(bundle)


def test_bundles_nest_up_to_the_limit_and_no_deeper() -> None:
    values: dict[str, Any] = {}
    for _ in range(MAX_DEPTH - 2):
        values = {"n": values}
    bundle = PersistableBundle.of(values)
    assert there_and_back(bundle) == bundle
    for deeper in ({"n": {"n": {"n": values}}},):
        with pytest.raises(UsageError, match=f"nested more than {MAX_DEPTH} deep"):
            PersistableBundle.of(deeper)


def test_a_bundle_that_contains_itself_is_a_usage_error() -> None:
    values: dict[str, Any] = {}
    values["self"] = values
    with pytest.raises(UsageError, match="deep"):
        PersistableBundle.of(values)
    bundle = PersistableBundle()
    bundle.put_bundle("self", bundle)
    with pytest.raises(UsageError, match="deep"):
        Parcel().write_parcelable(bundle)


# --- bytes ----------------------------------------------------------------------------------------


def test_both_magics_are_understood() -> None:
    for magic in (JAVA_MAGIC, NATIVE_MAGIC):
        assert read(16, magic, 1, 0, 0, BundleType.NULL) == PersistableBundle.of({"": None})


@pytest.mark.parametrize("magic", [0, -1, 0x4C444E43])
def test_another_magic_is_refused(magic: int) -> None:
    assert status_of(lambda: read(16, magic, 1, 0, 0, -1)) is Status.BAD_VALUE


@pytest.mark.parametrize("length", [-1, 3, 5, -(2**31), INT32_MAX])
def test_an_impossible_length_is_refused(length: int) -> None:
    assert status_of(lambda: read(length, NATIVE_MAGIC, 0, 0, 0)) is Status.BAD_VALUE


def test_a_length_beyond_the_data_is_not_enough_data() -> None:
    for length in (20, INT32_MAX - 3):
        assert status_of(lambda n=length: read(n, NATIVE_MAGIC, 1, 0, 0, -1)) is Status.NOT_ENOUGH_DATA  # type: ignore[misc]


@pytest.mark.parametrize("count", [0, 2, -1, INT32_MAX, -(2**31)])
def test_a_count_that_does_not_match_the_length_is_refused(count: int) -> None:
    assert status_of(lambda: read(16, NATIVE_MAGIC, count, 0, 0, -1)) is Status.BAD_VALUE


def test_an_entry_that_reaches_beyond_the_length_is_refused() -> None:
    parcel = ints(16, NATIVE_MAGIC, 1, 0, 0, BundleType.LONG, 1, 2, 3, api_level=34)
    assert status_of(lambda: PersistableBundle.read_from(parcel)) is Status.BAD_VALUE


@pytest.mark.parametrize("kind", [2, 4, 7, 11, 21, -2])
def test_a_type_that_no_persistable_bundle_has_is_a_bad_type(kind: int) -> None:
    assert status_of(lambda: read(16, NATIVE_MAGIC, 1, 0, 0, kind)) is Status.BAD_TYPE


def test_a_null_key_or_string_is_unexpected() -> None:
    assert status_of(lambda: read(12, NATIVE_MAGIC, 1, -1, -1)) is Status.UNEXPECTED_NULL
    assert status_of(lambda: read(20, NATIVE_MAGIC, 1, 0, 0, BundleType.STRING, -1)) is Status.UNEXPECTED_NULL


def test_a_null_array_is_none() -> None:
    for kind in (BundleType.INT_ARRAY, BundleType.STRING_ARRAY, BundleType.BYTE_ARRAY):
        bundle = read(20, NATIVE_MAGIC, 1, 0, 0, kind, -1)
        assert bundle[""] is None
        assert there_and_back(bundle) == bundle


def test_the_flag_behind_a_bundle_is_read_from_api_36_on() -> None:
    words = (16, NATIVE_MAGIC, 1, 0, 0, -1)
    parcel = ints(*words, 0, 99, api_level=36)
    PersistableBundle.read_from(parcel)
    assert parcel.read_int32() == 99
    parcel = ints(*words, 99, api_level=35)
    PersistableBundle.read_from(parcel)
    assert parcel.read_int32() == 99


def test_a_bundle_that_ends_its_parcel_may_lack_the_flag() -> None:
    assert read(16, NATIVE_MAGIC, 1, 0, 0, -1, api_level=37) == PersistableBundle.of({"": None})


def test_a_bundle_that_claims_an_intent_is_refused() -> None:
    assert status_of(lambda: read(16, NATIVE_MAGIC, 1, 0, 0, -1, 1, api_level=37)) is Status.BAD_VALUE


def test_a_bundle_nested_too_deep_is_refused() -> None:
    depth = MAX_DEPTH + 5
    words: list[int] = []
    for level in range(depth):
        words += [24 * (depth - level) - 8, NATIVE_MAGIC, 1, 0, 0, BundleType.BUNDLE]
    words[-1] = BundleType.NULL
    assert status_of(lambda: read(*words)) is Status.BAD_VALUE


@pytest.mark.parametrize(
    "params", [None, PersistableBundle(), PersistableBundle.of({"maxBudget": 8, "weights": {"0": 1, "2": 4}})]
)
def test_policy_parameters_arrive(world: World, params: PersistableBundle | None) -> None:
    seen: list[tuple[int, PersistableBundle | None]] = []
    world.manager(setPolicy=lambda *args: seen.append(args)).setPolicy(1, params)
    assert seen == [(1, params)]
