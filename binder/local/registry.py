"""Names of services under one in-process driver."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ..ibinder import IBinder

if TYPE_CHECKING:
    from .process import Node, Process


class Registry:
    """Which node is registered under which name, and who waits for a name."""

    def __init__(self, lock: AbstractContextManager[Any]) -> None:
        self._lock = lock
        self._nodes: dict[str, Node] = {}
        self._waiting: dict[str, list[tuple[Process, Callable[[IBinder], None]]]] = {}

    def add(self, name: str, node: Node) -> None:
        with self._lock:
            self._nodes[name] = node
            waiting = self._waiting.pop(name, [])
        for process, found in waiting:
            self._tell(process, found, node)

    def get(self, name: str) -> Node | None:
        node = self._nodes.get(name)
        return node if node is not None and node.owner.alive else None

    def wait(self, name: str, process: Process, found: Callable[[IBinder], None]) -> None:
        with self._lock:
            node = self.get(name)
            if node is None:
                self._waiting.setdefault(name, []).append((process, found))
                return
        self._tell(process, found, node)

    def forget(self, process: Process) -> None:
        """Drops the names of a process that has died, and what it waited for."""
        with self._lock:
            self._nodes = {name: node for name, node in self._nodes.items() if node.owner is not process}
            self._waiting = {
                name: kept
                for name, waiting in self._waiting.items()
                if (kept := [entry for entry in waiting if entry[0] is not process])
            }

    def names(self) -> list[str]:
        with self._lock:
            return sorted(name for name in self._nodes if self.get(name) is not None)

    @staticmethod
    def _tell(process: Process, found: Callable[[IBinder], None], node: Node) -> None:
        process.post(lambda: found(process.reference_to(node)))
