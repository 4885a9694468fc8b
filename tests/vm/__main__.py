"""Boots a machine for a person: `python -m tests.vm [trixie|sid]`."""

from __future__ import annotations

import contextlib
import signal
import sys

from .machine import Machine, Variant


def main() -> None:
    variant: Variant = "sid" if sys.argv[1:] == ["sid"] else "trixie"
    for way_to_end in (signal.SIGINT, signal.SIGTERM):  # a shell ignores the first for "&"
        signal.signal(way_to_end, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), Machine(variant, takes_turns=False) as machine:
        machine.push_code()
        sys.stdout.write(
            "The machine runs. In another terminal:\n"
            f"  export ANDROID_ADB_SERVER_PORT={machine.adb.port}\n"
            f"  adb -s {machine.adb.serial} shell\n"
            "Ctrl-C ends it.\n"
        )
        sys.stdout.flush()
        signal.pause()


main()
