"""How long scenarios take on a virtual device over adb, against the same ones on the reference.

Set NPUKIT_BENCH_ALL to play all of them, each in its first variant.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

from harness.catalogue import catalogue
from harness.on_device.options import DeviceOptions
from harness.run import Run, play
from tests.vm.device import VirtualDevice
from tests.vm.qemu import MachineError

MODULES = ("turn_taking", "budget", "life_of_a_request")


def _played(names: list[str], devices: DeviceOptions | None) -> tuple[Run, float]:
    start = perf_counter()
    run = play(names, backend="reference" if devices is None else "adb", devices=devices)
    return run, perf_counter() - start


def main() -> int:
    names = [entry.names[0] for entry in catalogue()]
    if not os.environ.get("NPUKIT_BENCH_ALL"):
        names = [name for name in names if name.partition(".")[0] in MODULES]
    try:
        device = VirtualDevice(takes_turns=False)
        start = perf_counter()
        with device:
            print(f"virtual device: up in {perf_counter() - start:.1f} s")
            options = DeviceOptions((f"127.0.0.1:{device.adb.port}",), (device.adb.serial,), run="bench")
            run, seconds = _played(names, options)
    except MachineError as error:
        print(f"no virtual device: {error}", file=sys.stderr)
        return 0
    _, at_home = _played(names, None)
    played = len(names) - run.count("skipped")
    each, failed = seconds / played, run.count("failed")
    print(f"{played} scenarios over adb: {seconds:.1f} s, {each:.2f} s each, {failed} failed")
    print(f"  on the reference, in virtual time: {at_home:.1f} s, ratio {seconds / at_home:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
