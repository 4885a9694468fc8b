"""Backends by name."""

from __future__ import annotations

from collections.abc import Callable

from .backend import Backend


def _reference() -> Backend:
    # Imported when it is asked for: a run against a device does without it.
    from .reference import ReferenceBackend

    return ReferenceBackend()


def _kernel() -> Backend:
    from .kernel import KernelBackend

    return KernelBackend()


BACKENDS: dict[str, Callable[[], Backend]] = {"reference": _reference, "kernel": _kernel}


def open_backend(name: str) -> Backend:
    """The backend of that name. Raises KeyError."""
    return BACKENDS[name]()
