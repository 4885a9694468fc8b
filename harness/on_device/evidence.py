"""What a device leaves to look at after a failure."""

from __future__ import annotations

from functools import cache

from ..adb import AdbError, Device

LOG_LINES = 2000
_SECONDS = 10.0

COMMANDS = {
    "device.txt": "getprop ro.build.fingerprint; getprop ro.serialno; cat /proc/version; cmd npu info",
    "logcat.txt": f"logcat -d -t {LOG_LINES} 2>&1",
}
"""By the name of a file, what to ask the device for it."""


def evidence_of(device: Device) -> dict[str, str]:
    """Texts by the name of a file; what a device does not tell is said instead."""
    return {name: _said(device, command) for name, command in COMMANDS.items()}


def place_of(device: Device) -> dict[str, str]:
    """Which device it is; without a build if it does not tell one."""
    return {"serial": device.serial, "build": _build(device)}


@cache
def _build(device: Device) -> str:
    done = device.shell("getprop ro.build.fingerprint", timeout=_SECONDS, repeatable=True)
    return done.text.strip()


def _said(device: Device, command: str) -> str:
    try:
        return device.shell(command, timeout=_SECONDS, repeatable=True).said
    except AdbError as error:
        return f"{error}\n"
