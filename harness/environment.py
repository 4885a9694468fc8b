"""Where scenarios were played, and with what, as far as it does not depend on the scenario."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Self

from .decode import INTERFACES


@dataclass(frozen=True, slots=True)
class Environment:
    """What somebody needs to know who wants to see the same.

    Attributes:
        npukit, python: versions.
        interfaces: by descriptor, "version N, hash H" of the frozen ones that npukit speaks.
        policy: a policy that was tried in place of Budget.
        devices: by serial, the build that was on it.
    """

    npukit: str = ""
    python: str = ""
    interfaces: dict[str, str] = field(default_factory=dict)
    policy: str = ""
    devices: dict[str, str] = field(default_factory=dict)

    @classmethod
    def here(cls, policy: str = "", devices: dict[str, str] | None = None) -> Self:
        """That of this process."""
        return cls(npukit_version(), platform.python_version(), _interfaces(), policy, devices or {})


def npukit_version() -> str:
    """The installed version, or "unknown" where npukit runs from a bare checkout."""
    try:
        return version("npukit")
    except PackageNotFoundError:
        return "unknown"


def _interfaces() -> dict[str, str]:
    return {
        descriptor: f"version {info.version}, hash {info.hash}"
        for descriptor, info in INTERFACES.items()
        if info.hash
    }
