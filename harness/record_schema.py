"""Every field of the file that a run leaves: where it is, what type it has, what it means.

docs/record.md is held against this table, and so is every file that is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

FORMAT_NAME = "npukit run"
FORMAT_NUMBER = 2


@dataclass(frozen=True, slots=True)
class Field:
    """One field.

    Attributes:
        path: as in the documentation: `scenarios[].events[].at`.
        type: one of TYPES.
        meaning: a sentence or two.
        needed: whether it is always there.
    """

    path: str
    type: str
    meaning: str
    needed: bool = True

    @property
    def line(self) -> str:
        """Its line in the documentation."""
        return f"| `{self.path}` | {self.type}{'' if self.needed else ', optional'} | {self.meaning} |"


TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "integer": (int,),
    "number": (int, float),
    "bool": (bool,),
    "object": (dict,),
    "list": (list,),
    "any": (object,),
}


def _may(path: str, kind: str, meaning: str) -> Field:
    return Field(path, kind, meaning, needed=False)


FIELDS: tuple[Field, ...] = (
    Field("format", "object", "Which format this is."),
    Field("format.name", "text", f'Always "{FORMAT_NAME}".'),
    Field("format.number", "integer", f"{FORMAT_NUMBER}. A field that is added or changed makes it greater."),
    Field("environment", "object", "Where it was played, and with what."),
    Field("environment.backend", "text", "reference, kernel or adb."),
    Field("environment.seed", "integer", "What chose the order of things that may happen in any order."),
    Field("environment.npukit", "text", "The version of npukit."),
    Field("environment.python", "text", "The version of Python."),
    Field("environment.policy", "text", "The policy that was tried in place of Budget; empty for none."),
    Field("environment.interfaces", "object", "The frozen interfaces that npukit spoke."),
    _may("environment.interfaces{}", "text", "By descriptor, version and hash."),
    Field("environment.devices", "object", "The devices that were used."),
    _may("environment.devices{}", "text", "By serial, the build's fingerprint; empty if it tells none."),
    Field("wall_started", "text", "When the run began, ISO 8601 in UTC; empty if it is not known."),
    Field("wall_seconds", "number", "How long it took."),
    Field("passed", "integer", "How many scenarios passed."),
    Field("failed", "integer", "How many failed."),
    Field("skipped", "integer", "How many were skipped."),
    _may("differences", "list", "With a policy that was tried: where it differs from Budget."),
    _may("differences[].scenario", "text", "The scenario."),
    _may("differences[].process", "text", "Whose side of the story it is."),
    _may("differences[].ours", "text", "What happened there with the policy that was tried."),
    _may("differences[].theirs", "text", "What happened there with Budget."),
    Field("scenarios", "list", "The scenarios, by name."),
    Field("scenarios[].name", "text", "Its name, with its variant in brackets."),
    Field("scenarios[].outcome", "text", "passed, failed or skipped."),
    Field("scenarios[].covers", "list", "The rules that it covers."),
    _may("scenarios[].covers[]", "text", "A rule, in the words of `harness list --rules`."),
    Field("scenarios[].needs", "list", "What it needs of a backend."),
    _may("scenarios[].needs[]", "text", "A capability."),
    _may("scenarios[].reason", "text", "Why it failed or was skipped."),
    _may("scenarios[].where", "text", "The scenario's own line that failed."),
    _may("scenarios[].detail", "text", "A traceback, if scenario or harness are at fault."),
    _may("scenarios[].divergence", "object", "Of a broken rule: what should have happened, and what did."),
    _may("scenarios[].divergence.expected", "text", "What should have happened."),
    _may("scenarios[].divergence.actual", "text", "What did."),
    _may("scenarios[].divergence.app", "text", "Whose side of the story it is."),
    _may("scenarios[].divergence.event", "integer", "Which event it is, from 0; left out if none came."),
    _may("scenarios[].device", "text", "The serial of the device it was played on."),
    _may("scenarios[].apps", "object", "The apps that played; not those who act for the system."),
    _may("scenarios[].apps{}", "integer", "By what the scenario calls it, an app's uid."),
    Field("scenarios[].virtual_seconds", "number", "How long it took on the backend's clock."),
    Field("scenarios[].wall_seconds", "number", "How long it took on the wall's clock."),
    Field("scenarios[].wall_began", "number", "When it began, in seconds since the run did."),
    Field("scenarios[].events", "list", "What happened, in order."),
    Field("scenarios[].events[].kind", "text", "call, callback (to who had asked), or note."),
    Field("scenarios[].events[].at", "number", "Seconds since the scenario began, on the backend's clock."),
    _may("scenarios[].events[].wall_at", "number", "The same on the wall's clock, if that is another."),
    _may(
        "scenarios[].events[].sent",
        "number",
        "When a oneway call was sent; `at` is when it was served.",
    ),
    _may("scenarios[].events[].ended", "number", "When the reply was back, if after `at`."),
    _may("scenarios[].events[].sender", "text", "Who calls: what the scenario calls the process."),
    _may("scenarios[].events[].sender_uid", "integer", "Its uid, if it is known."),
    _may("scenarios[].events[].receiver", "text", "Who is called."),
    _may("scenarios[].events[].receiver_uid", "integer", "Its uid, if it is known."),
    _may("scenarios[].events[].target", "text", "The object, as calls before name it in their arguments."),
    _may("scenarios[].events[].method", "text", "Interface and method: INpuManagerService.canLoadModel."),
    _may("scenarios[].events[].arguments", "object", "The decoded arguments."),
    _may("scenarios[].events[].arguments{}", "any", "By name; enumerators and binders are names."),
    _may("scenarios[].events[].result", "any", "The decoded reply."),
    _may("scenarios[].events[].error", "text", "How the call failed: the exception or status."),
    _may("scenarios[].events[].oneway", "bool", "true if the sender did not wait."),
    _may("scenarios[].events[].note", "text", "The text of a note."),
)

BY_PATH = {field.path: field for field in FIELDS}
_OPEN = {field.path.removesuffix("{}") for field in FIELDS if field.path.endswith("{}")}
_NEEDED: dict[str, list[str]] = {}
for _field in FIELDS:
    if _field.needed:
        _parent, _, _name = _field.path.rpartition(".")
        _NEEDED.setdefault(_parent, []).append(_name)


def faults(data: Mapping[str, Any]) -> Iterator[str]:
    """What a file has that the table does not allow, or lacks that it demands; a phrase each."""
    yield from _object_faults("", "", data)


def _object_faults(path: str, shown: str, data: Mapping[str, Any]) -> Iterator[str]:
    prefix = f"{path}." if path else ""
    for name in _NEEDED.get(path, ()):
        if name not in data:
            yield f"{shown}.{name}".lstrip(".") + " is missing"
    for name, value in data.items():
        yield from _value_faults(f"{prefix}{name}", f"{shown}.{name}".lstrip("."), value)


def _value_faults(path: str, shown: str, value: Any) -> Iterator[str]:
    field = BY_PATH.get(path)
    if field is None and not path.endswith("[]"):
        yield f"{shown} is no field of this format"
    elif field is not None and not _fits(field.type, value):
        yield f"{shown} should be {'an' if field.type[0] in 'aio' else 'a'} {field.type}"
    elif path in _OPEN:
        for name, item in value.items():
            if not _fits(BY_PATH[path + "{}"].type, item):
                yield f"{shown}.{name} should be a {BY_PATH[path + '{}'].type}"
    elif isinstance(value, list) and field is not None and field.type == "list":
        for index, item in enumerate(value):
            yield from _value_faults(f"{path}[]", f"{shown}[{index}]", item)
    elif isinstance(value, dict) and (field is None or field.type == "object"):
        yield from _object_faults(path, shown, value)
    elif field is None:
        yield f"{shown} should be an object"


def _fits(kind: str, value: Any) -> bool:
    # To Python, true is an int.
    return isinstance(value, TYPES[kind]) and (kind in ("bool", "any") or not isinstance(value, bool))
