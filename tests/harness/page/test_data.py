"""What the page is told."""

from __future__ import annotations

import pytest

from harness.page.data import brief, index_of, story_of
from harness.record import JsonValue
from harness.rules import RULES
from harness.run import Result

from .runs import result_named, sample


def test_index_has_scenarios_rules_and_environment() -> None:
    index = index_of(sample())
    assert [row["outcome"] for row in index["scenarios"]] == ["failed", "skipped", "failed", "passed"]
    assert [rule["text"] for rule in index["rules"]] == [rule.text for rule in RULES]
    covered = {rule["text"]: rule["scenarios"] for rule in index["rules"] if rule["scenarios"]}
    assert covered == {"TurnTaking: every size weighs 1 and the cap is 1": [3]}
    assert ["seed", "7"] in index["environment"]
    assert index["differences"][0]["scenario"] == "sample.takes_the_turn"


def test_words_to_search_for_are_apps_and_methods() -> None:
    words = index_of(sample())["scenarios"][3]["words"].split()
    assert {"album", "assistant", "canLoadModel", "onRequestUnloadModel"} <= set(words)


def test_failure_knows_its_event_and_lane() -> None:
    story = story_of(result_named("sample.is_wrong_about_the_answer"))
    failure = story["failure"]
    assert story["events"][failure["event"]]["brief"] == "NOT_PRIORITIZED"
    assert story["lanes"][failure["lane"]]["label"] == "assistant"


def test_failure_without_two_sides_has_a_reason() -> None:
    failure = story_of(result_named("sample.is_refused"))["failure"]
    assert failure == {
        "reason": "SecurityException: Model Manager permission denied",
        "event": None,
        "lane": None,
    }


def test_passed_scenario_has_no_failure() -> None:
    assert story_of(result_named("sample.takes_the_turn"))["failure"] is None


def test_event_that_is_none_of_the_story_is_not_pointed_at() -> None:
    broken = result_named("sample.is_wrong_about_the_answer")
    story = story_of(Result(broken.name, outcome="failed", divergence=broken.divergence))
    assert story["failure"]["event"] is None


def test_numbers_with_a_meaning_are_named_and_what_is_not_there_is_left_out() -> None:
    events = story_of(result_named("sample.takes_the_turn"))["events"]
    assert events[0]["arguments"] == {"policy": "TURN_TAKING", "policyParams": None}
    assert "oneway" not in events[0]
    assert events[0]["at"] == 0
    assert events[-1]["result"] == [True]
    assert events[4]["from"] == 0


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"request": {"id": 7, "size": "LESS_THAN_1GB", "priority": 0}, "callback": "x"}, "7 LESS_THAN_1GB"),
        ({"status": "CAN_LOAD_NOW"}, "CAN_LOAD_NOW"),
        ({"configs": [{"uid": 1, "none": None}]}, "uid=1"),
        ({"text": "x" * 99}, "x" * 29 + "…"),
        ({}, ""),
    ],
)
def test_brief_text_has_what_matters(arguments: dict[str, JsonValue], text: str) -> None:
    assert brief(arguments) == text
