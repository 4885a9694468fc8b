"""Serves a reference device on a real binder driver, for other programs.

    python -m reference_impl.serving --binder /dev/binder [--context-manager]

Registers `npu` and the HAL with the service manager that is there, or as the service manager itself. Prints
one line when others can come, and serves until it is interrupted or terminated, or, with `--control`, until
its input ends; see `control` for what can be said to it there. Needs nothing but the standard library.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from contextlib import AbstractContextManager, closing, nullcontext
from types import FrameType

from binder import BinderError
from reference_impl.constants import HAL_SERVICE, NPU_SERVICE
from reference_impl.control import Control
from reference_impl.device import ReferenceDevice
from reference_impl.kernel_processes import KernelDriver, NoServiceManager
from reference_impl.names_process import NamesProcess

STOPPED, FAILED = 0, 2
DEFAULT_THREADS = 16


def serve(path: str, *, context_manager: bool) -> int:
    """Serves until SIGINT or SIGTERM. Returns an exit code."""
    stopped = threading.Event()

    def stop(signum: int, frame: FrameType | None) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with _names(path, context_manager=context_manager), closing(_driver(path)) as driver:
            ReferenceDevice(driver)
            _say(f"{NPU_SERVICE} and {HAL_SERVICE} are served on {path} by pid {os.getpid()}; Ctrl-C ends it")
            # In slices, so that a signal is handled whatever the platform does with a lock's wait.
            while not stopped.wait(1.0):
                pass
    except (BinderError, NoServiceManager) as error:
        return _fail(error)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return STOPPED


def _driver(path: str) -> KernelDriver:
    driver = KernelDriver(path, threads=DEFAULT_THREADS)
    try:
        driver.wait_for_service_manager()
    except BaseException:
        driver.close()
        raise
    return driver


def serve_controlled(path: str, *, context_manager: bool) -> int:
    """Serves until standard input ends, and does what it says. Returns an exit code."""
    try:
        with _names(path, context_manager=context_manager), closing(Control(path)) as control:
            control.driver.wait_for_service_manager()
            control.serve(sys.stdin, sys.stdout)
    except (BinderError, NoServiceManager) as error:
        return _fail(error)
    return STOPPED


def _names(path: str, *, context_manager: bool) -> AbstractContextManager[object]:
    """The service manager, if we are to be it."""
    return closing(NamesProcess(path)) if context_manager else nullcontext()


def _fail(error: Exception) -> int:
    sys.stderr.write(f"serve: {error}\n")
    return FAILED


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m reference_impl.serving",
        description="Serve a reference NPU device on a binder driver.",
    )
    parser.add_argument("--binder", default="/dev/binder", metavar="DEV", help="the driver's device")
    parser.add_argument("--context-manager", action="store_true", help="be the service manager, too")
    parser.add_argument("--control", action="store_true", help="take JSON lines from standard input")
    arguments = parser.parse_args()
    how = serve_controlled if arguments.control else serve
    return how(arguments.binder, context_manager=arguments.context_manager)


if __name__ == "__main__":
    sys.exit(main())
