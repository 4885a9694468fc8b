"""The context manager of a binder device, for as long as its input is open."""

from __future__ import annotations

import logging
import sys

from binder.kernel import KernelProcess, LocalDevice

from .service import Service


def main(path: str, api_level: int = 37) -> None:
    logging.basicConfig()
    with KernelProcess(LocalDevice(path), api_level=api_level) as process:
        process.become_context_manager(Service())
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
