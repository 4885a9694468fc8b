"""What a binder is to whoever holds one: something to send transactions to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from .flat import FlatObject
from .protocol import SpecialCode, Stability

if TYPE_CHECKING:
    from .parcel import Parcel

DeathRecipient: TypeAlias = Callable[[], None]
"""Called once, when the process behind a binder has died."""


class IBinder(ABC):
    """A reference to an object that may live in another process."""

    __slots__ = ()

    stability: Stability

    @abstractmethod
    def flatten(self) -> FlatObject:
        """How this binder is written into a parcel."""

    @abstractmethod
    def transact(self, code: int, data: Parcel, flags: int = 0) -> Parcel:
        """Sends a transaction.

        Returns:
            The reply, to be read from its start; empty if `flags` has ONE_WAY.

        Raises:
            DeadObjectError: the process is gone.
            StatusError: the transaction ended with another status than OK.
        """

    @abstractmethod
    def link_to_death(self, recipient: DeathRecipient) -> None:
        """Has `recipient`, a function without arguments, called when the process dies.

        Raises:
            DeadObjectError: it is dead already.
        """

    @abstractmethod
    def unlink_to_death(self, recipient: DeathRecipient) -> bool:
        """Takes a link back. Returns whether it was still there."""

    @abstractmethod
    def is_alive(self) -> bool:
        """Whether the process was alive when last heard of; asks nobody."""

    @abstractmethod
    def new_parcel(self) -> Parcel:
        """An empty parcel in the variant that this binder's transport speaks."""

    def ping(self) -> None:
        """Raises `DeadObjectError` or another `StatusError` unless the object answers."""
        self.transact(SpecialCode.PING, self.new_parcel()).release()

    def interface_descriptor(self) -> str:
        """The name of the interface behind this binder, "" if it has none."""
        with self.transact(SpecialCode.INTERFACE, self.new_parcel()) as reply:
            return reply.read_string16() or ""
