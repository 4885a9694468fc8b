"""Interface tokens: what opens a request, and what is answered if it is not the right one."""

from __future__ import annotations

import pytest

from binder import InterfaceToken, Parcel, Status, StatusError, UsageError
from binder.protocol import TokenHeader
from binder.token import enforce_interface

MINE = "android.npumanager.INpuManagerService"
OTHER = "android.npumanager.INpuAllocator"


def token(descriptor: str = MINE, *, api_level: int = 37, header: TokenHeader = TokenHeader.SYSTEM) -> Parcel:
    parcel = Parcel(api_level=api_level, header=header)
    parcel.write_interface_token(descriptor)
    return Parcel.from_bytes(bytes(parcel), api_level=api_level)


def refusal(parcel: Parcel) -> str:
    with pytest.raises(StatusError) as caught:
        enforce_interface(parcel, MINE)
    assert caught.value.status == Status.BAD_TYPE
    return str(caught.value)


@pytest.mark.parametrize("level", range(29, 38))
def test_the_right_token_is_read_to_its_end(level: int) -> None:
    parcel = token(api_level=level)
    enforce_interface(parcel, MINE)
    assert parcel.remaining == 0


def test_there_is_no_header_before_api_30() -> None:
    assert len(token(api_level=29)) + 4 == len(token(api_level=30))
    assert token(api_level=29).read_interface_token().header is None


def test_another_interface_is_refused_naming_both() -> None:
    message = refusal(token(OTHER))
    assert MINE in message
    assert OTHER in message


@pytest.mark.parametrize("header", [TokenHeader.VENDOR, TokenHeader.RECOVERY, TokenHeader.UNKNOWN])
def test_the_header_of_another_library_is_refused_naming_both(header: TokenHeader) -> None:
    message = refusal(token(header=header))
    assert f"{int(header):#x}" in message
    assert "0x53595354" in message


def test_a_missing_header_is_refused_naming_what_is_there_instead() -> None:
    message = refusal(Parcel.from_bytes(bytes(token(api_level=29))))
    assert "0x25" in message
    assert "0x53595354" in message
    assert MINE in message


def test_a_request_without_a_token_is_refused() -> None:
    for data in (b"", b"\0\0\0\0", bytes(12), bytes(16), b"\xff" * 16, bytes(token())[:-4]):
        assert MINE in refusal(Parcel.from_bytes(data))


def test_what_is_read_is_written_again_the_same() -> None:
    original = InterfaceToken(OTHER, TokenHeader.VENDOR, work_source=10001, strict_mode=5)
    parcel = Parcel()
    original.write_to(parcel)
    assert parcel.rewind().read_interface_token() == original


@pytest.mark.parametrize("descriptor", [None, 5, b"x"])
def test_a_descriptor_that_is_no_string_is_a_usage_error(descriptor: str) -> None:
    with pytest.raises(UsageError):
        Parcel().write_interface_token(descriptor)
