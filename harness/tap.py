"""From the in-process driver's transactions to events: what was sent, decoded by the target's interface."""

from __future__ import annotations

from typing import Any

from binder import (
    Binder,
    BinderError,
    IBinder,
    InterfaceInfo,
    Method,
    Parcel,
    RemoteException,
    SpecialCode,
    Stub,
)
from binder.flat import FLAT_OBJECT, FlatObject
from binder.local import Driver, Transaction
from binder.local.process import Node
from binder.reply import read_exception

from .record import Event, JsonValue, plain

# What every binder is asked now and then, and what says nothing about the NPU.
_SILENT = {SpecialCode.PING, SpecialCode.INTERFACE}


class Tap:
    """Listens to a driver. Decoding waits until somebody asks for `events`."""

    def __init__(self, driver: Driver) -> None:
        self._start = driver.scheduler.now()
        self._now = driver.scheduler.now
        self._seen: list[tuple[float, Transaction | Event]] = []
        self._last_sequence = 0
        self._names: dict[int, str] = {}
        driver.observers.append(self._observe)

    def _observe(self, transaction: Transaction) -> None:
        self._last_sequence = max(self._last_sequence, transaction.sequence)
        self._seen.append((transaction.sequence, transaction))

    def note(self, text: str) -> None:
        """Puts a line between what has been and what follows."""
        self._seen.append((self._last_sequence + 0.5, Event(self._moment(self._now()), note=text)))

    def events(self) -> list[Event]:
        """Everything so far, in the order in which it began."""
        events = []
        for _, item in sorted(self._seen, key=lambda entry: entry[0]):
            if isinstance(item, Event):
                events.append(item)
            elif item.code not in _SILENT:
                events.append(self._decode(item))
        return events

    def _moment(self, now: float) -> float:
        return round(now - self._start, 6)

    def _decode(self, transaction: Transaction) -> Event:
        target = transaction.node.binder
        info = target.aidl if isinstance(target, Stub) else None
        method = info.by_code.get(transaction.code) if info else None
        arguments: dict[str, JsonValue] = {}
        result: JsonValue = None
        error = str(transaction.error) if transaction.error else ""
        if info is not None and method is not None:
            arguments = self._arguments(method, transaction)
            if transaction.reply is not None and not transaction.oneway:
                result, error = self._result(method, transaction)
        return Event(
            # What the sender does not wait for happens when it is served.
            at=self._moment(transaction.ended if transaction.oneway else transaction.began),
            sender=transaction.sender.label,
            receiver=transaction.node.owner.label,
            method=_method_name(info, method, transaction.code),
            arguments=arguments,
            result=result,
            error=error,
            oneway=transaction.oneway,
        )

    def _arguments(self, method: Method[Any], transaction: Transaction) -> dict[str, JsonValue]:
        parcel = self._parcel(transaction.data, transaction.objects)
        try:
            parcel.read_interface_token()
            values = method.read_request(parcel)
        except BinderError as error:
            return {"(unreadable)": str(error)}
        return {name: plain(value, _named) for name, value in zip(method.parameters, values, strict=True)}

    def _result(self, method: Method[Any], transaction: Transaction) -> tuple[JsonValue, str]:
        parcel = self._parcel(transaction.reply or b"", transaction.reply_objects or {})
        try:
            read_exception(parcel)
            return plain(method.read_reply(parcel), _named), ""
        except RemoteException as error:
            return None, f"{type(error).__name__}: {error}"
        except BinderError as error:
            return None, str(error)

    def _parcel(self, data: bytes, objects: dict[int, Node | None]) -> Parcel:
        """The bytes again, with binders that are only names."""
        parcel = Parcel.from_bytes(data, objects)
        for offset, node in objects.items():
            if node is not None:
                kind, flags, value, cookie = FLAT_OBJECT.unpack_from(data, offset)
                name = _NamedBinder(self._name_of(node))
                parcel.patch_object(offset, FlatObject(kind, value, cookie), flags, holds=name)
        return parcel

    def _name_of(self, node: Node) -> str:
        """What a node is called: its owner, its interface, and a number by order of first mention."""
        known = self._names.get(id(node))
        if known is None:
            target = node.binder
            kind = target.aidl.descriptor.rpartition(".")[2] if isinstance(target, Stub) else "binder"
            prefix = f"{node.owner.label}'s {kind}"
            number = sum(name.startswith(prefix) for name in self._names.values()) + 1
            known = self._names[id(node)] = f"{prefix} #{number}"
        return known


class _NamedBinder(Binder):
    """Stands for a node in decoded arguments."""

    def __init__(self, name: str) -> None:
        self.name = name


def _named(binder: IBinder) -> str:
    return binder.name if isinstance(binder, _NamedBinder) else repr(binder)


def _method_name(info: InterfaceInfo | None, method: Method[Any] | None, code: int) -> str:
    interface = info.descriptor.rpartition(".")[2] if info else "binder"
    if method is not None:
        return f"{interface}.{method.name}"
    if code in SpecialCode.__members__.values():
        return f"{interface}.{SpecialCode(code).name}"
    return f"{interface}.code {code}"
