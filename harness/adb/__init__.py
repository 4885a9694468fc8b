"""Devices that adb reaches: which there are, their states, and doing things on them within a deadline.

    from harness.adb import Device, Server

    device = Device(Server.from_environment(), "0123ABC")
    device.shell("getprop ro.build.version.sdk").check().text

Talks to adb's server by its own protocol, which adbutils frames, and ends no server. Needs nothing that only
one operating system has, so a host may be a Mac.
"""

from __future__ import annotations

from .device import Device
from .errors import (
    AdbError,
    BadOutput,
    CommandFailed,
    DeviceUnavailable,
    LinkLost,
    NoServer,
    NotSupported,
    OutcomeUnknown,
    TimedOut,
)
from .server import Listed, Server
from .shell import Completed
from .states import STATES, State
from .stream import ExecStream

__all__ = [
    "STATES",
    "AdbError",
    "BadOutput",
    "CommandFailed",
    "Completed",
    "Device",
    "DeviceUnavailable",
    "ExecStream",
    "LinkLost",
    "Listed",
    "NoServer",
    "NotSupported",
    "OutcomeUnknown",
    "Server",
    "State",
    "TimedOut",
]
