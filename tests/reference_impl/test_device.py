"""The reference device as a whole."""

from __future__ import annotations

import pytest

from binder import StatusError
from binder.local import DeterministicScheduler, Driver
from reference_impl.constants import (
    FLAG_BLOCK_MISSING_FEATURE,
    HAL_SERVICE,
    NPU_DEVICE_SERVICE,
    NPU_SERVICE,
    SHELL_UID,
    Importance,
    PolicyType,
)
from reference_impl.device import ReferenceDevice
from reference_impl.platform import Package
from tests.reference_impl.device_kit import ALBUM, ASSISTANT, App


def test_a_device_registers_its_services(device: ReferenceDevice, driver: Driver) -> None:
    assert driver.registry.names() == sorted([NPU_SERVICE, HAL_SERVICE, NPU_DEVICE_SERVICE])


def test_an_apps_process_has_the_name_of_its_first_package(device: ReferenceDevice) -> None:
    assert device.start_process(ALBUM).label == "com.example.album"
    assert device.start_process(10999).label == "uid10999"
    assert device.start_process(ALBUM, "worker").label == "worker"


def test_a_uid_is_gone_a_moment_after_its_last_process(device: ReferenceDevice, driver: Driver) -> None:
    first, second = device.start_process(ALBUM), device.start_process(ALBUM)
    device.set_importance(ALBUM, Importance.FOREGROUND)
    device.kill(first)
    driver.scheduler.advance(1)
    assert device.platform.importance_of(ALBUM) == Importance.FOREGROUND
    device.kill(second)
    driver.scheduler.advance(1)
    assert device.platform.importance_of(ALBUM) == Importance.GONE


def test_removing_a_package_ends_its_processes(device: ReferenceDevice) -> None:
    process = device.start_process(ALBUM)
    device.remove_package("com.example.album")
    assert not process.alive
    assert device.platform.packages_of(ALBUM) == ()


def test_a_flag_can_change_on_a_running_device(device: ReferenceDevice) -> None:
    device.set_flag(FLAG_BLOCK_MISSING_FEATURE, True)
    device.install_package(Package("com.example.album", ALBUM, features=frozenset()))
    assert device.hal is not None
    assert not device.hal.config_of(ALBUM).hasDirectAccess


def test_without_the_service_there_is_no_client(driver: Driver, device: ReferenceDevice) -> None:
    process = device.start_process(ALBUM)
    device.system_server.kill()
    with pytest.raises(StatusError, match=NPU_SERVICE):
        device.npu_manager(process)


@pytest.mark.parametrize("seed", range(20))
def test_every_interleaving_of_a_preemption_ends_the_same(seed: int) -> None:
    driver = Driver(DeterministicScheduler(seed))
    device = ReferenceDevice(driver, packages=[Package("album", ALBUM), Package("assistant", ASSISTANT)])
    driver.scheduler.settle()
    album, assistant = App(device, ALBUM), App(device, ASSISTANT)
    App(device, SHELL_UID).sets(PolicyType.TURN_TAKING)
    held = album.asks(1)
    album.loaded(1)
    assistant.becomes(Importance.FOREGROUND)
    wanted = assistant.asks(1)
    album.dies()
    assert held == ["CAN_LOAD_NOW", "UNLOAD"]
    assert wanted == ["WAIT_FOR_UNLOAD", "CAN_LOAD_NOW"]
    driver.close()


def test_shut_down_ends_every_process(device: ReferenceDevice) -> None:
    app = device.start_process(ALBUM)
    device.shut_down()
    assert not app.alive
    assert not device.system_server.alive
    assert device.hal is None
