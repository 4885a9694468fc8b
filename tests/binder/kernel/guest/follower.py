"""Follows the context manager of a device through its deaths, and says what becomes of it."""

from __future__ import annotations

import sys
import threading

from binder import DeadObjectError
from binder.kernel import KernelProcess, LocalDevice


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main(path: str) -> None:
    with KernelProcess(LocalDevice(path)) as process:
        manager = process.context_manager()
        say("ready")
        pause = threading.Event()
        while True:
            died = threading.Event()
            deaths: list[int] = []

            def told(deaths: list[int] = deaths, died: threading.Event = died) -> None:
                deaths.append(1)
                died.set()

            try:
                manager.link_to_death(told)
            except DeadObjectError:
                pause.wait(0.05)
                continue
            say("linked")
            died.wait()
            pause.wait(0.2)
            say(f"died {len(deaths)}")


if __name__ == "__main__":
    main(sys.argv[1])
