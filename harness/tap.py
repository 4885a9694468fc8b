"""From the in-process driver's transactions to events: what was sent, decoded by the target's interface."""

from __future__ import annotations

import time

from binder import Stub
from binder.local import Driver, Transaction
from binder.local.process import Node

from .decode import SILENT, Call, decode
from .record import Event


class Tap:
    """Listens to a driver. Decoding waits until somebody asks for `events`."""

    def __init__(self, driver: Driver) -> None:
        self._start = driver.scheduler.now()
        self._now = driver.scheduler.now
        self._wall_start = time.monotonic()
        self._seen: list[tuple[float, Transaction | Event, float]] = []
        self._last_sequence = 0
        self._names: dict[int, str] = {}
        driver.observers.append(self._observe)

    def _observe(self, transaction: Transaction) -> None:
        self._last_sequence = max(self._last_sequence, transaction.sequence)
        self._seen.append((transaction.sequence, transaction, time.monotonic()))

    def note(self, text: str) -> None:
        """Puts a line between what has been and what follows."""
        wall = time.monotonic()
        event = Event(self._moment(self._now()), note=text, wall_at=self._wall_moment(wall))
        self._seen.append((self._last_sequence + 0.5, event, wall))

    def events(self) -> list[Event]:
        """Everything so far, in the order in which it began."""
        events = []
        for _, item, wall in sorted(self._seen, key=lambda entry: entry[0]):
            if isinstance(item, Event):
                events.append(item)
            elif item.code not in SILENT:
                events.append(self._decode(item, wall))
        return events

    def _moment(self, now: float) -> float:
        return round(now - self._start, 6)

    def _wall_moment(self, wall: float) -> float:
        return round(wall - self._wall_start, 6)

    def _decode(self, transaction: Transaction, wall: float) -> Event:
        target = transaction.node.binder
        replied = transaction.reply_objects
        began, ended = self._moment(transaction.began), self._moment(transaction.ended)
        oneway = transaction.oneway
        call = Call(
            # What the sender does not wait for happens when it is served.
            at=ended if oneway else began,
            sender=transaction.sender.label,
            receiver=transaction.node.owner.label,
            info=target.aidl if isinstance(target, Stub) else None,
            code=transaction.code,
            oneway=oneway,
            data=transaction.data,
            names=self._names_in(transaction.objects),
            reply=transaction.reply,
            reply_names=None if replied is None else self._names_in(replied),
            error=str(transaction.error) if transaction.error else "",
            sender_uid=transaction.sender.uid,
            receiver_uid=transaction.node.owner.uid,
            # Before the names in it: those that are found by name have none, and need none.
            target=self._names.get(id(transaction.node), ""),
            sent=began if oneway else None,
            ended=None if oneway else ended,
            wall_at=self._wall_moment(wall),
        )
        return decode(call)

    def _names_in(self, objects: dict[int, Node | None]) -> dict[int, str | None]:
        return {offset: None if node is None else self._name_of(node) for offset, node in objects.items()}

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
