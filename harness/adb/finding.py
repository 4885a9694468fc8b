"""Which devices to use: those that were named and no others, each once however many ways lead to it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .device import Device
from .errors import AdbError, DeviceUnavailable
from .server import Server
from .states import State, state_called

_IDENTITY_SECONDS = 10.0
_IDENTITY = "getprop ro.serialno 2>/dev/null; echo; cat /proc/sys/kernel/random/boot_id 2>/dev/null"
# What many devices have in common is no name of one.
_COMMON = re.compile(r"|unknown|EMULATOR.*|0123456789ABCDEF|0+", re.IGNORECASE)
_GHOST = re.compile(r"emulator-\d+")


@dataclass(frozen=True, slots=True)
class Found:
    """A device that a server lists, in whatever state.

    Attributes:
        key: the same whichever way leads to the device: its ro.serialno, or else where it is listed.
    """

    device: Device
    state: State
    key: str

    def __str__(self) -> str:
        where = "" if self.device.server.is_here else f" at {self.device.server}"
        return f"{shlex.quote(self.device.serial)}{where} ({self.state.name})"


class NotOne(AdbError):
    """No device, or too many to choose from."""


def wanted_serials(given: Sequence[str], environment: Mapping[str, str] = os.environ) -> list[str]:
    """The devices that may be used: those given, or else ANDROID_SERIAL; none for any."""
    named = list(dict.fromkeys(given)) or [environment.get("ANDROID_SERIAL", "")]
    return [serial for serial in named if serial]


def find(servers: Iterable[Server], wanted: Sequence[str] = ()) -> list[Found]:
    """The devices to use, each once. A device that was not named is not talked to.

    Args:
        servers: whose devices to take together.
        wanted: serials as the servers list them; empty for any device.

    Raises:
        DeviceUnavailable: a device that was named is not listed, or in a state that does nothing for us.
        NotOne: none was named, and there is none that is ready.
    """
    listed = [
        (Device(server, entry.serial), entry.state)
        for server in dict.fromkeys(servers)
        for entry in server.devices()
    ]
    if not wanted:
        return _any(listed)
    for serial in wanted:
        states = [state for device, state in listed if device.serial == serial]
        if not any(state.usable for state in states):
            raise DeviceUnavailable(
                serial, states[0] if states else state_called("absent"), _others(listed, states)
            )
    return _once([(device, state) for device, state in listed if device.serial in wanted and state.usable])


def one(servers: Iterable[Server], wanted: Sequence[str] = ()) -> Device:
    """The one device to use. Raises `NotOne` if it is not clear which, and what `find` raises."""
    found = find(servers, wanted)
    if len(found) > 1:
        raise NotOne(
            f"there are {len(found)} devices: {', '.join(map(str, found))}",
            "choose one: --serial SERIAL, or ANDROID_SERIAL",
        )
    return found[0].device


def everything(servers: Iterable[Server], wanted: Sequence[str] = ()) -> list[Found]:
    """All that the servers list, for people to see; those that are ready once each.

    Args:
        servers: whose devices to take together.
        wanted: the devices that may be talked to, to know them by their own numbers; empty for all.
    """
    listed = [
        (Device(server, entry.serial), entry.state)
        for server in dict.fromkeys(servers)
        for entry in server.devices()
    ]
    talking = [pair for pair in listed if pair[1].usable and (not wanted or pair[0].serial in wanted)]
    silent = [pair for pair in listed if pair not in talking]
    return _once(talking) + [Found(device, state, _place(device)) for device, state in silent]


def _any(listed: Sequence[tuple[Device, State]]) -> list[Found]:
    ready = [(device, state) for device, state in listed if state.usable]
    if ready:
        return _once(ready)
    # An emulator that ended leaves an entry that means nothing.
    real = [
        (device, state)
        for device, state in listed
        if not (_GHOST.fullmatch(device.serial) and state.name == "offline")
    ]
    if len(real) == 1:
        raise DeviceUnavailable(real[0][0].serial, real[0][1])
    if real:
        told = "; ".join(f"{device.serial!r} is {state.meaning}" for device, state in real)
        raise NotOne(f"no device is ready: {told}", "see: harness devices")
    raise NotOne("there is no device", "plug one in, start an emulator, or: adb connect HOST:PORT")


def _others(listed: Sequence[tuple[Device, State]], states: Sequence[State]) -> str:
    """For a serial that is not listed: what is."""
    if states or not listed:
        return ""
    return f" (it lists {', '.join(repr(device.serial) for device, _ in listed)})"


def _once(ready: Sequence[tuple[Device, State]]) -> list[Found]:
    """Each device once, by its own serial number; the way over USB before others."""
    if len(ready) == 1:
        # The key is asked for all the same: somebody else may know the device by another way.
        device, state = ready[0]
        return [Found(device, state, _identity(device)[0] or _place(device))]
    found: dict[tuple[str, str], Found] = {}
    for device, state in sorted(ready, key=lambda pair: _is_networked(pair[0].serial)):
        own, boot = _identity(device)
        key = own or _place(device)
        same = (own, boot) if own else (key, "")
        if boot and not own:
            same = ("", boot)
        clash = any(other.key == key and other_same != same for other_same, other in found.items())
        found.setdefault(same, Found(device, state, f"{key}@{_place(device)}" if clash else key))
    return list(found.values())


def _identity(device: Device) -> tuple[str, str]:
    """Its ro.serialno and the number of its boot, "" for what it does not tell."""
    try:
        said = device.shell(_IDENTITY, timeout=_IDENTITY_SECONDS, repeatable=True).text.splitlines()
    except AdbError:
        return "", ""  # its state has changed since; whoever uses it will hear why
    own = said[0].strip() if said else ""
    boot = said[-1].strip() if len(said) > 1 else ""
    return "" if _COMMON.fullmatch(own) else own, boot


def _place(device: Device) -> str:
    return f"{device.server}/{device.serial}"


def _is_networked(serial: str) -> bool:
    return ":" in serial or "._adb" in serial
