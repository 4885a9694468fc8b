"""Calls through adb and the agent: `python -m tests.bench.bench_agent`.

The peer is what a shell offers, `adb shell service call` in one shell for each call: on the virtual machine the
smallest program that asks the same service the same thing stands for `service`, so that what is measured is adb's
way of doing it and not how fast Python starts. Both in the same run, in turns.
"""

from __future__ import annotations

import shutil
import sys
from statistics import median

from binder import Binder, Parcel
from binder.kernel import KernelProcess
from binder.protocol import TransactionFlag
from harness.adb import Device, Server
from harness.agent.install import install, start

from ..conftest import PROGRAMS
from ..vm.machine import Machine
from ..vm.qemu import MachineError
from .measure import per_second

CALLS = 300
SHELLS = 10
ROUNDS = 5
ECHO = 1
APP_UID = 10123


class Echo(Binder):
    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code != ECHO:
            super().on_transact(code, data, reply, flags)
            return
        reply.write_int32(data.read_int32())


def measure(machine: Machine) -> None:
    device = Device(Server.from_environment(machine.adb.environment), machine.adb.serial)
    path = install(device)
    with (
        KernelProcess(start(device, path, uid=1000)) as server,
        KernelProcess(start(device, path, uid=APP_UID)) as app,
    ):
        server.become_context_manager(Echo())
        target = app.context_manager()

        def call() -> None:
            data = target.new_parcel()
            data.write_int32(7)
            with target.transact(ECHO, data, int(TransactionFlag.ACCEPT_FDS)) as reply:
                if reply.read_int32() != 7:
                    raise AssertionError("a wrong answer")

        def shell() -> None:
            device.shell("true").check()

        call()
        shell()
        rates = [(per_second(call, CALLS), per_second(shell, SHELLS)) for _ in range(ROUNDS)]
    ours, theirs = (median(column) for column in zip(*rates, strict=True))
    ratio = median(ours / theirs for ours, theirs in rates)
    print(f"call through adb and agents at both ends: {ours:.0f}/s")
    print(f"adb shell true, which calls nothing: {theirs:.1f}/s, ratio {ratio:.0f} (goal 20 or more)")


def main() -> None:
    missing = [program for program in PROGRAMS["vm"] if shutil.which(program) is None]
    if missing:
        print(f"skipped: not on this machine: {', '.join(missing)}")
        return
    try:
        with Machine("trixie") as machine:
            measure(machine)
    except (MachineError, TimeoutError) as error:
        sys.exit(f"the virtual machine: {error}")


if __name__ == "__main__":
    main()
