"""What processes under a real driver say and hear, as the events of a story."""

from __future__ import annotations

import threading
import time
from typing import Any, Protocol

from binder import IBinder, Stub
from binder.kernel.observed import Exchange

from .control import Stage
from .decode import INTERFACES, OF_THE_HAL, SILENT, Call, decode, interface_of
from .record import Event

_UIDS = {"system_server": 1000}
"""By label, the uids of those who are no apps, as far as they are the same everywhere."""


class Speaker(Protocol):
    """Whose exchanges they are."""

    @property
    def label(self) -> str:
        """What the story calls it."""

    @property
    def uid(self) -> int: ...


class Story:
    """What apps say and hear, as it happens; what service and HAL say to each other is asked for."""

    def __init__(self, control: Stage) -> None:
        self.changed = threading.Condition()
        # The server's clock began at another time.
        server = control("reset")
        self.start = time.monotonic()
        self._offset = server - self.start
        self._control = control
        self.last_heard = self.start
        self._seen: list[tuple[Speaker, Exchange]] = []
        self._notes: list[Event] = []
        self._of_server: list[Event] = []
        self._names: dict[int, str] = {}
        self._kinds: dict[int, str] = {}  # of what is not ours, as far as it has been called

    def add(self, app: Speaker, exchange: Exchange) -> None:
        with self.changed:
            self._seen.append((app, exchange))
            self.last_heard = time.monotonic()
            self.changed.notify_all()

    def note(self, text: str) -> None:
        self._notes.append(Event(self._moment(time.monotonic()), note=text))

    def events(self) -> list[Event]:
        """Everything so far, by time."""
        self._of_server += map(self._told, self._control("events", since=len(self._of_server)))
        with self.changed:
            # A callback can be over before the call that handed it over; names come with that.
            seen = sorted(self._seen, key=lambda entry: entry[1].began)
        self._kinds = {
            id(exchange.target): info.descriptor.rpartition(".")[2]
            for _, exchange in seen
            if exchange.outgoing and (info := interface_of(exchange.data))
        }
        decoded = [self._decode(app, exchange) for app, exchange in seen if exchange.code not in SILENT]
        return sorted([*self._notes, *self._of_server, *decoded], key=lambda event: event.at)

    def _moment(self, at: float) -> float:
        return round(max(at - self.start, 0.0), 6)

    def _decode(self, app: Speaker, exchange: Exchange) -> Event:
        target = exchange.target
        info = target.aidl if isinstance(target, Stub) else interface_of(exchange.data)
        other = "npu-hal" if info in OF_THE_HAL else "system_server"
        ends = (app.label, other)
        uids = (app.uid, _UIDS.get(other) if exchange.outgoing else exchange.sender_uid)
        sender, receiver = ends if exchange.outgoing else ends[::-1]
        sender_uid, receiver_uid = uids if exchange.outgoing else uids[::-1]
        began, ended = self._moment(exchange.began), self._moment(exchange.ended)
        replied = exchange.reply_objects
        return decode(
            Call(
                at=ended if exchange.oneway else began,
                sender=sender,
                receiver=receiver,
                info=info,
                code=exchange.code,
                oneway=exchange.oneway,
                data=exchange.data,
                names=self._names_in(app, exchange.objects),
                reply=exchange.reply,
                reply_names=None if replied is None else self._names_in(app, replied),
                error=str(exchange.error) if exchange.error else "",
                sender_uid=sender_uid,
                receiver_uid=receiver_uid,
                target=self._names.get(id(target), ""),
                ended=None if exchange.oneway else ended,
            )
        )

    def _names_in(self, app: Speaker, objects: dict[int, IBinder | None]) -> dict[int, str | None]:
        return {
            offset: None if binder is None else self._name_of(app, binder)
            for offset, binder in objects.items()
        }

    def _name_of(self, app: Speaker, binder: IBinder) -> str:
        known = self._names.get(id(binder))
        if known is None:
            if isinstance(binder, Stub):
                prefix = f"{app.label}'s {binder.aidl.descriptor.rpartition('.')[2]}"
            else:
                prefix = f"system_server's {self._kinds.get(id(binder), 'binder')}"
            number = sum(name.startswith(prefix) for name in self._names.values()) + 1
            known = self._names[id(binder)] = f"{prefix} #{number}"
        return known

    def _told(self, event: dict[str, Any]) -> Event:
        return decode(
            Call(
                at=self._moment(event["at"] - self._offset),
                sender=event["sender"],
                receiver=event["receiver"],
                info=INTERFACES.get(event["descriptor"]),
                code=event["code"],
                oneway=event["oneway"],
                data=bytes.fromhex(event["data"]),
                names=dict.fromkeys(event["binders"], "a binder"),
                reply=None if event["reply"] is None else bytes.fromhex(event["reply"]),
                error=event["error"],
                sender_uid=_UIDS.get(event["sender"]),
                receiver_uid=_UIDS.get(event["receiver"]),
            )
        )
