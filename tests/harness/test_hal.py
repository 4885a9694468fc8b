"""The words of scenarios for the HAL."""

from __future__ import annotations

import pytest

from harness.backend import ScenarioFailure
from harness.hal import HalEntry
from harness.vocabulary import Npu

from .kit import open_npu


@pytest.fixture
def device() -> Npu:
    return open_npu()


def methods(calls: object) -> list[str]:
    assert isinstance(calls, list)
    return [call.method.rpartition(".")[2] for call in calls]


def test_entry_has_names_for_its_parts(device: Npu) -> None:
    album = device.app("album")
    assert device.hal.entry(album.uid) == HalEntry(priority=400, direct_access=True, may_attribute=False)
    assert device.hal.knows(album.uid)
    assert not device.hal.knows(1)


def test_heard_is_what_the_service_said(device: Npu) -> None:
    device.app("album")
    assert set(methods(device.hal.heard())) == {"updateSchedulingConfigs"}
    assert all(event.receiver == "npu-hal" for event in device.hal.heard())


def test_reported_is_what_the_hal_said(device: Npu) -> None:
    device.app("album").finishes_work()
    assert methods(device.hal.reported()) == ["onWorkRequested", "onWorkStarted", "onWorkEnded"]
    assert all(event.sender == "npu-hal" for event in device.hal.reported())


def test_dead_hal_has_no_table_until_it_comes_back(device: Npu) -> None:
    device.hal.dies()
    with pytest.raises(ScenarioFailure, match="there is no HAL"):
        device.hal.table()
    device.hal.comes_back()
    assert {0, 1000} <= set(device.hal.table())


def test_callback_has_a_version_and_a_hash(device: Npu) -> None:
    version, digest = device.hal.callback_version()
    assert version == 1
    assert len(digest) == 40


def test_hal_without_a_callback_fails_the_scenario_that_asks_for_it(device: Npu) -> None:
    device.session.set_flag("npumanager_enabled", False)
    device.restarts()
    with pytest.raises(ScenarioFailure, match="nobody has given the HAL a callback"):
        device.hal.callback_version()
