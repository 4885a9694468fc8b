"""A service as the shell's `service call` reaches it: without an agent, callbacks and descriptors."""

from __future__ import annotations

from binder import DeathRecipient, IBinder, Parcel, StatusError
from binder.flat import FlatObject
from binder.protocol import Stability, Status, TransactionFlag

from ..adb import AdbError, BadOutput, Device
from ..adb.android import called


class ServiceCall(IBinder):
    """Sends each call as a command of its own, some ten in a second.

    The command writes the interface token itself; what follows it is given as 32-bit words.

    Args:
        device: where.
        name: of the service.
    """

    stability = Stability.VINTF

    def __init__(self, device: Device, name: str) -> None:
        self._device = device
        self._name = name

    def transact(self, code: int, data: Parcel, flags: int = 0) -> Parcel:
        if data.offsets:
            raise StatusError(Status.BAD_TYPE, "`service call` carries no binders or descriptors")
        content = bytes(data)
        request = Parcel.from_bytes(content)
        request.read_interface_token()
        starts = range(request.position, len(content), 4)
        words = (int.from_bytes(content[at : at + 4], "little", signed=True) for at in starts)
        arguments = [part for word in words for part in ("i32", str(word))]
        try:
            said = self._device.shell(["service", "call", self._name, str(code), *arguments]).check().text
            return Parcel.from_bytes(b"" if flags & TransactionFlag.ONE_WAY else called(said))
        except BadOutput as error:
            raise StatusError(Status.FAILED_TRANSACTION, str(error)) from None
        except AdbError as error:
            raise StatusError(Status.DEAD_OBJECT, str(error)) from None

    def flatten(self) -> FlatObject:
        raise StatusError(Status.BAD_TYPE, "a service behind `service call` cannot be passed on")

    def link_to_death(self, recipient: DeathRecipient) -> None:
        raise StatusError(Status.INVALID_OPERATION, "`service call` does not hear of deaths")

    def unlink_to_death(self, recipient: DeathRecipient) -> bool:
        return False

    def is_alive(self) -> bool:
        return True

    def new_parcel(self) -> Parcel:
        return Parcel()
