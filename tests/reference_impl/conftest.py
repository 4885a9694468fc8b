"""Devices to test on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from binder.local import DeterministicScheduler, Driver
from reference_impl.device import ReferenceDevice
from reference_impl.platform import Package
from tests.reference_impl.device_kit import ALBUM, ASSISTANT


@pytest.fixture
def driver() -> Iterator[Driver]:
    driver = Driver(DeterministicScheduler(seed=0))
    yield driver
    driver.close()


@pytest.fixture
def device(driver: Driver) -> ReferenceDevice:
    """A device with two apps, its service connected to its HAL."""
    packages = [Package("com.example.album", ALBUM), Package("com.example.assistant", ASSISTANT)]
    device = ReferenceDevice(driver, packages=packages)
    driver.scheduler.settle()
    return device
