"""What heat does under each policy."""

from __future__ import annotations

import pytest

from reference_impl.constants import SHELL_UID, Importance, PolicyType, ThermalStatus
from reference_impl.device import ReferenceDevice

from .device_kit import ALBUM, ASSISTANT, SMALL, App


def apps(device: ReferenceDevice, policy: PolicyType) -> tuple[App, App]:
    """A background and a foreground app."""
    App(device, SHELL_UID).sets(policy)
    album, assistant = App(device, ALBUM), App(device, ASSISTANT)
    album.becomes(Importance.CACHED)
    assistant.becomes(Importance.FOREGROUND)
    return album, assistant


def heat(device: ReferenceDevice, status: int) -> None:
    device.set_thermal_status(status)
    device.driver.scheduler.settle()


def test_severe_heat_asks_the_less_important_holder_and_no_other(device: ReferenceDevice) -> None:
    album, assistant = apps(device, PolicyType.BUDGET)
    held, other = album.asks(1, SMALL), assistant.asks(1, SMALL)
    album.loaded(1)
    assistant.loaded(1)
    heat(device, ThermalStatus.MODERATE)
    assert held == ["CAN_LOAD_NOW"]
    heat(device, ThermalStatus.SEVERE)
    assert held == ["CAN_LOAD_NOW", "UNLOAD"]
    heat(device, ThermalStatus.CRITICAL)
    assert (len(held), other) == (2, ["CAN_LOAD_NOW"])
    heat(device, ThermalStatus.EMERGENCY)
    assert other == ["CAN_LOAD_NOW", "UNLOAD"]


def test_who_may_not_load_in_the_heat_is_offered_room_when_it_is_over(device: ReferenceDevice) -> None:
    album, _ = apps(device, PolicyType.BUDGET)
    heat(device, ThermalStatus.SEVERE)
    wanted = album.asks(1)
    assert wanted == ["NOT_PRIORITIZED"]
    heat(device, ThermalStatus.LIGHT)
    assert wanted == ["NOT_PRIORITIZED", "CAN_LOAD_NOW"]


def test_heat_cancels_what_was_granted_and_not_loaded_yet(device: ReferenceDevice) -> None:
    album, _ = apps(device, PolicyType.BUDGET)
    granted = album.asks(1)
    heat(device, ThermalStatus.SEVERE)
    assert granted == ["CAN_LOAD_NOW", "CANCELLED"]


def test_moving_to_the_background_in_the_heat_costs_the_model(device: ReferenceDevice) -> None:
    _, assistant = apps(device, PolicyType.TURN_TAKING)
    held = assistant.asks(1)
    assistant.loaded(1)
    heat(device, ThermalStatus.SEVERE)
    assistant.becomes(Importance.CACHED)
    assert held == ["CAN_LOAD_NOW", "UNLOAD"]


@pytest.mark.parametrize("policy", [PolicyType.BUDGET, PolicyType.TURN_TAKING])
def test_a_policy_that_is_set_in_the_heat_knows_of_it(device: ReferenceDevice, policy: PolicyType) -> None:
    heat(device, ThermalStatus.SEVERE)
    album, _ = apps(device, policy)
    assert album.asks(1) == ["NOT_PRIORITIZED"]


def test_status_quo_says_yes_and_asks_for_the_unload_once_it_is_loaded(device: ReferenceDevice) -> None:
    album, assistant = apps(device, PolicyType.STATUS_QUO)
    before = album.asks(1)
    album.loaded(1)
    heat(device, ThermalStatus.SEVERE)
    assert before == ["CAN_LOAD_NOW", "UNLOAD"]
    after = album.asks(2)
    assert after == ["CAN_LOAD_NOW"]
    album.loaded(2)
    assert after == ["CAN_LOAD_NOW", "UNLOAD"]
    other = assistant.asks(1)
    assistant.loaded(1)
    assert other == ["CAN_LOAD_NOW"]
