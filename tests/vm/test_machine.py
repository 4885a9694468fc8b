"""The virtual machine itself: what tests in it may rely on."""

from __future__ import annotations

import pytest

from .machine import Machine

pytestmark = pytest.mark.vm


def test_boots_and_runs_a_program(machine: Machine) -> None:
    assert machine.run("uname -r").check().text.startswith("6.12")
