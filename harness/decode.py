"""From a transaction's bytes to an event: what was said, decoded by the interface it was said to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from binder import (
    Binder,
    BinderError,
    IBinder,
    InterfaceInfo,
    Method,
    Parcel,
    ParcelError,
    RemoteException,
    SpecialCode,
)
from binder.flat import FLAT_OBJECT, FlatObject
from binder.protocol import GET_INTERFACE_HASH, GET_INTERFACE_VERSION
from binder.reply import read_exception
from generated.android.hardware.npu import IScheduling, ISchedulingCallback
from generated.android.npumanager import (
    IModelLoadCallback,
    INpuAllocator,
    INpuAllocatorCallback,
    INpuManagerService,
)

from .record import Event, JsonValue, plain

SILENT = {SpecialCode.PING, SpecialCode.INTERFACE}
"""What every binder is asked now and then, and what says nothing about the NPU."""

_ABOUT_ITSELF = {GET_INTERFACE_VERSION: "getInterfaceVersion", GET_INTERFACE_HASH: "getInterfaceHash"}

OF_THE_HAL = (IScheduling.aidl, ISchedulingCallback.aidl)

OF_BUFFERS = (INpuAllocator.aidl, INpuAllocatorCallback.aidl)

INTERFACES = {
    info.descriptor: info
    for info in (INpuManagerService.aidl, IModelLoadCallback.aidl, *OF_BUFFERS, *OF_THE_HAL)
}
"""By descriptor, those that scenarios are about."""

Names = Mapping[int, str | None]
"""By offset, what a binder there is called; None for a descriptor."""


@dataclass(frozen=True, slots=True)
class Call:
    """A transaction, as bytes. `info` is the interface of its target, if that is known.

    What else is as in the `Event` that it becomes.
    """

    at: float
    sender: str
    receiver: str
    info: InterfaceInfo | None
    code: int
    oneway: bool
    data: bytes
    names: Names
    reply: bytes | None = None
    reply_names: Names | None = None
    error: str = ""
    sender_uid: int | None = None
    receiver_uid: int | None = None
    target: str = ""
    sent: float | None = None
    ended: float | None = None
    wall_at: float | None = None


def interface_of(data: bytes) -> InterfaceInfo | None:
    """The interface that a request is for, as its token says; the service's if it has none."""
    try:
        descriptor = Parcel.from_bytes(data).read_interface_token().descriptor
    except ParcelError:
        return INpuManagerService.aidl
    return INTERFACES.get(descriptor)


def decode(call: Call) -> Event:
    """The event that a call is."""
    method = call.info.by_code.get(call.code) if call.info else None
    arguments: dict[str, JsonValue] = {}
    result: JsonValue = None
    error = call.error
    if method is not None:
        arguments = _arguments(method, call)
        if call.reply is not None and not call.oneway:
            result, error = _result(method, call.reply, call.reply_names or {})
    return Event(
        at=call.at,
        sender=call.sender,
        receiver=call.receiver,
        method=_method_name(call.info, method, call.code),
        arguments=arguments,
        result=result,
        error=error,
        oneway=call.oneway,
        sender_uid=call.sender_uid,
        receiver_uid=call.receiver_uid,
        target=call.target,
        sent=call.sent if call.sent != call.at else None,
        ended=call.ended if call.ended != call.at else None,
        wall_at=call.wall_at,
    )


def _arguments(method: Method[Any], call: Call) -> dict[str, JsonValue]:
    parcel = _parcel(call.data, call.names)
    try:
        parcel.read_interface_token()
        values = method.read_request(parcel)
    except BinderError as error:
        return {"(unreadable)": str(error)}
    return {name: plain(value, _named) for name, value in zip(method.parameters, values, strict=True)}


def _result(method: Method[Any], reply: bytes, names: Names) -> tuple[JsonValue, str]:
    parcel = _parcel(reply, names)
    try:
        read_exception(parcel)
        return plain(method.read_reply(parcel), _named), ""
    except RemoteException as error:
        return None, f"{type(error).__name__}: {error}"
    except BinderError as error:
        return None, str(error)


def _parcel(data: bytes, names: Names) -> Parcel:
    """The bytes again, with binders that are only names."""
    parcel = Parcel.from_bytes(data, names)
    for offset, name in names.items():
        if name is not None:
            kind, flags, value, cookie = FLAT_OBJECT.unpack_from(data, offset)
            parcel.patch_object(offset, FlatObject(kind, value, cookie), flags, holds=_NamedBinder(name))
    return parcel


class _NamedBinder(Binder):
    """Stands for a binder in decoded arguments."""

    def __init__(self, name: str) -> None:
        self.name = name


def _named(binder: IBinder) -> str:
    return binder.name if isinstance(binder, _NamedBinder) else repr(binder)


def _method_name(info: InterfaceInfo | None, method: Method[Any] | None, code: int) -> str:
    interface = info.descriptor.rpartition(".")[2] if info else "binder"
    if method is not None:
        return f"{interface}.{method.name}"
    if code in _ABOUT_ITSELF:
        return f"{interface}.{_ABOUT_ITSELF[code]}"
    if code in SpecialCode.__members__.values():
        return f"{interface}.{SpecialCode(code).name}"
    return f"{interface}.code {code}"
