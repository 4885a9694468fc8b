"""The words of scenarios, on the reference."""

from __future__ import annotations

import pytest

from binder import IllegalArgumentException, SecurityException
from harness.backend import ScenarioFailure
from harness.vocabulary import (
    BUDGET,
    CAN_LOAD_NOW,
    GREATER_THAN_2G,
    NOT_PRIORITIZED,
    TURN_TAKING,
    Npu,
    check,
    covers,
    needs,
)

from .kit import open_npu


@pytest.fixture
def device() -> Npu:
    return open_npu()


def test_unexpected_news_at_the_end_fails(device: Npu) -> None:
    device.app("album").request(GREATER_THAN_2G)
    with pytest.raises(ScenarioFailure, match="which the scenario does not expect"):
        device.finish()


def test_end_without_news_is_fine_even_if_answers_were_repeated(device: Npu) -> None:
    request = device.app("album").request().expect(CAN_LOAD_NOW)
    request.callback.onCanLoadModel(CAN_LOAD_NOW)
    device.finish()


def test_ids_are_counted_per_app(device: Npu) -> None:
    album, camera = device.app("album"), device.app("camera")
    ids = [app.request().parcelable.id for app in (album, camera, album)]
    assert ids == [1, 1, 2]


def test_apps_have_uids_of_their_own_unless_they_share(device: Npu) -> None:
    album, camera = device.app("album"), device.app("camera")
    helper = device.app("helper", shares_uid_with=album)
    assert album.uid != camera.uid
    assert helper.uid == album.uid
    assert helper.process.label == "helper"


def test_refuses_fails_if_the_call_succeeds(device: Npu) -> None:
    with (
        pytest.raises(ScenarioFailure, match="refused with SecurityException, but succeeded"),
        device.refuses(SecurityException),
    ):
        device.policy(BUDGET)


def test_refuses_fails_for_another_exception(device: Npu) -> None:
    with (
        pytest.raises(ScenarioFailure, match="not IllegalArgumentException"),
        device.refuses(SecurityException),
    ):
        device.policy(99)


def test_refuses_looks_for_the_message(device: Npu) -> None:
    with device.refuses(IllegalArgumentException, "99"):
        device.policy(99)
    with (
        pytest.raises(ScenarioFailure, match="should mention 'nonsense'"),
        device.refuses(IllegalArgumentException, "nonsense"),
    ):
        device.policy(99)


def test_refuses_lets_other_errors_pass(device: Npu) -> None:
    with pytest.raises(ZeroDivisionError), device.refuses(SecurityException):
        _ = 1 / 0


def test_check_says_the_rule() -> None:
    check(True, "nothing")
    with pytest.raises(ScenarioFailure, match="water is wet"):
        check(False, "water is wet")


def test_needs_refuses_a_capability_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="no such capability: flux-capacitor"):
        needs("service", "flux-capacitor")


def test_marks_keep_the_function() -> None:
    @covers("a rule")
    @needs("service")
    def scenario() -> None: ...

    assert scenario.__name__ == "scenario"


def test_policy_takes_nested_parameters(device: Npu) -> None:
    device.policy(BUDGET, maxBudget=2, modelSizeWeights={"2": 2})
    album = device.app("album")
    album.request(GREATER_THAN_2G).load()
    album.request(GREATER_THAN_2G).expect(NOT_PRIORITIZED)


def test_importance_has_words_and_numbers(device: Npu) -> None:
    album = device.app("album").at("visible")
    assert device.hal.entry(album.uid).priority == 200
    assert device.hal.entry(album.at(321).uid).priority == 321
    with pytest.raises(KeyError):
        album.at("everywhere")


def test_work_that_the_hal_refuses_fails_the_scenario(device: Npu) -> None:
    album, camera = device.app("album"), device.app("camera")
    with pytest.raises(ScenarioFailure, match="the NPU takes work of album"):
        album.finishes_work(original_uid=camera.uid)
    album.is_refused_work(original_uid=camera.uid)
    with pytest.raises(ScenarioFailure, match="the NPU refuses work of album"):
        album.is_refused_work()


def test_hal_entry_of_an_unknown_uid_fails_the_scenario(device: Npu) -> None:
    with pytest.raises(ScenarioFailure, match="should know uid 77"):
        device.hal.entry(77)


def test_dead_hal_fails_the_scenario_that_asks_it(device: Npu) -> None:
    album = device.app("album")
    device.hal.dies()
    for ask in (device.hal.table, album.finishes_work, lambda: album.starts_work(seconds=1)):
        with pytest.raises(ScenarioFailure, match="there is no HAL"):
            ask()


def test_restart_forgets_processes_and_policy_and_keeps_packages_and_flags(device: Npu) -> None:
    device.policy(TURN_TAKING)
    album = device.app("album")
    device.session.set_flag("npumanager_enabled", False)
    device.restarts()
    assert "Policy: statusquo" in device.dump()
    assert device.hal.table() == {}
    device.session.set_flag("npumanager_enabled", True)
    device.restarts()
    assert device.hal.entry(album.uid).priority == 1000


def test_finished_work_comes_in_order_of_its_end(device: Npu) -> None:
    device.app("album").starts_work(seconds=3)
    device.app("camera").in_foreground().starts_work(seconds=1)
    assert device.finished_work(1, within=10) == ["camera"]
    assert device.finished_work(2, within=10) == ["camera", "album"]
    assert device.session.now() == pytest.approx(4, abs=0.01)
