"""A binder that lives in this process."""

from __future__ import annotations

import logging
from itertools import count
from typing import IO

from .console import serve_dump, serve_shell_command
from .errors import ParcelError, StatusError
from .fds import ParcelFileDescriptor
from .flat import FlatObject, ObjectType
from .ibinder import DeathRecipient, IBinder
from .identity import serving_pid
from .parcel import Parcel
from .protocol import SpecialCode, Stability, Status, TransactionFlag

log = logging.getLogger("binder")

# The kernel tells nodes apart by an address; any number that is unique and not 0 will do.
_addresses = count(0x1000, 0x10)


class _Here:
    """Resolves the objects in a call that never leaves its process: binders are what they were."""

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> IBinder:
        raise ParcelError(Status.BAD_TYPE, f"nobody here knows the object {flat.value:#x}")

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        try:
            return ParcelFileDescriptor.dup(fd)
        except OSError as error:
            raise StatusError(Status.FAILED_TRANSACTION, f"a descriptor cannot be sent: {error}") from None


def _copied(parcel: Parcel) -> Parcel:
    """What arrives when a parcel is sent to oneself. Descriptors are copied, as they always are."""
    objects = {offset: parcel.object_at(offset) for offset in parcel.offsets}
    return Parcel.from_bytes(
        bytes(parcel),
        parcel.offsets,
        resolver=_Here(),
        objects={offset: thing for offset, thing in objects.items() if isinstance(thing, IBinder)},
        api_level=parcel.api_level,
    )


class Binder(IBinder):
    """An object that answers transactions. Subclass a generated `Bn...` rather than this.

    Override `on_dump` and `on_shell_command` to be reachable through `dumpsys` and `cmd`.
    """

    stability = Stability.SYSTEM

    @property
    def address(self) -> int:
        """What tells this node from the others of its process."""
        # Not in __init__, which a subclass may have no reason to call.
        address: int = self.__dict__.get("_address") or self.__dict__.setdefault("_address", next(_addresses))
        return address

    def flatten(self) -> FlatObject:
        return FlatObject(ObjectType.BINDER, self.address, self.address)

    def transact(self, code: int, data: Parcel, flags: int = 0) -> Parcel:
        with _copied(data) as request:
            reply = self.execute(code, request, flags)
        return Parcel(api_level=data.api_level) if flags & TransactionFlag.ONE_WAY else _copied(reply)

    def link_to_death(self, recipient: DeathRecipient) -> None:
        """Does nothing: whoever could be told dies together with this object."""

    def unlink_to_death(self, recipient: DeathRecipient) -> bool:
        return True

    def is_alive(self) -> bool:
        return True

    def new_parcel(self) -> Parcel:
        return Parcel()

    def execute(self, code: int, data: Parcel, flags: int) -> Parcel:
        """Serves one transaction, for drivers.

        Returns:
            The reply, positioned at its end.

        Raises:
            StatusError: what to answer instead of a reply. Nothing else is ever raised.
        """
        reply = Parcel(api_level=data.api_level)
        try:
            self.on_transact(code, data, reply, flags)
        except StatusError:
            raise
        except ParcelError as error:
            data.discard()
            raise StatusError(error.status, str(error)) from error
        except Exception as error:
            # A fault in one method must not take the whole server down.
            log.exception("%s failed in transaction %#x", type(self).__name__, code)
            raise StatusError(Status.UNKNOWN_ERROR, f"{type(error).__name__} in the service") from error
        return reply

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        """Answers one transaction. Raises `StatusError` or `ParcelError` for one it cannot."""
        if code == SpecialCode.INTERFACE:
            reply.write_string16(self.own_descriptor())
        elif code == SpecialCode.DUMP:
            serve_dump(self, data)
        elif code == SpecialCode.SHELL_COMMAND:
            serve_shell_command(self, data)
        elif code == SpecialCode.EXTENSION:
            reply.write_strong_binder(None)
        elif code == SpecialCode.DEBUG_PID:
            reply.write_int32(serving_pid())
        elif code not in (SpecialCode.PING, SpecialCode.SYSPROPS):
            raise StatusError(
                Status.UNKNOWN_TRANSACTION,
                f"{self.own_descriptor() or type(self).__name__} has no code {code}",
            )

    def own_descriptor(self) -> str:
        """The name of the interface that this object serves."""
        return ""

    def on_dump(self, out: IO[str], args: list[str]) -> None:
        """Writes what `dumpsys` should show."""

    def on_shell_command(self, stdin: IO[str], out: IO[str], err: IO[str], args: list[str]) -> int:
        """Runs `cmd SERVICE ARGS...` and returns its exit code."""
        err.write("No shell command implementation.\n")
        return Status.INVALID_OPERATION
