"""Interface tokens as a service manager takes them: from more than one libbinder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from binder import Parcel, ParcelError, StatusError
from binder.protocol import TokenHeader
from binder.token import enforce_interface


def accept_token(data: Parcel, descriptor: str, headers: Sequence[TokenHeader]) -> None:
    """Reads a token that must mean the given interface, under any of the headers.

    At API level 29, where there are no headers, also in its form of API level 28, which some clients
    never left.

    Raises:
        StatusError: BAD_TYPE, if it is no such token.
    """
    start = data.position
    *others, last = headers
    for header in others:
        data.header = header
        with suppress(StatusError):
            return enforce_interface(data, descriptor)
        data.position = start
    data.header = last
    try:
        enforce_interface(data, descriptor)
    except StatusError:
        data.position = start
        if data.api_level > 29 or not _skip_old_token(data, descriptor):
            raise


def _skip_old_token(data: Parcel, descriptor: str) -> bool:
    try:
        data.read_int32()
        return data.read_string16() == descriptor
    except ParcelError:
        return False
