"""Two virtual devices as a pool: one of them is lost while scenarios are played on both."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.adb import Server
from harness.adb.finding import find
from harness.adb.pool import Pool
from harness.catalogue import catalogue
from tests.harness.command import ROOT
from tests.vm.device import VirtualDevice
from tests.vm.processes import wait_until

pytestmark = [pytest.mark.adb, pytest.mark.vm]

MODULES = ("turn_taking.*", "status_quo.*", "set_policy.*", "life_of_a_request.*")
WORKERS = 3
PATIENCE = 300


@pytest.fixture(scope="module")
def second(virtual_device: VirtualDevice) -> Iterator[VirtualDevice]:
    """Another device, beside the first. It does not wait for its turn: the first has it."""
    device = VirtualDevice(takes_turns=False)
    try:
        device.start()
        yield device
    finally:
        device.close()


@pytest.mark.timeout(600, func_only=True)
def test_the_run_goes_on_when_a_device_is_lost(
    virtual_device: VirtualDevice, second: VirtualDevice, tmp_path: Path
) -> None:
    both = (virtual_device, second)
    servers = [f"--adb-server=127.0.0.1:{device.adb.port}" for device in both]
    serials = [f"--serial={device.adb.serial}" for device in both]
    junit, results = tmp_path / "run.xml", tmp_path / "run.json"
    files = [f"--junit={junit}", f"--json={results}"]
    command = [sys.executable, "-m", "harness", "run", *MODULES, "--backend=adb", f"-n{WORKERS}"]
    run = subprocess.Popen(
        [*command, *servers, *serials, *files],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        # Each scenario leaves a line in a device's log.
        assert wait_until(lambda: _sessions(second) > 3, PATIENCE, interval=1.0)
        os.kill(second.pids()[0], signal.SIGKILL)
        out, err = run.communicate(timeout=PATIENCE)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 3, f"{out}\n{err}"
    assert f"{second.number} was lost: " in err
    names = [name for entry in catalogue() for name in entry.names if _is_chosen(name)]
    cases = ElementTree.parse(junit).getroot().iter("testcase")
    assert len(list(cases)) == len(names)
    outcomes = {each["name"]: each["outcome"] for each in json.loads(results.read_text())["scenarios"]}
    assert outcomes.keys() == set(names)
    # What was being played when the device went cannot pass; all else moves to the other one.
    assert sum(outcome == "failed" for outcome in outcomes.values()) <= 1
    assert sum(outcome == "passed" for outcome in outcomes.values()) >= len(names) - 2


def test_nothing_is_left_locked(virtual_device: VirtualDevice) -> None:
    found = find([Server(port=virtual_device.adb.port)], [virtual_device.adb.serial])
    with Pool(found, "another run").lease(timeout=1) as device:
        assert device.serial == virtual_device.adb.serial


def _sessions(device: VirtualDevice) -> int:
    """How many scenarios have begun on a device."""
    return int(device.run("logcat -d | grep -c 'a host takes over'; true").text)


def _is_chosen(name: str) -> bool:
    return any(name.startswith(pattern.removesuffix("*")) for pattern in MODULES)
