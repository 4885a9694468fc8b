"""Events as data."""

from __future__ import annotations

import json
import os

import pytest

from binder import Binder, IBinder, ParcelFileDescriptor, PersistableBundle
from generated.android.hardware.npu import EndReason, SchedulingConfig, Uuid, WorkInfo
from generated.android.npumanager import BnModelLoadCallback, NpuModelSize
from harness.record import Event, event_from_json, plain


def named(binder: IBinder) -> str:
    return "a binder"


class Callback(BnModelLoadCallback):
    def onCanLoadModel(self, status: int) -> None: ...

    def onRequestUnloadModel(self) -> None: ...

    def onModelLoadRequestComplete(self, status: int) -> None: ...


@pytest.mark.parametrize(
    "event",
    [
        Event(0.0, note="something"),
        Event(1.5, "a", "b", "I.m", {"x": 1, "y": [None, {"z": "text"}]}, oneway=True),
        Event(2.0, "a", "b", "I.m", result=0, error=""),
        Event(2.0, "a", "b", "I.m", error="it broke"),
    ],
    ids=["note", "oneway", "result-of-zero", "error"],
)
def test_event_survives_json(event: Event) -> None:
    assert event_from_json(json.loads(json.dumps(event.as_json()))) == event


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Event(0.0, note="x"), "note"),
        (Event(0.0, "a", "b", "INpuManagerService.canLoadModel"), "call"),
        (Event(0.0, "a", "b", "IModelLoadCallback.onCanLoadModel"), "callback"),
        (Event(0.0, "a", "b", "ISchedulingCallback.onWorkEnded"), "callback"),
    ],
)
def test_event_is_a_call_a_callback_or_a_note(event: Event, kind: str) -> None:
    assert event.kind == kind


def test_json_leaves_out_what_an_event_does_not_have() -> None:
    assert Event(0.25, note="x").as_json() == {"kind": "note", "at": 0.25, "note": "x"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (2.5, 2.5),
        ("text", "text"),
        (b"\x01\xff", "01ff"),
        ([1, (2, None)], [1, [2, None]]),
        (NpuModelSize.GREATER_THAN_2G, "GREATER_THAN_2G"),
        (EndReason(77), "77"),
    ],
    ids=repr,
)
def test_plain_values(value: object, expected: object) -> None:
    assert plain(value, named) == expected


def test_nested_parcelables_become_nested_mappings() -> None:
    info = WorkInfo(id=1, groupId=Uuid(bytes(16)), uid=10123)
    value = plain([info], named)
    assert isinstance(value, list)
    assert isinstance(value[0], dict)
    assert value[0]["groupId"] == {"uuid": "00" * 16} or "groupId" in value[0]
    assert value[0]["uid"] == 10123


def test_parcelable_keeps_the_order_of_its_fields() -> None:
    value = plain(SchedulingConfig(1, 2, True, False), named)
    assert isinstance(value, dict)
    assert list(value) == ["uid", "priority", "hasDirectAccess", "canAttributeOtherUid"]


def test_bundles_become_mappings_all_the_way_down() -> None:
    bundle = PersistableBundle.of({"maxBudget": 8, "modelSizeWeights": {"0": 2}})
    assert plain(bundle, named) == {"maxBudget": 8, "modelSizeWeights": {"0": 2}}


def test_binders_and_interfaces_are_named_by_the_caller() -> None:
    assert plain(Binder(), named) == "a binder"
    assert plain([Callback()], named) == ["a binder"]


def test_descriptors_are_shown_without_their_number() -> None:
    with ParcelFileDescriptor(os.open(os.devnull, os.O_RDONLY)) as descriptor:
        assert plain(descriptor, named) == "a file descriptor"


def test_anything_else_is_shown_as_python_shows_it() -> None:
    assert plain(1j, named) == "1j"
