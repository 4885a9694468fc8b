"""Restarts of a device and of its adbd: every stream ends with them, so that whoever had one begins again."""

from __future__ import annotations

import re
from contextlib import suppress

from . import android
from .deadline import Deadline, poll
from .device import Device
from .errors import AdbError, DeviceUnavailable, LinkLost, NotSupported, Refused
from .server import ANSWER_SECONDS

BOOT_SECONDS = 180.0
ROOT_SECONDS = 30.0

_PROPERTY_SECONDS = 5.0
_BOOT_ID = "cat /proc/sys/kernel/random/boot_id"


def wait_for_boot(device: Device, *, service: str = android.SERVICE, timeout: float = BOOT_SECONDS) -> None:
    """Waits until Android has booted and a service of it is there.

    Args:
        service: its name; "" to wait for none.
        timeout: seconds for all of it.

    Raises:
        DeviceUnavailable, TimedOut: the device, its boot or the service does not come.
    """
    deadline = Deadline(timeout, f"waiting for {device.serial!r} to boot")
    wait_until_connected(device, deadline)
    # Reading a property can stall during the boot, so each gets little time of its own.
    poll(lambda: _says(device, "getprop sys.boot_completed", "1", deadline), deadline)
    if service:
        deadline.doing = f"waiting for the service {service!r} of {device.serial!r}"
        poll(
            lambda: _says(device, f"service check {service}", f"Service {service}: found", deadline), deadline
        )


def wait_until_connected(device: Device, deadline: Deadline) -> None:
    """Waits until the server lists the device as ready; has it connect again to a device on a network.

    Raises:
        DeviceUnavailable: it does not become ready; its last state.
    """

    def again() -> bool:
        state = device.state
        if state.usable:
            return True
        if re.fullmatch(r"\S+:\d+", device.serial):
            # An entry that was offline once stays so for ever.
            if state.name != "absent":
                with suppress(AdbError):
                    device.server.ask(f"host:disconnect:{device.serial}")
            with suppress(AdbError):
                device.server.ask(f"host:connect:{device.serial}", deadline.at_most(ANSWER_SECONDS))
        return False

    try:
        poll(again, deadline)
    except AdbError:
        raise DeviceUnavailable(device.serial, device.state, " still") from None
    device.forget()


def user_id(device: Device) -> int:
    """The uid of the device's shell: 2000, or 0 for root."""
    return int(device.shell("id -u", repeatable=True).check().text)


def become_root(device: Device, *, timeout: float = ROOT_SECONDS) -> None:
    """Restarts adbd as root, if it is not root already. Every stream to the device ends.

    Raises:
        NotSupported: this build does not allow it.
        DeviceUnavailable, TimedOut: the device does not come back.
    """
    if user_id(device) == 0:
        return
    deadline = Deadline(timeout, f"restarting adbd of {device.serial!r} as root")
    refused = "this build does not let adbd be root"
    try:
        with device.server.open_device(device.serial, "root:", deadline) as link:
            said = link.read_all().decode(errors="replace").strip()
    except Refused as refusal:
        raise NotSupported(f"{refused}: {refusal.reason}", "use a userdebug or eng build") from None
    except LinkLost:
        said = "restarting"  # so soon that it was not said; whether it is root is asked for below
    if "restarting" not in said and "already running as root" not in said:
        raise NotSupported(f"{refused}: {said}", "use a userdebug or eng build")
    poll(lambda: _is_root(device, deadline), deadline)
    device.forget()


def reboot(device: Device, *, service: str = android.SERVICE, timeout: float = BOOT_SECONDS) -> None:
    """Reboots the device and waits until it is back. Every stream to it ends; adbd is no longer root.

    Raises:
        NotSupported: its adbd cannot reboot it.
        DeviceUnavailable, TimedOut: it does not come back, or never went.
    """
    deadline = Deadline(timeout, f"rebooting {device.serial!r}")
    before = device.shell(_BOOT_ID, repeatable=True).check().text
    try:
        with device.server.open_device(device.serial, "reboot:", deadline) as link:
            link.read_all()
    except Refused as refusal:
        raise NotSupported(f"the device does not reboot: {refusal.reason}") from None
    except LinkLost:
        pass  # it reboots at once, or has been lost; which of the two is asked for below

    def is_another_boot() -> bool:
        wait_until_connected(device, deadline)
        with suppress(AdbError):
            now = device.shell(_BOOT_ID, timeout=deadline.at_most(_PROPERTY_SECONDS))
            return now.code == 0 and now.text != before
        return False

    poll(is_another_boot, deadline)
    wait_for_boot(device, service=service, timeout=deadline.remaining() or timeout)


def _says(device: Device, command: str, answer: str, deadline: Deadline) -> bool:
    with suppress(AdbError):
        return device.shell(command, timeout=deadline.at_most(_PROPERTY_SECONDS)).text.strip() == answer
    return False


def _is_root(device: Device, deadline: Deadline) -> bool:
    with suppress(AdbError):
        wait_until_connected(device, deadline)
        return user_id(device) == 0
    return False
