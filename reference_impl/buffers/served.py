"""Stand-ins that other processes use, too: fresh ones for each boot, served under a name of the kernel's."""

from __future__ import annotations

import os
from typing import Any

from .provision import StandInProvision
from .small_heaps import FIRST_HEAP, FIRST_HEAP_PAGES, small_provision
from .socket_port import SocketServer


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
