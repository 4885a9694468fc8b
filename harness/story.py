"""What happened, as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .record import Event, JsonValue

# Numbers that the AIDL declares as plain ints, and what they mean, by method and parameter.
NAMED_NUMBERS: dict[tuple[str, str], dict[int, str]] = {
    ("IModelLoadCallback.onCanLoadModel", "status"): {
        0: "CAN_LOAD_NOW",
        1: "WAIT_FOR_UNLOAD",
        2: "NOT_PRIORITIZED",
    },
    ("IModelLoadCallback.onModelLoadRequestComplete", "status"): {3: "CANCELLED", 4: "COMPLETE"},
    ("INpuManagerService.setPolicy", "policy"): {0: "STATUS_QUO", 1: "TURN_TAKING", 2: "BUDGET"},
}

# Leading words of a type's name that say nothing a reader does not know.
_SHORT = {"ModelLoadRequestParcelable": "request"}


def tell(events: Iterable[Event]) -> str:
    """The events, one a line: when, who, to whom, what. `->` waits for a reply, `~>` does not."""
    rows = [(f"{event.at:9.6f}", *_row(event)) for event in events]
    width = max((len(who) for _, who, _ in rows), default=0)
    return "\n".join(f"{at}  {who:{width}}  {what}".rstrip() for at, who, what in rows)


def line(event: Event) -> str:
    """One event, without its time."""
    return "  ".join(part for part in _row(event) if part)


def _row(event: Event) -> tuple[str, str]:
    if not event.method:
        return "", f"* {event.note}"
    arrow = "~>" if event.oneway else "->"
    arguments = ", ".join(
        f"{key}={_value(event.method, key, value)}" for key, value in event.arguments.items()
    )
    text = f"{event.method.rpartition('.')[2]}({arguments})"
    if event.error:
        text += f"  !! {event.error}"
    elif event.result is not None:
        text += f" = {_text(event.result)}"
    return f"{event.sender} {arrow} {event.receiver}", text


def _value(method: str, name: str, value: JsonValue) -> str:
    return _text(named(method, name, value))


def named(method: str, name: str, value: JsonValue) -> JsonValue:
    """An argument, by its name if it is a number that has one."""
    names = NAMED_NUMBERS.get((method, name), {})
    if isinstance(value, int) and not isinstance(value, bool):
        return names.get(value, value)
    return value


def _text(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}={_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value)
