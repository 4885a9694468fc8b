"""What is possible on a device: which processes there can be, and what may be done to what surrounds them."""

from __future__ import annotations

from dataclasses import dataclass

from ..adb import AdbError, Device
from ..adb.android import SERVICE, SERVICE_LIST, services
from ..adb.lifecycle import user_id
from ..kernel import KernelBackend
from ..placement import PlacementError
from .agents import DeviceAgents
from .hal import program_on
from .lab import LabLink

_SOME_APP_UID = 10_123

_OF_SHELL = frozenset({"service", "shell"})
_OF_AGENT = frozenset({"callbacks"})
_OF_ANY_UID = frozenset({"many-uids"})
_OF_ROOT = frozenset({"root"})
_OF_PROGRAM = frozenset({"inference"})
_OF_HAL_TAKEN = frozenset({"hal-client"})
_OF_LAB = KernelBackend.capabilities


@dataclass(frozen=True, slots=True)
class Tier:
    """What was found.

    Attributes:
        own_uid: whom a command of adb's runs as: 2000 for the shell, 0 for root.
        capabilities: those of `backend.CAPABILITIES` that the device has.
        agents: start agents there; None where none runs.
        lab: whether it is a virtual device that may be driven through its socket.
        program: what makes the NPU work, if it is not the lab; "" if there is nothing.
    """

    own_uid: int
    capabilities: frozenset[str]
    agents: DeviceAgents | None
    lab: bool
    program: str = ""


def tier_of(device: Device, *, use_lab: bool = True, take_over_hal: bool = False) -> Tier:
    """Tries what is possible.

    Args:
        use_lab: whether a virtual device's socket may be used.
        take_over_hal: whether the HAL may be called in the service's place, whose callback it then loses.

    Raises:
        PlacementError: nothing can be played there; says why, and what helps.
    """
    try:
        own_uid = user_id(device)
        there = services(device.shell(SERVICE_LIST, repeatable=True).check().text)
    except AdbError as error:
        raise PlacementError(str(error)) from error
    if SERVICE not in there:
        advice = f"see: harness doctor --serial {device.serial}"
        raise PlacementError(f"{device.serial} has no service {SERVICE!r}; {advice}")
    agents = DeviceAgents(device, own_uid)
    if not agents.can_be(own_uid):
        return Tier(own_uid, _OF_SHELL, agents=None, lab=False)
    found = set(_OF_SHELL | _OF_AGENT)
    if agents.can_be(_SOME_APP_UID):
        found |= _OF_ANY_UID
    if own_uid == 0 or agents.can_be(0):
        found |= _OF_ROOT
    lab = use_lab and _has_lab(device)
    program = ""
    if lab:
        found |= _OF_LAB
    elif "many-uids" in found and (program := program_on(device)):
        found |= _OF_PROGRAM
    if not take_over_hal:
        found -= _OF_HAL_TAKEN
    elif "root" in found:
        found |= _OF_HAL_TAKEN
    return Tier(own_uid, frozenset(found), agents=agents, lab=lab, program=program)


def _has_lab(device: Device) -> bool:
    try:
        link = LabLink(device)
    except PlacementError:
        return False
    link.close()
    return True
