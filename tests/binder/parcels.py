"""What the tests of parcels share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from binder import Parcel, ParcelError, Status

INT32_MAX = 2**31 - 1
HUGE = 10**5000  # an int that has no repr


def ints(*values: int, api_level: int = 37) -> Parcel:
    """A parcel of these ints, at its start."""
    parcel = Parcel(api_level=api_level)
    for value in values:
        parcel.write_int32(value)
    return parcel.rewind()


def status_of(read: Callable[[], object]) -> Status:
    with pytest.raises(ParcelError) as caught:
        read()
    return caught.value.status
