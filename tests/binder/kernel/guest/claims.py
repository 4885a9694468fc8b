"""The claims about the driver, by name, and what several of them need."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

from binder import IBinder, StatusError
from binder.kernel import KernelProcess

from .service import PATIENCE, Code

Claim = Callable[[KernelProcess, IBinder], None]
CLAIMS: dict[str, Claim] = {}


def claim(function: Claim) -> Claim:
    CLAIMS[function.__name__] = function
    return function


def echo(service: IBinder, size: int) -> bytes:
    data = service.new_parcel()
    data.write_byte_array(bytes(range(256)) * (size // 256))
    with service.transact(Code.ECHO, data) as reply:
        return reply.read_byte_array() or b""


def status_of(run: Callable[[], object]) -> StatusError:
    try:
        run()
    except StatusError as error:
        return error
    raise AssertionError("no status")


def references(process: KernelProcess) -> int:
    """How many the driver counts for this process."""
    with open(f"/sys/kernel/debug/binder/proc/{process.device.pid}") as state:
        return sum(line.lstrip().startswith("ref ") for line in state)


def within_patience(condition: Callable[[], bool]) -> bool:
    pause = threading.Event()
    return any(condition() or pause.wait(0.05) for _ in range(int(PATIENCE / 0.05)))


def peer(device: str, *names: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "guest.client", device, *names]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
