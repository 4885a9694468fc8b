"""The methods of each edition, made from the rows of the generated interface.

Nearly all differ from those in nothing but their codes. What differs in its bytes has an adapter
here: the union that changed its shape during API level 35, and the replies of API level 29.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from binder import IBinder, InterfaceInfo, Method, Parcel, ParcelError, Status, StatusError
from generated.android.os import IServiceManager, Service, ServiceWithMetadata

from .codes import Edition

_GENERATED: dict[str, Method[Any]] = {method.name: method for method in IServiceManager.aidl.methods}
_SERVICE_ROW: Method[Service] = _GENERATED["checkService2"]


@cache
def interface_of(edition: Edition) -> InterfaceInfo:
    """The interface as an edition has it."""
    methods = [_row(edition, name, code) for name, code in edition.codes.items()]
    return InterfaceInfo(IServiceManager.aidl.descriptor, methods)


def row_of(edition: Edition, name: str) -> Method[Any]:
    """A method of an edition. Raises `StatusError` as a peer would that has been asked for it."""
    code = edition.codes.get(name)
    if code is None:
        problem = f"the service manager of API level {edition.value} has no {name}"
        raise StatusError(Status.UNKNOWN_TRANSACTION, problem)
    return interface_of(edition).by_code[code]


def _row(edition: Edition, name: str, code: int) -> Method[Any]:
    row = _GENERATED[name]
    match edition:
        case Edition.API_29:
            return replace(row, code=code, **_PLAIN[name])
        case Edition.API_35_R6 | Edition.API_35_R20 if name in ("getService2", "checkService"):
            is_first = edition is Edition.API_35_R6
            return replace(
                row,
                code=code,
                attribute="getService2" if name == "getService2" else "checkService2",
                write_reply=write_first_service if is_first else _SERVICE_ROW.write_reply,
                read_reply=read_either_service,
            )
    return replace(row, code=code)


# --- the union of API level 35 ------------------------------------------------------------------------


def read_either_service(parcel: Parcel) -> Service:
    """A Service as any build of API level 35 writes it."""
    start = parcel.position
    try:
        return _SERVICE_ROW.read_reply(parcel)
    except ParcelError:
        # Before r20, there is a binder where this one has the marker of a parcelable.
        parcel.position = start
    if (parcel.read_int32(), parcel.read_int32()) != (1, Service.Tag.serviceWithMetadata):
        parcel.position = start
        raise parcel.error(Status.BAD_VALUE, "something that is no Service of any release")
    return Service.serviceWithMetadata(ServiceWithMetadata(parcel.read_strong_binder()))


def write_first_service(parcel: Parcel, service: Service) -> None:
    """A Service as it was before r20, without anything but the service itself."""
    if not isinstance(service.value, ServiceWithMetadata):
        return parcel.write_parcelable(service)
    parcel.write_int32(1)
    parcel.write_int32(service.tag)
    parcel.write_strong_binder(service.value.service)


# --- API level 29 -------------------------------------------------------------------------------------

# Size of a flat binder; the reply for a missing service is shorter.
_BINDER_SIZE = 24


def _read_binder(parcel: Parcel) -> IBinder | None:
    return parcel.read_strong_binder() if parcel.remaining >= _BINDER_SIZE else None


def _write_binder(parcel: Parcel, binder: IBinder | None) -> None:
    if binder is None:
        parcel.write_int32(0)
    else:
        parcel.write_strong_binder(binder)


def _read_add_request(parcel: Parcel) -> tuple[str, IBinder, bool, int]:
    name = parcel.non_null(parcel.read_string16())
    service = parcel.non_null(parcel.read_strong_binder())
    return (
        name,
        service,
        parcel.read_bool(),
        _read_priority(parcel, IServiceManager.DUMP_FLAG_PRIORITY_DEFAULT),
    )


def _read_priority(parcel: Parcel, without: int) -> int:
    # Before API level 28 there was none.
    return parcel.read_int32() if parcel.remaining else without


def _read_add_reply(parcel: Parcel) -> None:
    if status := parcel.read_int32():
        raise StatusError(status, "the service was not added")


def _write_list_request(parcel: Parcel, index: int, priority: int) -> None:
    parcel.write_int32(index)
    parcel.write_int32(priority)


def _read_list_request(parcel: Parcel) -> tuple[int, int]:
    return parcel.read_int32(), _read_priority(parcel, IServiceManager.DUMP_FLAG_PRIORITY_ALL)


_LOOK_UP: dict[str, Any] = {"read_reply": _read_binder, "write_reply": _write_binder}
_PLAIN: dict[str, dict[str, Any]] = {
    "getService": _LOOK_UP,
    "checkService": _LOOK_UP,
    "addService": {
        "read_request": _read_add_request,
        "write_reply": lambda parcel, result: parcel.write_int32(0),
        "read_reply": _read_add_reply,
    },
    "listServices": {
        "attribute": "service_at",
        "parameters": ("index", "dumpPriority"),
        "write_request": _write_list_request,
        "read_request": _read_list_request,
        "write_reply": Parcel.write_string16,
        "read_reply": Parcel.read_string16,
    },
}
