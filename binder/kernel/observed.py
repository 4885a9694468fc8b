"""Keeping a record of what a process says and hears: the bytes, before and after anybody has read them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import StatusError
from ..flat import FlatObject
from ..ibinder import DeathRecipient, IBinder
from ..identity import calling_uid
from ..node import Binder
from ..parcel import Parcel
from ..protocol import Stability, TransactionFlag
from .device import Device
from .process import KernelProcess

_ONE_WAY = int(TransactionFlag.ONE_WAY)


@dataclass(slots=True)
class Exchange:
    """One transaction, as this process made or served it.

    Attributes:
        outgoing: whether this process made it.
        target: whom it is for: an object of this process, or the other's, as held here.
        sender_uid: of one that came in.
        objects: the binders in it, by offset; None for a descriptor.
        began, ended: on the monotonic clock, in seconds.
        reply: None for a oneway transaction or one that failed; `reply_objects` goes with it.
        error: the status with which it ended, if not OK.
    """

    outgoing: bool
    target: IBinder
    code: int
    flags: int
    sender_uid: int
    data: bytes
    objects: dict[int, IBinder | None]
    began: float
    ended: float = 0.0
    reply: bytes | None = None
    reply_objects: dict[int, IBinder | None] | None = None
    error: StatusError | None = None

    @property
    def oneway(self) -> bool:
        return self.flags & _ONE_WAY != 0

    def finish(self, reply: Parcel | None, error: StatusError | None) -> None:
        self.ended = time.monotonic()
        self.error = error
        if reply is not None and not self.oneway:
            self.reply, self.reply_objects = bytes(reply), _objects_in(reply)


Observer: TypeAlias = Callable[[Exchange], None]
"""Hears of every transaction when it has ended, on the thread that made or served it."""


def _objects_in(parcel: Parcel) -> dict[int, IBinder | None]:
    found = ((offset, parcel.object_at(offset)) for offset in parcel.offsets)
    return {offset: thing if isinstance(thing, IBinder) else None for offset, thing in found}


def _begun(outgoing: bool, target: IBinder, code: int, data: Parcel, flags: int) -> Exchange:
    uid = 0 if outgoing else calling_uid()
    return Exchange(outgoing, target, code, int(flags), uid, bytes(data), _objects_in(data), time.monotonic())


class ObservedBinder(IBinder):
    """Another process's object, as it was; what is sent to it is told."""

    def __init__(self, binder: IBinder, observer: Observer) -> None:
        self.binder = binder
        self.stability = binder.stability
        self._observer = observer

    def flatten(self) -> FlatObject:
        return self.binder.flatten()

    def transact(self, code: int, data: Parcel, flags: int = 0) -> Parcel:
        exchange = _begun(True, self.binder, code, data, flags)
        reply: Parcel | None = None
        failure: StatusError | None = None
        try:
            reply = self.binder.transact(code, data, flags)
            return reply
        except StatusError as error:
            failure = error
            raise
        finally:
            exchange.finish(reply, failure)
            if reply is not None:
                self._observe_binders(reply, exchange.reply_objects or {})
            self._observer(exchange)

    def _observe_binders(self, reply: Parcel, objects: dict[int, IBinder | None]) -> None:
        """What is sent to those of others that a reply brings is told, too."""
        for offset, binder in objects.items():
            if binder is not None and not isinstance(binder, Binder):
                reply.replace_binder(offset, ObservedBinder(binder, self._observer))

    def link_to_death(self, recipient: DeathRecipient) -> None:
        self.binder.link_to_death(recipient)

    def unlink_to_death(self, recipient: DeathRecipient) -> bool:
        return self.binder.unlink_to_death(recipient)

    def is_alive(self) -> bool:
        return self.binder.is_alive()

    def new_parcel(self) -> Parcel:
        return self.binder.new_parcel()


class _ObservedTarget(Binder):
    """One of this process's own objects, while it serves a transaction."""

    def __init__(self, binder: Binder, observer: Observer) -> None:
        self.binder = binder
        self._observer = observer

    def execute(self, code: int, data: Parcel, flags: int) -> Parcel:
        exchange = _begun(False, self.binder, code, data, flags)
        reply: Parcel | None = None
        failure: StatusError | None = None
        try:
            reply = self.binder.execute(code, data, flags)
            return reply
        except StatusError as error:
            failure = error
            raise
        finally:
            exchange.finish(reply, failure)
            self._observer(exchange)


class ObservedProcess(KernelProcess):
    """A process that tells of the transactions that come in; `observed` makes a binder tell of its own.

    Args:
        device: an open device; it belongs to this object from now on.
        observer: whom to tell.
        max_threads: how many threads the driver may ask for, beside the first.
    """

    def __init__(self, device: Device, observer: Observer, *, max_threads: int) -> None:
        self._observer = observer
        super().__init__(device, max_threads=max_threads)

    def target(self, pointer: int) -> Binder:
        return _ObservedTarget(super().target(pointer), self._observer)

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> IBinder:
        found = super().resolve_binder(flat, stability)
        return found.binder if isinstance(found, _ObservedTarget) else found

    def observed(self, binder: IBinder) -> IBinder:
        """A binder of somebody else's that tells the observer what is sent to it."""
        return ObservedBinder(binder, self._observer)
