"""No bytes harm a service manager, whatever its edition."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from binder import Parcel, RemoteException, Status, StatusError
from binder.protocol import SpecialCode
from binder.reply import read_exception
from service_manager import Edition, ServiceManagerServer

from .kit import EDITIONS, IDS, Device, Service, device

few = settings(max_examples=25, deadline=None, derandomize=True, database=None)
every_edition = pytest.mark.parametrize(("level", "edition"), EDITIONS, ids=IDS)
CODES = [*range(19), 0xFFFFFF, 0xFFFFFE, *SpecialCode]


def token(level: int) -> bytes:
    parcel = Parcel(api_level=level)
    parcel.write_interface_token("android.os.IServiceManager")
    return bytes(parcel)


def execute(server: ServiceManagerServer, code: int, data: bytes) -> None:
    with suppress(StatusError):
        server.execute(code, Parcel.from_bytes(data, api_level=server.api_level), 0).release()


@every_edition
@few
@given(noise=st.binary(max_size=40))
def test_noise_is_refused(level: int, edition: Edition, noise: bytes) -> None:
    server = ServiceManagerServer(api_level=level, edition=edition)
    for code in CODES:
        execute(server, code, noise)
        execute(server, code, token(level) + noise)
    expected = [] if level == 29 else ["manager"]
    assert server.listServices(31) == expected


@every_edition
def test_every_request_may_end_anywhere(level: int, edition: Edition) -> None:
    server = ServiceManagerServer(api_level=level, edition=edition)
    request = Parcel(api_level=level)
    request.write_interface_token("android.os.IServiceManager")
    request.write_string16("foo")
    request.write_strong_binder(None)
    request.write_int32(1)
    request.write_int32(8)
    whole = bytes(request)
    for code in CODES:
        for size in range(0, len(whole), 4):
            execute(server, code, whole[:size])
    assert server.getService("foo") is None


@every_edition
def test_codes_that_an_edition_lacks_are_unknown(level: int, edition: Edition) -> None:
    with device(level, edition=edition) as made:
        known = made.server.edition.codes.values()
        for code in {*range(1, 30), 0xFFFFFF, 0xFFFFFE} - set(known):
            with pytest.raises(StatusError) as caught:
                made.send(code, token(level))
            assert caught.value.status == Status.UNKNOWN_TRANSACTION


def test_a_handle_that_the_sender_does_not_have_goes_nowhere() -> None:
    request = Parcel()
    request.write_interface_token("android.os.IServiceManager")
    request.write_string16("foo")
    offset = len(request)
    request.write_strong_binder(Service())
    request.write_bool(False)
    request.write_int32(8)
    forged = bytearray(bytes(request))
    forged[offset : offset + 4] = bytes.fromhex("852A6873")
    with device() as made:
        for offsets in ((offset,), ()):
            with pytest.raises(StatusError):
                made.send(5, bytes(forged), offsets)
        assert made.app.get_service("foo") is None


def test_more_than_was_wanted_is_refused(phone: Device) -> None:
    with phone.send(6, token(37) + bytes(8)) as reply, pytest.raises(RemoteException, match="unread size: 4"):
        read_exception(reply)


def test_an_array_is_not_believed(phone: Device) -> None:
    with pytest.raises(StatusError):
        phone.send(17, token(37) + b"\1\0\0\0\xff\xff\xff\x7f")
    assert phone.app.list_services() == ["manager"]


def test_who_registers_in_oneway_calls_owns_nothing() -> None:
    """A oneway call has no pid, so that nobody is taken for its sender later."""
    with device() as made:
        request = Parcel()
        request.write_interface_token("android.os.IServiceManager")
        request.write_string16("foo")
        service = Service()
        request.write_strong_binder(service)
        request.write_bool(False)
        request.write_int32(8)
        made.context(made.system_process).transact(5, request, 1).release()
        made.settle()
        assert made.system.get_service("foo") is service
        with pytest.raises(RemoteException):
            made.system.try_unregister_service("foo", service)
