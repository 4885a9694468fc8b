"""Devices over adb: `python -m tests.bench.bench_adb`.

Output of some length is read from a pretended server; the peer is adbutils. Commands and streams go to a real
adbd in the virtual machine; the peer is the adb program.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from adbutils import AdbClient

from harness.adb import Device, Server
from harness.fake_adb import FakeAdb, Part, packet

from ..vm.machine import Machine
from ..vm.qemu import MachineError

MEBIBYTES = (2, 4, 8, 16)
COMMANDS = 20
ROUND_TRIPS = 300
_BLOCK = bytes(1 << 16)


def processor_seconds(action: Callable[[], object]) -> float:
    """What this thread works for it: waiting, and the pretended server's threads, do not count."""
    begin = time.thread_time()
    action()
    return time.thread_time() - begin


def long_output() -> None:
    with FakeAdb() as fake:
        listed = fake.add("0123")
        device = Device(Server(*fake.address), "0123")
        theirs = AdbClient(*fake.address).device("0123")
        for size in MEBIBYTES:
            plain: list[Part] = [_BLOCK] * (size * 16)
            listed.answers = {
                "shell,v2,raw:x": [*([packet(1, _BLOCK)] * (size * 16)), packet(3, b"\0")],
                "shell:x": plain,
            }
            ours = processor_seconds(lambda: device.shell("x"))
            their = processor_seconds(lambda: theirs.shell("x", encoding=None))
            print(
                f"{size} MiB of output: {ours / size * 1000:.1f} ms/MiB of processor time, "
                f"adbutils {their / size * 1000:.1f}, ratio {their / ours:.1f}"
            )


def rate(number: int, action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    for _ in range(number):
        action()
    return number / (time.perf_counter() - begin)


def commands(machine: Machine) -> None:
    device = Device(Server(port=machine.adb.port), machine.adb.serial)
    device.shell("true").check()
    ours = rate(COMMANDS, lambda: device.shell("true").check())
    program = rate(COMMANDS, lambda: machine.adb.call("shell", "true"))
    print(f"command: {ours:.1f}/s, adb shell {program:.1f}/s, ratio {ours / program:.2f}")
    with device.stream("cat") as stream:
        data = bytes(64)

        def there_and_back() -> None:
            stream.write(data)
            stream.read_exact(len(data), timeout=10)

        trips = rate(ROUND_TRIPS, there_and_back)
    print(
        f"round trip of 64 bytes through a stream: {trips:.0f}/s, adb shell {program:.1f}/s, "
        f"ratio {trips / program:.0f}"
    )


def main() -> None:
    long_output()
    try:
        with Machine("trixie", takes_turns=False) as machine:
            commands(machine)
    except MachineError as error:
        sys.exit(f"no virtual machine: {error}")


if __name__ == "__main__":
    main()
