"""Backends by name."""

from __future__ import annotations

from collections.abc import Callable

from .backend import Backend, BackendUnusable


def _reference(policy: str | None) -> Backend:
    # Imported when it is asked for: a run against a device does without it.
    from .reference import ReferenceBackend

    return ReferenceBackend(policy)


def _kernel(policy: str | None) -> Backend:
    if policy is not None:
        raise BackendUnusable("a policy can be tried on the reference backend only")
    from .kernel import KernelBackend

    return KernelBackend()


BACKENDS: dict[str, Callable[[str | None], Backend]] = {"reference": _reference, "kernel": _kernel}


def open_backend(name: str, policy: str | None = None) -> Backend:
    """A backend by its name.

    Args:
        name: one of BACKENDS.
        policy: `FILE.py:Class`, a policy to be tried in place of Budget.

    Raises:
        KeyError: there is no such backend.
        BackendUnusable: it can try no policies.
    """
    return BACKENDS[name](policy)
