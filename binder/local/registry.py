"""Names of services under one in-process driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ibinder import IBinder

if TYPE_CHECKING:
    from .process import Node, Process


class Registry:
    """Which node is registered under which name, and who waits for a name."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._waiting: dict[str, list[tuple[Process, Callable[[IBinder], None]]]] = {}

    def add(self, name: str, node: Node) -> None:
        self._nodes[name] = node
        for process, found in self._waiting.pop(name, []):
            self._tell(process, found, node)

    def get(self, name: str) -> Node | None:
        node = self._nodes.get(name)
        return node if node is not None and node.owner.alive else None

    def wait(self, name: str, process: Process, found: Callable[[IBinder], None]) -> None:
        node = self.get(name)
        if node is None:
            self._waiting.setdefault(name, []).append((process, found))
        else:
            self._tell(process, found, node)

    def names(self) -> list[str]:
        return sorted(name for name in self._nodes if self.get(name) is not None)

    @staticmethod
    def _tell(process: Process, found: Callable[[IBinder], None], node: Node) -> None:
        process.post(lambda: found(process.reference_to(node)))
