"""Stand-ins that other processes use, too: fresh ones for each boot, served under a name of the kernel's."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any, Final

from .provision import StandInProvision
from .small_heaps import FIRST_HEAP, FIRST_HEAP_PAGES, small_provision
from .socket_port import SocketServer

_PAUSE_SECONDS: Final = 0.005


class ServedBuffers:
    """What a device that is driven from outside makes buffers of."""

    def __init__(self) -> None:
        self._name = f"npukit.wrapfd.{os.getpid()}"
        self._provision: StandInProvision | None = None
        self._server: SocketServer | None = None

    def boot(self) -> StandInProvision:
        """A driver and heaps that nobody has used. Those of before end, and whoever is connected to them."""
        self.close()
        self._provision = small_provision()
        self._server = SocketServer(self._provision.driver, f"\0{self._name}")
        return self._provision

    def facts(self) -> dict[str, Any] | None:
        """Where the driver is and what there is to allocate, None if there is nothing now."""
        if self._server is None:
            return None
        return {"socket": self._name, "heap": FIRST_HEAP, "pages": FIRST_HEAP_PAGES}

    def wait_for_end(self, pid: int | None, timeout: float) -> None:
        """Waits until a process that has died has closed all it had open: binder tells earlier."""
        deadline, pause = time.monotonic() + timeout, threading.Event()
        while pid is not None and _is_alive(pid) and time.monotonic() < deadline:
            pause.wait(_PAUSE_SECONDS)
        self.notice_deaths()

    def notice_deaths(self) -> None:
        """Sees to it that nobody who has died owns or maps anything any more."""
        if self._server is not None:
            self._server.notice_deaths()

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        if self._provision is not None:
            self._provision.close()
        self._server, self._provision = None, None


def _is_alive(pid: int) -> bool:
    """Whether it can have anything open: one whose parent has not looked yet has nothing."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] not in ("Z", "X")
