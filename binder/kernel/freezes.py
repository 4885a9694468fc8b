"""Who is to be told when the process behind a handle is frozen, and when it thaws.

As with deaths, the driver takes one request a handle; it begins by telling how things stand.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from ..errors import DeadObjectError, StatusError
from ..identity import serving
from ..protocol import Status
from .commands import Command
from .device import DeviceError

if TYPE_CHECKING:
    from .process import KernelProcess
    from .proxy import KernelProxy

log = logging.getLogger("binder.kernel")

FreezeListener: TypeAlias = Callable[[bool], None]
"""Hears whether the process is frozen: how it is at first, and whenever that changes."""


@dataclass(slots=True)
class _Request:
    """What the driver knows by a cookie. The proxy lives for as long as it does.

    Attributes:
        frozen: what the driver has said last, None before it has said anything.
    """

    proxy: KernelProxy
    cookie: int
    listeners: list[FreezeListener] = field(default_factory=list)
    frozen: bool | None = None


class Freezes:
    """The requests for freeze notifications of one process: at most one a handle at any time."""

    def __init__(self, process: KernelProcess) -> None:
        self._process = process
        self._lock = threading.RLock()
        self._requests: dict[int, _Request] = {}
        self._cookies = count(1)

    def watch(self, proxy: KernelProxy, listener: FreezeListener) -> None:
        """Tells a listener how things stand, and of every change.

        Raises:
            DeadObjectError: the process is known to be dead.
            StatusError: INVALID_OPERATION: the driver refuses, as Linux does before 6.12.
        """
        thread = self._process.thread()
        # Somebody has to be there when the news comes.
        self._process.start_threads()
        with self._lock:
            if proxy.dead:
                raise DeadObjectError(f"{proxy!r} is dead already")
            known = self._of(proxy)
            if known is not None:
                known.listeners.append(listener)
                if known.frozen is not None:
                    self._call(listener, known.frozen)
                return
            request = _Request(proxy, next(self._cookies), [listener])
            self._requests[request.cookie] = request
            try:
                thread.request_freeze(Command.REQUEST_FREEZE_NOTIFICATION, proxy.handle, request.cookie)
            except BaseException as error:
                del self._requests[request.cookie]
                if isinstance(error, DeviceError) and not self._process.closing:
                    problem = f"{proxy!r}: the driver tells nobody of freezing"
                    raise StatusError(Status.INVALID_OPERATION, problem) from error
                raise

    def unwatch(self, proxy: KernelProxy, listener: FreezeListener) -> bool:
        """Takes a listener back. Returns whether it was still there."""
        with self._lock:
            known = self._of(proxy)
            if known is None or listener not in known.listeners:
                return False
            known.listeners.remove(listener)
            if not known.listeners and not self._process.closing and not proxy.dead:
                thread = self._process.thread()
                thread.request_freeze(Command.CLEAR_FREEZE_NOTIFICATION, proxy.handle, known.cookie)
            return True

    def _of(self, proxy: KernelProxy) -> _Request | None:
        for request in self._requests.values():
            if request.proxy is proxy and request.listeners:
                return request
        return None

    def tell(self, cookie: int, frozen: bool) -> None:
        """For threads: a process has been frozen, or thaws."""
        with self._lock:
            request = self._requests.get(cookie)
            if request is None:
                return
            request.frozen = frozen
            listeners = list(request.listeners)
        for listener in listeners:
            self._call(listener, frozen)

    def _call(self, listener: FreezeListener, frozen: bool) -> None:
        # Not in the name of whoever's call is being served meanwhile.
        with serving(self._process.identity, self._process.identity):
            try:
                listener(frozen)
            except Exception:
                log.exception("a listener for freezing failed")

    def forget(self, cookie: int) -> None:
        """For threads: the driver has taken a request back."""
        with self._lock:
            self._requests.pop(cookie, None)
