"""What buffers are made of: a wrapfd driver, heaps, and a configuration of which heap serves what."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Protocol

from .contents import Contents
from .heap_config import HeapConfig
from .heaps import Heaps, KernelHeaps, StandInHeaps
from .kernel import KernelPort
from .memory import MemoryFiles
from .profiles import CONTRACT, Profile
from .standin import StandInDriver
from .wrapfd import DEVICE_PATH, Wrapfd


class Provision(Protocol):
    """The parts, the real ones or stand-ins.

    Attributes:
        config: None where there is none, which supports nothing.
        config_error: what is wrong with the configuration, "" if nothing is.
    """

    config: HeapConfig | None
    config_error: str

    @property
    def heaps(self) -> Heaps: ...

    def wrapfd(self, pid: int) -> Wrapfd:
        """The driver as a process uses it."""

    def process_died(self, pid: int) -> None:
        """For a driver that does not see it by itself."""


class StandInProvision:
    """Everything on memory files, for processes that are pretended.

    Args:
        config: which heap serves what.
        capacities: by the heap's name, how many bytes it has.
        profile: the generation of the driver.
        files: makes the memory files.
    """

    def __init__(
        self,
        config: HeapConfig | None,
        capacities: Mapping[str, int],
        *,
        profile: Profile = CONTRACT,
        files: MemoryFiles | None = None,
    ) -> None:
        self.config = config
        self.config_error = ""
        contents = Contents(files or MemoryFiles(), dict(capacities), keep_writable=profile.loads_read_only)
        self.driver = StandInDriver(contents, profile)
        self._heaps = StandInHeaps(contents)

    @property
    def heaps(self) -> Heaps:
        return self._heaps

    def wrapfd(self, pid: int) -> Wrapfd:
        return Wrapfd(self.driver.port(pid))

    def process_died(self, pid: int) -> None:
        self.driver.exit(pid)

    def close(self) -> None:
        """Frees all there is, whoever still has it open."""
        self.driver.contents.close()


class KernelProvision:
    """The driver and the heaps of this machine. All callers are this process, whatever pid they give.

    Raises:
        OSError: there is no driver, or it may not be used.
    """

    def __init__(self, config: HeapConfig | None) -> None:
        self.config = config
        self.config_error = ""
        self._heaps = KernelHeaps()
        self._port = KernelPort()

    @property
    def heaps(self) -> Heaps:
        return self._heaps

    def wrapfd(self, pid: int) -> Wrapfd:
        return Wrapfd(self._port)

    def process_died(self, pid: int) -> None:
        """The kernel has seen it."""


def best_provision(
    config: HeapConfig | None, capacities: Mapping[str, int], *, profile: Profile = CONTRACT
) -> Provision:
    """The machine's own driver and heaps if there is a driver, else stand-ins.

    Raises:
        OSError: there is a driver, but it may not be used.
        MemoryUnavailable: there is none, and the machine cannot hold the stand-in's buffers either.
    """
    if os.path.exists(DEVICE_PATH):
        return KernelProvision(config)
    files = MemoryFiles()
    files.check()
    return StandInProvision(config, capacities, profile=profile, files=files)
