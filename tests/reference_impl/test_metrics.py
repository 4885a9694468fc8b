"""What the service counts, and the stream of its events."""

from __future__ import annotations

import json
from io import StringIO

from reference_impl.constants import SHELL_UID, Importance, PolicyType
from reference_impl.device import ReferenceDevice
from reference_impl.hal_reports import DEBOUNCE_SECONDS
from reference_impl.metrics import KEPT, KINDS, Metrics
from reference_impl.shell import run_command

from .device_kit import ALBUM, ASSISTANT, App


def test_a_story_is_told_in_counts_and_events(device: ReferenceDevice) -> None:
    App(device, SHELL_UID).sets(PolicyType.TURN_TAKING)
    album, assistant = App(device, ALBUM), App(device, ASSISTANT)
    album.asks(1)
    album.loaded(1)
    assistant.becomes(Importance.FOREGROUND)
    assistant.asks(7)
    album.unloaded(1)
    assert device.hal is not None
    device.hal.submit(ASSISTANT)
    device.driver.scheduler.advance(2 * DEBOUNCE_SECONDS)
    device.set_thermal_status(1)
    told = [(event.kind, event.uid, event.id) for event in device.service.metrics.events()]
    assert told == [
        ("hal", None, None),
        ("policy", None, None),
        ("admitted", ALBUM, 1),
        ("evicted", ALBUM, 1),
        ("waiting", ASSISTANT, 7),
        ("completed", ALBUM, 1),
        ("admitted", ASSISTANT, 7),
        ("work_requested", ASSISTANT, None),
        ("work_started", ASSISTANT, None),
        ("work_ended", ASSISTANT, None),
        ("thermal", None, None),
    ]
    assert {kind for kind, _, _ in told} <= set(KINDS)
    assert device.service.metrics.counts["admitted"] == 2
    times = [event.at for event in device.service.metrics.events()]
    assert times == sorted(times)


def test_the_shell_shows_them_as_json(device: ReferenceDevice) -> None:
    album = App(device, ALBUM)
    album.asks(3)
    album.dies()
    out = StringIO()
    assert run_command(device.service, ["metrics"], out, StringIO()) == 0
    shown = json.loads(out.getvalue())
    assert shown["counts"] == {"admitted": 1, "died": 1, "hal": 1}
    assert [e for e in shown["events"] if e["kind"] == "admitted"] == [
        {"at": shown["events"][1]["at"], "kind": "admitted", "uid": ALBUM, "id": 3}
    ]


def test_counts_go_on_when_events_are_dropped() -> None:
    metrics = Metrics(lambda: 1.5)
    for number in range(KEPT + 10):
        metrics.note("admitted", 1, number)
    assert metrics.counts["admitted"] == KEPT + 10
    assert [event.id for event in metrics.events()] == list(range(10, KEPT + 10))
