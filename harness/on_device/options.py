"""What a user says of devices on the command line, as it travels to the processes that play."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class DeviceOptions:
    """How to choose devices, and how to use them.

    Attributes:
        servers: adb servers, HOST:PORT each; empty for the one that the environment names.
        serials: devices; empty for any.
        apps: packages to play as, each perhaps with "LABEL=" in front; empty for all that can be.
        take_over_hal: whether scenarios may call the HAL in the service's place.
        lab: whether a virtual device may be driven by more than Android's commands.
        run: a name that the processes of one run have in common.
    """

    servers: tuple[str, ...] = ()
    serials: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    lab: bool = True
    run: str = ""
    take_over_hal: bool = False

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> Self:
        """From `as_text`; all defaults from nothing."""
        found: dict[str, Any] = json.loads(text) if text else {}
        lists = {key: tuple(value) for key, value in found.items() if isinstance(value, list)}
        return cls(**{**found, **lists})
