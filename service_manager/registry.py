"""What a service manager remembers: services and callbacks, each for as long as its process lives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from binder import DeadObjectError, DeathRecipient, IBinder, IllegalStateException
from generated.android.os import IServiceManager

OnDeath = Callable[[DeathRecipient], DeathRecipient]
"""Makes a recipient that does the same, but when it is its turn."""


def link(binder: IBinder, recipient: DeathRecipient) -> None:
    """Links to a death. Raises `IllegalStateException` if it has happened."""
    try:
        binder.link_to_death(recipient)
    except DeadObjectError as error:
        raise IllegalStateException("Couldn't link to death") from error


@dataclass(eq=False, slots=True)
class Registration:
    """A service under a name.

    Attributes:
        pid: of the process that registered it; None for the service manager itself.
        has_clients: what its client callbacks were told last.
        promised: it has been handed out, so that a client may be about to appear.
    """

    name: str
    binder: IBinder
    pid: int | None
    allow_isolated: bool = False
    dump_priority: int = IServiceManager.DUMP_FLAG_PRIORITY_DEFAULT
    has_clients: bool = False
    promised: bool = False
    recipient: DeathRecipient | None = field(default=None, repr=False)

    @property
    def is_lazy(self) -> bool:
        return self.dump_priority & IServiceManager.FLAG_IS_LAZY_SERVICE != 0


class Registrations:
    """Services by name.

    Args:
        in_turn: what death recipients are passed through.
    """

    def __init__(self, in_turn: OnDeath) -> None:
        self._in_turn = in_turn
        self._by_name: dict[str, Registration] = {}

    def add(self, registration: Registration) -> None:
        """Registers, replacing one of the same name. Raises `IllegalStateException` for a dead service."""
        registration.recipient = self._in_turn(partial(self._died, registration))
        link(registration.binder, registration.recipient)
        self.remove(registration.name)
        self._by_name[registration.name] = registration

    def get(self, name: str) -> Registration | None:
        return self._by_name.get(name)

    def remove(self, name: str) -> None:
        """Forgets a name, if it is known."""
        registration = self._by_name.pop(name, None)
        if registration is not None and registration.recipient is not None:
            registration.binder.unlink_to_death(registration.recipient)

    def __iter__(self) -> Iterator[Registration]:
        """All of them, in the order of their names."""
        return iter([self._by_name[name] for name in sorted(self._by_name)])

    def _died(self, registration: Registration) -> None:
        # By the time it is told, the name may belong to another.
        if self._by_name.get(registration.name) is registration:
            del self._by_name[registration.name]


@dataclass(eq=False, slots=True)
class _Callback:
    binder: IBinder
    recipient: DeathRecipient


class Callbacks:
    """Callbacks by the name of the service that they want to hear of."""

    def __init__(self, in_turn: OnDeath) -> None:
        self._in_turn = in_turn
        self._by_name: dict[str, list[_Callback]] = {}

    def add(self, name: str, binder: IBinder) -> None:
        """Adds a callback, again if it is there. Raises `IllegalStateException` for a dead one."""
        recipient = self._in_turn(partial(self._died, name, binder))
        link(binder, recipient)
        self._by_name.setdefault(name, []).append(_Callback(binder, recipient))

    def remove(self, name: str, binder: IBinder) -> bool:
        """Removes a callback, however often it was added. Returns whether it was there."""
        removed = self._drop(name, binder)
        for callback in removed:
            callback.binder.unlink_to_death(callback.recipient)
        return bool(removed)

    def of(self, name: str) -> list[IBinder]:
        """The callbacks of a name, in the order in which they were added."""
        return [callback.binder for callback in self._by_name.get(name, ())]

    def __len__(self) -> int:
        return sum(map(len, self._by_name.values()))

    def _died(self, name: str, binder: IBinder) -> None:
        self._drop(name, binder)

    def _drop(self, name: str, binder: IBinder) -> list[_Callback]:
        before = self._by_name.pop(name, [])
        kept = [callback for callback in before if callback.binder is not binder]
        if kept:
            self._by_name[name] = kept
        return [callback for callback in before if callback.binder is binder]
