"""Calls through the real binder driver: `python -m tests.bench.bench_kernel`.

The peer is python3-gbinder, whose work is done in C: both call the same service of ours, which runs
under our own process, in the same virtual machine, in turns.
"""

from __future__ import annotations

import shutil
import sys
from statistics import median

from ..binder.kernel.conftest import CODE, prepare, serving
from ..conftest import PROGRAMS
from ..vm.machine import Machine
from ..vm.qemu import MachineError

DEVICE = "/dev/binder"
CALLS = 500
ROUNDS = 3
SETTINGS = f"[Protocol]\n{DEVICE} = aidl3\n[ServiceManager]\n{DEVICE} = aidl6\n"


def rate(machine: Machine, *program: str) -> float:
    done = machine.run(["python3", *program], timeout=60).check()
    return float(done.text.split()[-1])


def measure(machine: Machine) -> None:
    prepare(machine, "service_manager")
    machine.run("cat > /etc/gbinder.conf", input=SETTINGS.encode()).check()
    ours, theirs = [], []
    with serving(machine, "guest.manager", DEVICE, "36"):
        for _ in range(ROUNDS):
            ours.append(rate(machine, "-m", "guest.peer", "time", DEVICE, "36", str(CALLS)))
            theirs.append(rate(machine, f"{CODE}/guest/gbinder_peer.py", "time", DEVICE, str(CALLS)))
    ratio = median(our / their for our, their in zip(ours, theirs, strict=True))
    print(
        f"call over the driver: {median(ours):.0f}/s, python3-gbinder {median(theirs):.0f}/s "
        f"against the same service, ratio {ratio:.2f} (goal 0.7 or more)"
    )


def main() -> None:
    missing = [program for program in PROGRAMS["vm"] if shutil.which(program) is None]
    if missing:
        print(f"skipped: not on this machine: {', '.join(missing)}")
        return
    try:
        with Machine("sid") as machine:
            machine.push_code()
            measure(machine)
    except (MachineError, TimeoutError) as error:
        sys.exit(f"the virtual machine: {error}")


if __name__ == "__main__":
    main()
