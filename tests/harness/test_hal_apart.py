"""Service and HAL as programs of their own over a real driver, the HAL killed under load."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from harness.catalogue import catalogue
from harness.placement import HAL_APART
from harness.run import play

from ..vm.machine import Machine
from ..vm.running import Running

pytestmark = pytest.mark.vm

PATIENCE = 60.0
DEVICE = "/dev/hwbinder"
SERVE = ["python3", "-m", "reference_impl.serving", "--binder", DEVICE]
INFER = f"python3 -m reference_impl.run_test_inference --binder {DEVICE}"
APPS = {10201: 400, 10202: 400, 10203: 400}
KILLS = 3

DUMP = f"""
from binder import dump
from binder.kernel import KernelProcess, LocalDevice
from service_manager import ServiceManager
with KernelProcess(LocalDevice("{DEVICE}")) as process:
    print(dump(ServiceManager(process.context_manager()).check_service("{{}}")))
"""


class Served:
    """The service, to be told what happens on its platform, and a HAL that comes and goes."""

    def __init__(self, machine: Machine, service: Running) -> None:
        self.machine = machine
        self._service = service
        self._number = 0
        self.hal: Running | None = None
        self._pid = ""

    def does(self, command: str, **arguments: object) -> object:
        self._number += 1
        line = json.dumps({"id": self._number, "do": command, **arguments})
        self._service.send(f"{line}\n".encode())
        said = json.loads(self._service.line(PATIENCE))
        assert said.get("id") == self._number, said
        assert "error" not in said, said
        return said["result"]

    def starts_hal(self) -> None:
        self.hal = self.machine.spawn([*SERVE, "--part", "hal"], uid=1000)
        ready = self.hal.line(PATIENCE)
        assert ready.startswith("android.hardware.npu.IScheduling/default is served")
        self._pid = ready.partition("by pid ")[2].partition(";")[0]

    def kills_hal(self) -> None:
        assert self.hal is not None
        self.machine.run(f"kill -9 {self._pid}").check()
        self.hal.kill()
        self.hal = None

    def dump(self, name: str) -> str:
        done = self.machine.run(["python3", "-c", DUMP.format(name)], timeout=PATIENCE)
        return done.check().text

    def hal_table(self) -> dict[int, int]:
        """By uid, the priority that the HAL's own dump shows."""
        text = self.dump("android.hardware.npu.IScheduling/default")
        rows = text.partition("Configs:\n")[2].partition("\n\n")[0].splitlines()
        return {int(row.split()[0]): int(row.split()[1]) for row in rows}


@pytest.fixture
def served(machine: Machine) -> Iterator[Served]:
    """A service that knows some apps, and no HAL yet."""
    arguments = ["--context-manager", "--control", "--part", "service"]
    with machine.spawn([*SERVE, *arguments], uid=1000) as service:
        assert json.loads(service.line(PATIENCE))["version"] == 1
        served = Served(machine, service)
        for uid, importance in APPS.items():
            served.does(
                "install",
                name=f"com.example.app{uid}",
                uid=uid,
                target_sdk=37,
                features=["android.hardware.npu"],
                permissions=[],
                importance=importance,
            )
        try:
            yield served
        finally:
            if served.hal is not None:
                served.hal.kill()


def as_uid(uid: int) -> str:
    return f"setpriv --reuid={uid} --clear-groups"


def infer(machine: Machine, uid: int, *options: str) -> int:
    return machine.run(f"{as_uid(uid)} {INFER} {' '.join(options)}", timeout=PATIENCE).code


def test_run_test_inference_works_as_its_uid_may(served: Served, machine: Machine) -> None:
    assert infer(machine, 10201) == 2, "there is no HAL"
    served.starts_hal()
    assert infer(machine, 10201) == 0
    assert infer(machine, 10201, "--job-priority", "0") == 0
    assert infer(machine, 10201, "--job-priority", "1001") == 2
    assert infer(machine, 10201, "--original-uid", "10202") == 1, "it may not attribute"
    assert infer(machine, 1000, "--original-uid", "10202") == 0, "the system may"
    metrics = served.dump("npu")
    assert "work_ended " in metrics


@pytest.mark.timeout(400)
def test_hal_killed_under_load_and_nothing_lost(served: Served, machine: Machine) -> None:
    served.starts_hal()
    loops = [f"while :; do {as_uid(uid)} {INFER} 2>/dev/null; done" for uid in list(APPS)[:2]]
    with machine.spawn(loops[0]), machine.spawn(loops[1]):
        for number in range(KILLS):
            served.does("importance", uid=10201, importance=100 + number)
            served.kills_hal()
            served.does("importance", uid=10202, importance=200 + number)
            served.does("install", name=f"com.example.late{number}", uid=10301 + number, target_sdk=37,
                        features=["android.hardware.npu"], permissions=[], importance=300)  # fmt: skip
            served.starts_hal()
            served.does("settle")
            served.does("importance", uid=10203, importance=300 + number)
            served.does("settle")
    table = served.hal_table()
    expected = {10201: 102, 10202: 202, 10203: 302, **{10301 + number: 300 for number in range(KILLS)}}
    assert {uid: table.get(uid) for uid in expected} == expected
    assert infer(machine, 10203) == 0
    assert "Callback: yes" in served.dump("android.hardware.npu.IScheduling/default")


@pytest.mark.timeout(600)
def test_scenarios_of_restarts_pass_with_a_hal_that_is_really_killed(machine: Machine) -> None:
    modules = ("hal_restart", "hal_connection")
    names = [entry.names[0] for entry in catalogue() if entry.name.partition(".")[0] in modules]
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(HAL_APART, "1")
        environment.setenv("NPUKIT_KERNEL_SERIAL", machine.adb.serial)
        for name, value in machine.adb.environment.items():
            environment.setenv(name, value)
        played = play(names, backend="kernel")
    assert {result.name: result.reason for result in played.results if result.outcome == "failed"} == {}
    assert played.exit_code == 0, played.problems
