"""Calls through the real binder driver: `python -m tests.bench.bench_kernel`.

The peer is python3-gbinder, whose work is done in C: both call the same service of ours, which runs
under our own process, in the same virtual machine, in turns.
"""

from __future__ import annotations

from statistics import median

from ..binder.kernel.conftest import prepare, serving
from ..vm.machine import Machine
from .machine import in_machine

DEVICE = "/dev/binder"
CALLS = 500
WRITES = [("write", "to load a model", 3000), ("buffers", "for 64 buffers", 300)]
ROUNDS = 3
SETTINGS = f"[Protocol]\n{DEVICE} = aidl3\n[ServiceManager]\n{DEVICE} = aidl6\n"


def rate(machine: Machine, *program: str) -> float:
    done = machine.run(["python3", *program], timeout=60).check()
    return float(done.text.split()[-1])


def in_turns(machine: Machine, what: str, number: int) -> tuple[float, float, float]:
    """Median rates of ours and of gbinder's, and how many times as fast ours is."""
    pairs = [
        (
            rate(machine, "-m", "guest.peer", what, DEVICE, "36", str(number)),
            rate(machine, "-m", "guest.gbinder_peer", what, DEVICE, str(number)),
        )
        for _ in range(ROUNDS)
    ]
    ours, theirs = (median(each) for each in zip(*pairs, strict=True))
    return ours, theirs, median(our / their for our, their in pairs)


def measure(machine: Machine) -> None:
    prepare(machine, "service_manager")
    machine.run("cat > /etc/gbinder.conf", input=SETTINGS.encode()).check()
    with serving(machine, "guest.manager", DEVICE, "36"):
        ours, theirs, ratio = in_turns(machine, "time", CALLS)
        print(
            f"call over the driver: {ours:.0f}/s, python3-gbinder {theirs:.0f}/s "
            f"against the same service, ratio {ratio:.2f} (goal 0.7 or more)"
        )
        for what, title, count in WRITES:
            program = ["python3", "-m", "guest.gbinder_peer", what, DEVICE, str(count)]
            done = machine.run(program, timeout=60).check()
            ours, theirs, ratio = map(float, done.text.split())
            print(
                f"writing a request {title}: {ours:.0f}/s, python3-gbinder {theirs:.0f}/s, "
                f"ratio {ratio:.2f} (goal above 1)"
            )


def main() -> None:
    in_machine("sid", measure)


if __name__ == "__main__":
    main()
