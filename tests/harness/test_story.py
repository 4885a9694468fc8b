"""Events as text for people."""

from __future__ import annotations

from harness.record import Event
from harness.story import tell

CALL = Event(0.5, "album", "system_server", "INpuManagerService.canLoadModel", {"request": {"id": 1}})


def test_call_that_waits_has_an_arrow() -> None:
    assert tell([CALL]) == " 0.500000  album -> system_server  canLoadModel(request={id=1})"


def test_oneway_call_has_a_wavy_arrow() -> None:
    event = Event(1.0, "a", "b", "IModelLoadCallback.onRequestUnloadModel", oneway=True)
    assert "a ~> b  onRequestUnloadModel()" in tell([event])


def test_result_and_error_come_after_the_call() -> None:
    assert tell([Event(0, "a", "b", "I.m", result=[1, True])]).endswith("m() = [1, True]")
    assert tell([Event(0, "a", "b", "I.m", error="SecurityException: no")]).endswith(
        "m()  !! SecurityException: no"
    )


def test_result_of_zero_is_shown() -> None:
    assert tell([Event(0, "a", "b", "I.m", result=0)]).endswith("m() = 0")


def test_notes_have_a_star_and_stay_where_they_were() -> None:
    lines = tell([Event(0, note="before"), CALL, Event(1, note="after")]).splitlines()
    assert [line.strip().split("  ")[-1] for line in lines] == [
        "* before",
        "canLoadModel(request={id=1})",
        "* after",
    ]


def test_numbers_with_a_meaning_are_named() -> None:
    answer = Event(0, "a", "b", "IModelLoadCallback.onCanLoadModel", {"status": 2})
    done = Event(0, "a", "b", "IModelLoadCallback.onModelLoadRequestComplete", {"status": 3})
    policy = Event(0, "a", "b", "INpuManagerService.setPolicy", {"policy": 1, "policyParams": None})
    text = tell([answer, done, policy])
    assert "status=NOT_PRIORITIZED" in text
    assert "status=CANCELLED" in text
    assert "setPolicy(policy=TURN_TAKING, policyParams=None)" in text


def test_numbers_without_a_meaning_stay_numbers() -> None:
    assert "status=77" in tell([Event(0, "a", "b", "IModelLoadCallback.onCanLoadModel", {"status": 77})])
    # A truth value is no number, whatever Python says.
    assert "status=True" in tell([Event(0, "a", "b", "IModelLoadCallback.onCanLoadModel", {"status": True})])


def test_columns_line_up() -> None:
    lines = tell([CALL, Event(1, "a", "b", "I.m"), Event(12.25, note="x")]).splitlines()
    assert len({line.index(mark) for line, mark in zip(lines, ("can", "m()", "*"), strict=True)}) == 1


def test_nothing_happened_is_no_text() -> None:
    assert tell([]) == ""
