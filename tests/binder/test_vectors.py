"""Every golden vector, both ways, cut short at every length, and with something behind it."""

from __future__ import annotations

import pytest

from binder import Parcel, ParcelError, RemoteException

from .vectors import VECTORS, Vector

every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.number)


def same(value: object, expected: object) -> bool:
    """Whether two values are equal. Exceptions are if they say the same."""
    if isinstance(expected, RemoteException):
        return type(value) is type(expected) and vars(value) == vars(expected)
    return value == expected and type(value) is type(expected)


@pytest.mark.parametrize(
    "vector", [vector for vector in VECTORS if vector.write], ids=lambda vector: vector.number
)
def test_a_value_is_written_as_exactly_these_bytes(vector: Vector) -> None:
    parcel = Parcel(api_level=vector.api_level)
    assert vector.write is not None
    vector.write(parcel, vector.value)
    assert bytes(parcel).hex() == vector.data.hex()
    assert parcel.offsets == vector.offsets


@every_vector
def test_the_bytes_are_read_as_that_value(vector: Vector) -> None:
    parcel = vector.parcel()
    assert same(vector.read(parcel), vector.value)
    assert parcel.remaining == 0


@every_vector
def test_every_shorter_prefix_is_a_parcel_error_and_nothing_else(vector: Vector) -> None:
    for length in range(len(vector.data)):
        parcel = vector.parcel(vector.data[:length])
        if length in vector.prefixes:
            assert same(vector.read(parcel), vector.value)
            continue
        with pytest.raises(ParcelError) as caught:
            vector.read(parcel)
        assert 0 <= caught.value.offset <= length


@every_vector
def test_what_follows_a_value_is_left_alone(vector: Vector) -> None:
    parcel = vector.parcel(vector.data + b"\0\0\0\0\xaa\xbb\xcc\xdd")
    assert same(vector.read(parcel), vector.value)
    assert parcel.position == len(vector.data)


def test_numbers_of_vectors_are_unique() -> None:
    numbers = [vector.number for vector in VECTORS]
    assert len(set(numbers)) == len(numbers)
