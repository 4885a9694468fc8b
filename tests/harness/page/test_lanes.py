"""Who has which lane."""

from __future__ import annotations

from harness.history import LOADED, History, Level, ModelSpan, history_of
from harness.page.lanes import Lanes, rows_of
from harness.record import Event, JsonValue

ALBUM = Event(0, "album", "system_server", "I.m", sender_uid=10123, receiver_uid=1000)
HAL = Event(0, "system_server", "npu-hal", "IScheduling.m")
NOTHING = History((), (), (), {})


def labels(*events: Event, history: History = NOTHING) -> list[str]:
    return [lane["label"] for lane in Lanes(events, history).as_json()]


def test_apps_come_before_service_and_hal_whatever_comes_first() -> None:
    assert labels(HAL, ALBUM) == ["album", "system_server", "npu-hal"]


def test_app_that_says_nothing_has_a_lane_if_it_is_known() -> None:
    lanes = Lanes([HAL, Event(0, note="camera runs an inference")], NOTHING, {"camera": 10124})
    assert [lane["label"] for lane in lanes.as_json()] == ["camera", "system_server", "npu-hal"]
    assert lanes.name_of_uid(10124) == "camera"


def test_note_about_an_app_is_in_its_lane_and_others_have_one_of_their_own() -> None:
    events = [Event(0, note="album moves"), ALBUM, Event(0, note="the HAL is killed")]
    lanes = Lanes(events, NOTHING)
    assert [lane["label"] for lane in lanes.as_json()] == ["scenario", "album", "system_server"]
    assert lanes.of_note("album moves") == (1, "moves")
    assert lanes.of_note("the HAL is killed") == (0, "the HAL is killed")
    assert labels(events[0], ALBUM) == ["album", "system_server"]


def test_app_is_not_taken_for_another_whose_name_begins_alike() -> None:
    events = [ALBUM, Event(0, "album-2", "system_server", "I.m")]
    lanes = Lanes(events, NOTHING)
    assert lanes.of_note("album-2 is killed") == (1, "is killed")


def test_app_called_like_the_lane_of_notes_keeps_its_own() -> None:
    lanes = Lanes([Event(0, "scenario", "system_server", "I.m"), Event(0, note="x")], NOTHING)
    assert lanes.find("scenario") == 1


def test_uid_is_the_first_that_is_known() -> None:
    lanes = Lanes([Event(0, "album", "b", "I.m"), ALBUM], NOTHING)
    assert lanes.as_json()[0]["uid"] == 10123
    assert lanes.name_of_uid(10123) == "album"
    assert lanes.name_of_uid(7) == "uid 7"


def test_heaps_are_below_and_budget_is_the_services() -> None:
    history = History((), (Level(0, 1, 0, 4),), (), {0: (Level(0, 4096),)})
    lanes = Lanes([ALBUM], history).as_json()
    assert [lane["label"] for lane in lanes] == ["album", "system_server", "heap, NPU 0"]
    assert lanes[1]["levels"] == [{"event": 0, "used": 1, "reserved": 0, "limit": 4}]


def test_states_of_a_request_share_a_row_and_two_requests_at_once_do_not() -> None:
    spans = [
        ModelSpan("album", 1, "S", "ASKED", 0, 1),
        ModelSpan("album", 1, "S", LOADED, 1, 5),
        ModelSpan("album", 2, "S", "ASKED", 2, 4),
        ModelSpan("album", 3, "S", "ASKED", 6),
    ]
    rows = rows_of(spans, Lanes([ALBUM], NOTHING))
    assert [row["row"] for row in rows] == [0, 0, 1, 0]


def test_every_span_of_a_story_has_a_lane() -> None:
    request: dict[str, JsonValue] = {"request": {"id": 1, "size": "LESS_THAN_1GB"}, "callback": "x"}
    events = [Event(0, "album", "system_server", "INpuManagerService.canLoadModel", request)]
    history = history_of(events)
    assert [row["lane"] for row in rows_of(history.models, Lanes(events, history))] == [0]
