"""Backends by name."""

from __future__ import annotations

from collections.abc import Callable

from .backend import Backend, BackendUnusable
from .on_device.options import DeviceOptions


def _reference(policy: str | None, devices: DeviceOptions) -> Backend:
    # Imported when it is asked for: a run against a device does without it.
    from .reference import ReferenceBackend

    return ReferenceBackend(policy)


def _kernel(policy: str | None, devices: DeviceOptions) -> Backend:
    _refuse(policy)
    from .kernel import KernelBackend

    return KernelBackend()


def _adb(policy: str | None, devices: DeviceOptions) -> Backend:
    _refuse(policy)
    from .on_device.backend import AdbBackend

    return AdbBackend(devices)


def _refuse(policy: str | None) -> None:
    if policy is not None:
        raise BackendUnusable("a policy can be tried on the reference backend only")


BACKENDS: dict[str, Callable[[str | None, DeviceOptions], Backend]] = {
    "reference": _reference,
    "kernel": _kernel,
    "adb": _adb,
}


def open_backend(name: str, policy: str | None = None, devices: DeviceOptions | None = None) -> Backend:
    """A backend by its name.

    Args:
        name: one of BACKENDS.
        policy: `FILE.py:Class`, a policy to be tried in place of Budget.
        devices: which to use, where there is a choice.

    Raises:
        KeyError: there is no such backend.
        BackendUnusable: it can try no policies.
    """
    return BACKENDS[name](policy, devices or DeviceOptions())
