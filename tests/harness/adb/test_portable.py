"""A host may be a Mac: nothing here may need what only Linux has."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOM = Path(__file__).parents[3] / "harness" / "adb"

# Of the standard library, by module; "" is the module itself.
LINUX_ONLY = {
    "os": "memfd_create sched_getaffinity pidfd_open eventfd splice setns unshare getrandom".split(),
    "select": "epoll EPOLLIN".split(),
    "selectors": ["EpollSelector"],
    "socket": "AF_VSOCK AF_NETLINK AF_PACKET TCP_KEEPIDLE TCP_USER_TIMEOUT SO_PEERCRED SOCK_CLOEXEC".split(),
    "signal": "sigtimedwait sigwaitinfo pidfd_send_signal".split(),
    "spwd": [""],
}


def linux_only(source: str) -> list[str]:
    """What of that a module uses."""
    used = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.append((node.value.id, node.attr))
        elif isinstance(node, ast.ImportFrom):
            used += [(node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            used += [(alias.name, "") for alias in node.names]
    return [f"{module}.{name}" for module, name in used if name in LINUX_ONLY.get(module, ())]


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: path.stem)
def test_nothing_that_only_linux_has_is_used(path: Path) -> None:
    assert linux_only(path.read_text(encoding="utf-8")) == []


def test_the_test_would_notice() -> None:
    assert linux_only("import socket\nsocket.AF_VSOCK") == ["socket.AF_VSOCK"]
    assert linux_only("from select import epoll") == ["select.epoll"]
