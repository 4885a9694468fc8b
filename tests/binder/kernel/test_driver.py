"""Claims about the real driver, which a program in the virtual machine checks: see guest/client.py."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ...vm.machine import Machine
from .conftest import CLIENT_UID, prepare, serving

pytestmark = pytest.mark.vm

PROGRAMS = [Path(__file__).parent / "guest" / name for name in ("failing.py", "client.py")]
CLAIMS = [
    node.name
    for program in PROGRAMS
    for node in ast.parse(program.read_text()).body
    if isinstance(node, ast.FunctionDef) and node.decorator_list
]


@pytest.fixture(scope="module")
def prepared(machine: Machine) -> Machine:
    prepare(machine)
    return machine


@pytest.fixture(scope="module")
def findings(prepared: Machine) -> dict[str, str]:
    """What the client says of each claim. One process checks all, as starting one takes a second."""
    prepared.run(
        "chmod a+rx /sys/kernel/debug /sys/kernel/debug/binder /sys/kernel/debug/binder/proc"
    ).check()
    with serving(prepared, "guest.server", "/dev/binder"):
        done = prepared.run(["python3", "-m", "guest.client", "/dev/binder"], uid=CLIENT_UID, timeout=170)
    return dict(line.split(": ", 1) for line in done.text.splitlines())


@pytest.mark.parametrize("claim", CLAIMS)
def test_holds_over_the_driver(findings: dict[str, str], claim: str) -> None:
    assert findings.get(claim) == "holds"


def test_there_are_claims() -> None:
    assert len(CLAIMS) > 15
