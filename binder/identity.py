"""Who is calling: the pid and uid of the transaction being served.

Every incoming transaction sets them for the code that serves it, nested calls included, and the
driver restores them afterwards. Outside of a transaction they are this process's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class CallingIdentity(NamedTuple):
    """`pid` is 0 during a oneway transaction: the kernel does not tell."""

    pid: int
    uid: int


class _Frame(NamedTuple):
    caller: CallingIdentity
    own: CallingIdentity


# Outside of any process that a driver knows, code acts as root.
_HOST = CallingIdentity(0, 0)
_OUTSIDE = _Frame(_HOST, _HOST)
_frame: ContextVar[_Frame] = ContextVar("calling_identity", default=_OUTSIDE)  # immutable


def calling_uid() -> int:
    """The uid on whose behalf the current code runs."""
    return _frame.get().caller.uid


def calling_pid() -> int:
    """The pid of the caller, 0 during a oneway transaction."""
    return _frame.get().caller.pid


class serving:
    """For drivers: runs the body as process `own`, called by `caller`."""

    # Not a generator, because every transaction goes through here.
    __slots__ = ("_as", "_token")

    def __init__(self, caller: CallingIdentity, own: CallingIdentity) -> None:
        self._as = _Frame(caller, own)

    def __enter__(self) -> None:
        self._token = _frame.set(self._as)

    def __exit__(self, *error: object) -> None:
        _frame.reset(self._token)


def serving_pid() -> int:
    """The pid of the process that the current code runs in."""
    return _frame.get().own.pid


@contextmanager
def clear_calling_identity() -> Iterator[None]:
    """Runs the body on the serving process's own behalf, as in Android's `Binder`."""
    own = _frame.get().own
    with serving(own, own):
        yield
