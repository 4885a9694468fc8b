"""Fixtures for tests that are marked `vm`; tests/conftest.py offers them to all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..requirements import lacking
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


def restored(machine: Machine) -> Iterator[Machine]:
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


@pytest.fixture(scope="module")
def machine(saved_machine: Machine) -> Iterator[Machine]:
    """Debian 13 with Python 3.13, with binder devices that nobody has used, for one module of tests."""
    yield from restored(saved_machine)


@pytest.fixture(scope="module")
def sid_machine(saved_sid_machine: Machine) -> Iterator[Machine]:
    """Debian unstable with Python 3.14 and gbinder's Python module, as new for one module of tests."""
    yield from restored(saved_sid_machine)
