"""Boots a machine for a person: `python -m tests.vm [trixie|sid|device]`."""

from __future__ import annotations

import contextlib
import signal
import sys

from .device import VirtualDevice
from .machine import Machine
from .qemu import MachineError


def main() -> int:
    what = sys.argv[1] if len(sys.argv) > 1 else "trixie"
    for way_to_end in (signal.SIGINT, signal.SIGTERM):  # a shell ignores the first for "&"
        signal.signal(way_to_end, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        try:
            with _machine(what) as machine:
                sys.stdout.write(_words(machine))
                sys.stdout.flush()
                signal.pause()
        except MachineError as error:
            sys.stderr.write(f"{error}\n")
            return 2
    return 0


def _machine(what: str) -> Machine:
    if what == "device":
        sys.stderr.write("Booting the virtual device; this takes about half a minute ...\n")
        return VirtualDevice(takes_turns=False)
    return _Plain("sid" if what == "sid" else "trixie", takes_turns=False)


class _Plain(Machine):
    def start(self) -> None:
        super().start()
        self.push_code()


def _words(machine: Machine) -> str:
    server = f"127.0.0.1:{machine.adb.port}"
    serial = machine.adb.serial
    shell = f"  export ANDROID_ADB_SERVER_PORT={machine.adb.port}\n  adb -s {serial} shell\n"
    if not isinstance(machine, VirtualDevice):
        return f"The machine runs. In another terminal:\n{shell}Ctrl-C ends it.\n"
    harness = "".join(
        f"  harness {words} --adb-server {server} --serial {serial}\n"
        for words in ("doctor", "run --backend adb")
    )
    return f"The virtual device {serial} runs. In another terminal:\n{harness}or\n{shell}Ctrl-C ends it.\n"


sys.exit(main())
