"""Fixtures for tests that are marked `vm`; tests/conftest.py offers them to all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import pytest

from ..requirements import lacking
from .device import VirtualDevice
from .machine import Machine, Variant
from .qemu import MachineError


def saved(variant: Variant) -> Iterator[Machine]:
    """A machine that has booted once, with the code under test in it, and was saved."""
    try:
        machine = Machine(variant)
    except MachineError as error:
        lacking("vm", str(error))
    try:
        machine.start()
        machine.push_code()
        # So that each module's tests find it compiled.
        machine.run("python3 -m compileall -q /opt/npukit", timeout=120).check()
        machine.save()
        yield machine
    finally:
        machine.close()


def device_saved() -> Iterator[VirtualDevice]:
    """A virtual device that has booted once and was saved."""
    try:
        device = VirtualDevice()
    except MachineError as error:
        lacking("vm", str(error))
    try:
        device.start()
        device.save()
        yield device
    finally:
        device.close()


M = TypeVar("M", bound=Machine)


def restored(machine: M) -> Iterator[M]:
    """The machine as it was saved. It does not run between modules, so that others can."""
    machine.restore()
    try:
        yield machine
    finally:
        machine.stop()


@pytest.fixture(scope="session")
def saved_machine() -> Iterator[Machine]:
    yield from saved("trixie")


@pytest.fixture(scope="session")
def saved_sid_machine() -> Iterator[Machine]:
    yield from saved("sid")


@pytest.fixture(scope="session")
def saved_virtual_device() -> Iterator[VirtualDevice]:
    yield from device_saved()


@pytest.fixture(scope="module")
def virtual_device(saved_virtual_device: VirtualDevice) -> Iterator[VirtualDevice]:
    """A device of Android 17 as adb sees it, just booted, for one module of tests."""
    yield from restored(saved_virtual_device)


@pytest.fixture(scope="module")
def machine(saved_machine: Machine) -> Iterator[Machine]:
    """Debian 13 with Python 3.13, with binder devices that nobody has used, for one module of tests."""
    yield from restored(saved_machine)


@pytest.fixture(scope="module")
def sid_machine(saved_sid_machine: Machine) -> Iterator[Machine]:
    """Debian unstable with Python 3.14 and gbinder's Python module, as new for one module of tests."""
    yield from restored(saved_sid_machine)
