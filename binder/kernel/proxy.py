"""A reference to an object behind the kernel's driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import DeadObjectError, StatusError
from ..flat import FlatObject, ObjectType
from ..ibinder import DeathRecipient, IBinder
from ..parcel import Parcel
from ..protocol import FIRST_CALL_TRANSACTION, LAST_CALL_TRANSACTION, Stability, Status

if TYPE_CHECKING:
    from .freezes import FreezeListener
    from .process import KernelProcess

CONTEXT_MANAGER = 0
"""The handle that leads to another object when another process takes its place."""

_PRIVATE_VENDOR = 0x10000000
"""A flag for `transact` only: the callee need not be stable beyond the vendor's image."""


class KernelProxy(IBinder):
    """What a process holds for a handle. Made by `KernelProcess`, one a handle."""

    __slots__ = ("__weakref__", "dead", "handle", "process", "stability")

    def __init__(self, process: KernelProcess, handle: int, stability: Stability) -> None:
        self.process = process
        self.handle = handle
        self.stability = stability
        self.dead = False

    def flatten(self) -> FlatObject:
        return FlatObject(ObjectType.HANDLE, self.handle, 0)

    def transact(self, code: int, data: Parcel, flags: int = 0) -> Parcel:
        if self.dead and self.handle != CONTEXT_MANAGER:
            raise DeadObjectError(f"{self!r} is dead")
        if FIRST_CALL_TRANSACTION <= code <= LAST_CALL_TRANSACTION:
            required = Stability.VENDOR if flags & _PRIVATE_VENDOR else self.process.stability
            if self.stability & required != required:
                problem = f"this process needs {required.name} stability, not {self.stability.name}"
                raise StatusError(Status.BAD_TYPE, problem)
        try:
            reply = self.process.thread().transact(self.handle, code, data, flags & ~_PRIVATE_VENDOR)
        except DeadObjectError:
            # One's own end is not the other's.
            self.dead = self.dead or not self.process.closing
            raise
        if self.handle == CONTEXT_MANAGER:
            # A new one may have taken the place of a dead one.
            self.dead = False
        return reply

    def link_to_death(self, recipient: DeathRecipient) -> None:
        self.process.deaths.link(self, recipient)

    def unlink_to_death(self, recipient: DeathRecipient) -> bool:
        return self.process.deaths.unlink(self, recipient)

    def watch_freezing(self, listener: FreezeListener) -> None:
        """Has `listener` told, now and whenever it changes, whether the process is frozen.

        Raises:
            DeadObjectError: it is dead.
            StatusError: INVALID_OPERATION: the driver cannot tell, as Linux cannot before 6.12.
        """
        self.process.freezes.watch(self, listener)

    def unwatch_freezing(self, listener: FreezeListener) -> bool:
        """Takes a listener back. Returns whether it was still there."""
        return self.process.freezes.unwatch(self, listener)

    def is_alive(self) -> bool:
        return not self.dead

    def new_parcel(self) -> Parcel:
        return Parcel(api_level=self.process.api_level, header=self.process.header)

    def __repr__(self) -> str:
        return f"<handle {self.handle} of {self.process.device.name}>"
