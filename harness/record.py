"""What happened, as data: calls with their decoded arguments, and notes, in order.

Everything that reports on a scenario reads these events and nothing else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from binder import IBinder, Interface, ParcelFileDescriptor, PersistableBundle

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


@dataclass(frozen=True, slots=True)
class Event:
    """A call, or a note (`method` is empty then).

    Attributes:
        at: seconds since the scenario began, on the backend's clock; a oneway call's when it was served.
        sender, receiver: labels of processes.
        method: `Interface.method`.
        arguments: by name.
        result: what came back, None for void and oneway.
        error: how it failed, "" if it did not.
        oneway: whether the sender did not wait.
        note: the text of a note.
        sender_uid, receiver_uid: None where they are not known.
        target: what the object is called that was called, if it had been handed over in a call before.
        sent: when a oneway call was sent, if that was earlier than `at`.
        ended: when the reply was back, if that was later than `at`.
        wall_at: seconds since the scenario began on the wall's clock, if that is not the backend's.
    """

    at: float
    sender: str = ""
    receiver: str = ""
    method: str = ""
    arguments: dict[str, JsonValue] = field(default_factory=dict)
    result: JsonValue = None
    error: str = ""
    oneway: bool = False
    note: str = ""
    sender_uid: int | None = None
    receiver_uid: int | None = None
    target: str = ""
    sent: float | None = None
    ended: float | None = None
    wall_at: float | None = None

    @property
    def kind(self) -> str:
        """ "note", "callback" (from those who were asked to those who asked), or "call"."""
        if not self.method:
            return "note"
        return "callback" if self.method.partition(".")[0].endswith("Callback") else "call"

    def as_json(self) -> dict[str, JsonValue]:
        """The event for a JSON file: what it does not have is left out."""
        nothing = Event(self.at)
        had = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name == "at" or getattr(self, field.name) != getattr(nothing, field.name)
        }
        return {"kind": self.kind, **had}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event that `as_json` made."""
    return Event(**{key: value for key, value in data.items() if key != "kind"})


def plain(value: Any, name_binder: Callable[[IBinder], str]) -> JsonValue:
    """A decoded argument as JSON: enumerators by name, binders by what they are called."""
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(item, name_binder) for item in value]
    if isinstance(value, PersistableBundle):
        return {key: plain(value[key], name_binder) for key in value}
    if isinstance(value, Interface):
        return name_binder(value.as_binder())
    if isinstance(value, IBinder):
        return name_binder(value)
    if isinstance(value, ParcelFileDescriptor):
        return "a file descriptor"
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name), name_binder) for field in fields}
    return repr(value)
