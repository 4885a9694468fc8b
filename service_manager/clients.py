"""Whether anybody uses a service, and telling those who want to know.

How many hold an object is known to the driver alone, so it has to be asked. Without an answer, a
service is taken to be in use: then it is never told that it is not, and never unregistered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from binder import IBinder

from .registry import Callbacks, Registration

CountReferences: TypeAlias = Callable[[IBinder], int | None]
"""How many strong references there are to a binder, the service manager's own included; None if
that cannot be known. For the kernel's driver, what GET_NODE_INFO_FOR_REF says."""

# References that are no client's: the service manager's own, and, while a call to it carries the
# object, that of the call.
OWN = 1
OWN_AND_OF_CALL = 2


class Clients:
    """Keeps client callbacks told.

    Args:
        callbacks: who wants to know, by the service's name.
        count: asks the driver.
        tell: calls `onClients` of a callback.
    """

    def __init__(
        self,
        callbacks: Callbacks,
        count: CountReferences | None,
        tell: Callable[[IBinder, IBinder, bool], None],
    ) -> None:
        self._callbacks = callbacks
        self._count = count
        self._tell = tell

    def add(self, registration: Registration, callback: IBinder) -> None:
        """Adds a callback; it is told at once if there are clients, as all the others were."""
        self._callbacks.add(registration.name, callback)
        if registration.has_clients:
            self._tell(callback, registration.binder, True)
        self.update(registration, OWN_AND_OF_CALL)

    def promise(self, registration: Registration) -> None:
        """The service is about to be handed out; until that shows in the count, it counts as used."""
        registration.promised = True
        self.update(registration, OWN_AND_OF_CALL)
        registration.promised = True

    def update(self, registration: Registration, known: int, *, in_time: bool = False) -> bool:
        """Counts, and tells callbacks of what has changed.

        Args:
            known: references that are no client's.
            in_time: it is time to notice that the last client has gone. Between those times, that is
                not told, lest a service ends and is started again all the time.

        Returns:
            Whether the service must be taken to have clients.
        """
        if not self._callbacks.of(registration.name):
            return True
        count = None if self._count is None else self._count(registration.binder)
        if count is None:
            return True
        is_used = count > known
        if registration.promised or is_used:
            self._change(registration, True)
            registration.promised = False
        if in_time and not is_used:
            self._change(registration, False)
        return registration.has_clients

    def _change(self, registration: Registration, has_clients: bool) -> None:
        if registration.has_clients is has_clients:
            return
        registration.has_clients = has_clients
        for callback in self._callbacks.of(registration.name):
            self._tell(callback, registration.binder, has_clients)
