"""A virtual machine for a measurement."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from ..conftest import PROGRAMS
from ..vm.machine import Machine, Variant
from ..vm.qemu import MachineError


def in_machine(variant: Variant, measure: Callable[[Machine], None]) -> None:
    """Measures in a machine that has the code; says so where there can be none, and ends if it fails."""
    missing = [program for program in PROGRAMS["vm"] if shutil.which(program) is None]
    if missing:
        print(f"skipped: not on this machine: {', '.join(missing)}")
        return
    try:
        with Machine(variant) as machine:
            machine.push_code()
            measure(machine)
    except (MachineError, TimeoutError) as error:
        sys.exit(f"the virtual machine: {error}")
