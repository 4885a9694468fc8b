"""Bytes: golden vectors, and what the tools of libgbinder send in each of their modes."""

from __future__ import annotations

from struct import pack

import pytest

from binder import Parcel, Status, StatusError
from binder.local import Transaction
from binder.protocol import SpecialCode, TokenHeader
from service_manager import Edition

from .kit import Device, Registered, Service, device, string16

INTERFACE = string16("android.os.IServiceManager")
GOLDEN_REPLY = bytes.fromhex(
    "00000000 01000000 00000000 01000000 24000000 852A6273 00000000 00000000"
    "00000000 00000000 00000000 00000000 00000000"
)
GOLDEN_REQUEST = bytes.fromhex(
    "00000080 FFFFFFFF 54535953 1A000000 61006E00 64007200 6F006900 64002E00 6F007300 2E004900 53006500"
    "72007600 69006300 65004D00 61006E00 61006700 65007200 00000000 03000000 6E007000 75000000"
)


def test_a_missing_service_is_golden_vector_24() -> None:
    with device() as made:
        for code in (2, 4):
            assert bytes(made.send(code, GOLDEN_REQUEST)) == GOLDEN_REPLY


def test_a_look_up_is_golden_vector_25() -> None:
    seen: list[Transaction] = []
    with device() as made:
        made.driver.observers.append(seen.append)
        assert made.app.check_service("npu") is None
        assert (seen[0].code, seen[0].data) == (3, GOLDEN_REQUEST)
        # Not found: no exception, and a null binder with its stability.
        assert seen[0].reply == bytes(4) + bytes.fromhex("852A6273") + bytes(24)


@pytest.mark.parametrize("edition", [Edition.API_35_R6, Edition.API_35_R20])
def test_the_union_of_35_has_two_shapes(edition: Edition) -> None:
    first = bytes(4) + pack("<2i", 1, 0) + bytes.fromhex("852A6273") + bytes(24)
    with device(35, edition=edition) as made:
        for code in (2, 3):
            expected = first if edition is Edition.API_35_R6 else GOLDEN_REPLY
            assert bytes(made.send(code, GOLDEN_REQUEST)) == expected


def test_a_binder_is_behind_the_tag_before_r20() -> None:
    with device(35, edition=Edition.API_35_R6) as made:
        made.system.add_service("npu", Service())
        reply = made.send(2, GOLDEN_REQUEST)
        assert [reply.read_int32() for _ in range(3)] == [0, 1, 0]
        assert reply.read_strong_binder() is made.other.get_service("npu")
        assert reply.remaining == 0


# --- libgbinder's tools -------------------------------------------------------------------------------

STRICT = pack("<I", 0x00400000)
ALL = pack("<i", 15)
TOKENS = {
    "aidl": STRICT + INTERFACE,
    "aidl2": STRICT + pack("<i", -1) + INTERFACE,
    "aidl3": STRICT + pack("<i", -1) + b"TSYS" + INTERFACE,
}
# By mode of its ServiceManager: the API level, the token, and the codes for list and get.
MODERN = [
    pytest.param(level, list_code, get_code, id=f"{mode}-{level}")
    for mode, levels, list_code, get_code in [
        ("aidl3", (30, 33, 34), 4, 2),
        ("aidl4", (31, 32), 4, 2),
        ("aidl5", (35,), 5, 3),
        ("aidl6", (36, 37), 6, 3),
    ]
    for level in levels
]


def test_the_header_is_the_one_that_was_seen() -> None:
    assert TOKENS["aidl3"][8:12] == bytes.fromhex("54535953")


def read_names(reply: Parcel) -> list[str | None]:
    assert reply.read_int32() == 0
    return [reply.read_string16() for _ in range(reply.read_int32())]


@pytest.mark.parametrize(("level", "list_code", "get_code"), MODERN)
def test_binder_list_shows_all_services(level: int, list_code: int, get_code: int) -> None:
    with device(level) as made:
        made.system.add_service("foo", Service())
        made.send(SpecialCode.PING, b"").release()
        assert read_names(made.send(list_code, TOKENS["aidl3"] + ALL)) == ["foo", "manager"]


@pytest.mark.parametrize(("level", "list_code", "get_code"), MODERN)
def test_binder_list_and_binder_call_find_one_service(level: int, list_code: int, get_code: int) -> None:
    with device(level) as made:
        made.system.add_service("foo", Service())
        reply = made.send(get_code, TOKENS["aidl3"] + string16("foo"))
        assert reply.read_int32() == 0
        if level == 35:
            # It looks for a binder first, and then for the union that this is.
            assert [reply.read_int32() for _ in range(3)] == [1, 0, 1]
            reply.read_int32()
        assert reply.read_strong_binder() is made.other.get_service("foo")


@pytest.mark.parametrize(("level", "list_code", "get_code"), MODERN)
def test_a_missing_service_is_null_for_it(level: int, list_code: int, get_code: int) -> None:
    with device(level) as made:
        reply = made.send(get_code, TOKENS["aidl3"] + string16("nope"))
        if level == 35:
            assert bytes(reply) == GOLDEN_REPLY
            return
        assert reply.read_int32() == 0
        assert reply.read_strong_binder() is None


@pytest.mark.parametrize("mode", ["aidl", "aidl2"])
@pytest.mark.parametrize("flags", [b"", ALL], ids=["without-flags", "with-flags"])
def test_old_modes_list_one_by_one(mode: str, flags: bytes) -> None:
    with device(29) as made:
        made.system.add_service("foo", Service())
        made.system.add_service("bar", Service())
        for index, name in enumerate(("bar", "foo")):
            reply = made.send(4, TOKENS[mode] + pack("<i", index) + flags)
            assert bytes(reply) == string16(name)
        with pytest.raises(StatusError) as caught:
            made.send(4, TOKENS[mode] + pack("<i", 2) + flags)
        assert caught.value.status == Status.PERMISSION_DENIED


@pytest.mark.parametrize("mode", ["aidl", "aidl2"])
def test_old_modes_get_a_bare_binder_or_a_zero(mode: str) -> None:
    with device(29) as made:
        made.system.add_service("foo", Service())
        reply = made.send(2, TOKENS[mode] + string16("foo"))
        assert (len(reply), len(reply.offsets)) == (24, 1)
        assert reply.read_strong_binder() is made.other.get_service("foo")
        assert bytes(made.send(2, TOKENS[mode] + string16("nope"))) == bytes(4)


@pytest.mark.parametrize("flags", [b"", pack("<i", 8)], ids=["without-flags", "with-flags"])
def test_old_modes_add_with_and_without_flags(flags: bytes) -> None:
    with device(29) as made:
        request = Parcel(api_level=29)
        request.write_interface_token("android.os.IServiceManager")
        request.write_string16("foo")
        request.write_strong_binder(Service())
        request.write_bool(False)
        if flags:
            request.write_int32(8)
        assert bytes(made.context(made.other_process).transact(3, request)) == bytes(4)
        assert made.app.list_services() == ["foo"]


def test_a_list_of_another_mode_is_an_error_and_no_more(each: Device) -> None:
    for token in TOKENS.values():
        for code in (4, 5, 6):
            try:
                made = each.send(code, token + ALL)
            except StatusError:
                continue
            made.release()
    assert "manager" in each.app.list_services() or each.level == 29


# --- tokens -------------------------------------------------------------------------------------------


def token(header: TokenHeader, interface: str = "android.os.IServiceManager") -> bytes:
    return pack("<Iii", 0x80000000, -1, header) + string16(interface)


@pytest.mark.parametrize("header", list(TokenHeader))
def test_only_the_systems_header_is_taken_unless_told_otherwise(header: TokenHeader) -> None:
    request = token(header) + ALL
    with device() as made:
        if header is TokenHeader.SYSTEM:
            assert read_names(made.send(6, request)) == ["manager"]
            return
        with pytest.raises(StatusError) as caught:
            made.send(6, request)
        assert caught.value.status == Status.BAD_TYPE


@pytest.mark.parametrize("header", list(TokenHeader))
def test_every_header_can_be_taken(header: TokenHeader) -> None:
    with device(token_headers=list(TokenHeader)) as made:
        assert read_names(made.send(6, token(header) + ALL)) == ["manager"]
        for wrong in (token(header, "android.os.IOther") + ALL, token(header)[:20], b""):
            with pytest.raises(StatusError) as caught:
                made.send(6, wrong)
            assert caught.value.status == Status.BAD_TYPE


def test_a_vendors_service_manager_takes_its_own_header_only() -> None:
    with device(token_headers=[TokenHeader.VENDOR]) as made:
        assert read_names(made.send(6, token(TokenHeader.VENDOR) + ALL)) == ["manager"]
        with pytest.raises(StatusError):
            made.send(6, token(TokenHeader.SYSTEM) + ALL)


@pytest.mark.parametrize("headers", [[], [TokenHeader.SYSTEM], [TokenHeader.VENDOR, TokenHeader.SYSTEM]])
def test_its_own_calls_have_the_first_header(headers: list[TokenHeader]) -> None:
    seen: list[Transaction] = []
    with device(token_headers=headers) as made:
        request = Parcel(header=headers[0] if headers else TokenHeader.SYSTEM)
        request.write_interface_token("android.os.IServiceManager")
        request.write_string16("manager")
        request.write_strong_binder(Registered())
        made.context(made.app_process).transact(7, request).release()
        made.driver.observers.append(seen.append)
        made.settle()
    expected = token(headers[0] if headers else TokenHeader.SYSTEM, "android.os.IServiceCallback")
    assert seen[0].data[8:].startswith(expected[8:])


def test_parcels_are_of_the_servers_level_whatever_the_transports() -> None:
    with device(37) as made:
        old = made.client(made.app_process)
        made.server.api_level = 31
        reply = made.send(1, GOLDEN_REQUEST)
        # A null binder of API level 31 has the version of its stability.
        assert bytes(reply)[-4:] == pack("<i", 1)
        assert old.list_services() == ["manager"]
