"""Calls through adb and the agent: `python -m tests.bench.bench_agent`.

The peer is `adb shell service call`: one shell for each call, in which a program finds the service and calls
it. On the virtual machine that program is gbinder's `binder-call`, written in C. Both call the same service
of ours, which runs in the machine, in turns.
"""

from __future__ import annotations

import sys
from statistics import median

from binder.kernel import KernelProcess
from harness.adb import Device, Server
from harness.agent.install import install, start
from service_manager import ServiceManager

from ..binder.kernel.conftest import prepare, serving
from ..binder.kernel.guest.manager import DESCRIPTOR
from ..binder.kernel.guest.peer import add
from ..vm.machine import Machine
from .machine import in_machine
from .measure import per_second

CALLS = 300
SHELLS = 10
ROUNDS = 5
API_LEVEL = 36
APP_UID = 10123
DEVICE = "/dev/binder"
NAME = f"{DESCRIPTOR}/default"
SETTINGS = f"[Protocol]\n{DEVICE} = aidl3\n[ServiceManager]\n{DEVICE} = aidl6\n"


def measure(machine: Machine) -> None:
    device = Device(Server.from_environment(machine.adb.environment), machine.adb.serial)
    agent = start(device, install(device), uid=APP_UID)
    with KernelProcess(agent, api_level=API_LEVEL) as app:
        service = ServiceManager(app.context_manager()).check_service(NAME)
        if service is None:
            sys.exit("the machine does not know the service")

        def call() -> None:
            if add(service) != 5:
                raise AssertionError("a wrong answer")

        def shell() -> None:
            said = machine.adb.call("shell", f"binder-call -d {DEVICE} -a {NAME} 1 2 3 reply i32 i32").stdout
            if b"5" not in said:
                raise AssertionError(f"a wrong answer: {said!r}")

        call()
        shell()
        rates = [(per_second(call, CALLS), per_second(shell, SHELLS)) for _ in range(ROUNDS)]
    ours, theirs = (median(column) for column in zip(*rates, strict=True))
    ratio = median(ours / theirs for ours, theirs in rates)
    print(
        f"call through adb and the agent: {ours:.0f}/s, a shell for each call {theirs:.1f}/s, "
        f"ratio {ratio:.0f} (goal 20 or more)"
    )


def main() -> None:
    in_machine("trixie", _measure_calls)


def _measure_calls(machine: Machine) -> None:
    prepare(machine, "service_manager")
    machine.run("cat > /etc/gbinder.conf", input=SETTINGS.encode()).check()
    with serving(machine, "guest.manager", DEVICE, str(API_LEVEL)):
        measure(machine)


if __name__ == "__main__":
    main()
