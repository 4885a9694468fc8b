"""Who is to be told when the process behind a handle dies."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from ..errors import DeadObjectError
from ..ibinder import DeathRecipient
from ..identity import serving
from .commands import Command
from .proxy import CONTEXT_MANAGER, KernelProxy

if TYPE_CHECKING:
    from .process import KernelProcess

log = logging.getLogger("binder.kernel")


@dataclass(slots=True)
class _Request:
    """What the driver knows by a cookie. The proxy lives for as long as it does."""

    proxy: KernelProxy
    cookie: int
    recipients: list[DeathRecipient] = field(default_factory=list)


class Deaths:
    """The requests for death notifications of one process: at most one a handle at any time.

    What is written here and what is written to the driver happen in the same order, under one lock: a
    request that overtook another's withdrawal would be refused without a word.
    """

    def __init__(self, process: KernelProcess) -> None:
        self._process = process
        self._lock = threading.RLock()
        self._requests: dict[int, _Request] = {}
        self._cookies = count(1)

    def link(self, proxy: KernelProxy, recipient: DeathRecipient) -> None:
        """Raises `DeadObjectError` if it is known to be dead."""
        thread = self._process.thread()
        if proxy.handle == CONTEXT_MANAGER:
            # Of a request about nobody, the driver says nothing.
            proxy.ping()
        # Somebody has to be there when the news comes.
        self._process.start_threads()
        with self._lock:
            if proxy.dead:
                raise DeadObjectError(f"{proxy!r} is dead already")
            known = self._of(proxy)
            if known is not None:
                known.recipients.append(recipient)
                return
            request = _Request(proxy, next(self._cookies), [recipient])
            self._requests[request.cookie] = request
            try:
                thread.request_death(Command.REQUEST_DEATH_NOTIFICATION, proxy.handle, request.cookie)
            except BaseException:
                del self._requests[request.cookie]
                raise

    def unlink(self, proxy: KernelProxy, recipient: DeathRecipient) -> bool:
        """Takes a link back. Returns whether it was still there."""
        with self._lock:
            known = self._of(proxy)
            if known is None or recipient not in known.recipients:
                return False
            known.recipients.remove(recipient)
            if not known.recipients and not self._process.closing:
                # Until the driver confirms, the cookie is still its; a new link gets another.
                thread = self._process.thread()
                thread.request_death(Command.CLEAR_DEATH_NOTIFICATION, proxy.handle, known.cookie)
            return True

    def _of(self, proxy: KernelProxy) -> _Request | None:
        for request in self._requests.values():
            if request.proxy is proxy and request.recipients:
                return request
        return None

    def tell(self, cookie: int) -> KernelProxy | None:
        """For threads: a process is gone. Returns the proxy whose death it was, if it was of interest."""
        with self._lock:
            request = self._requests.pop(cookie, None)
            if request is None:
                return None
            request.proxy.dead = True
            recipients, request.recipients = request.recipients, []
        # Not in the name of whoever's call is being served meanwhile.
        with serving(self._process.identity, self._process.identity):
            for recipient in recipients:
                try:
                    recipient()
                except Exception:
                    log.exception("a death recipient failed")
        return request.proxy

    def forget(self, cookie: int) -> KernelProxy | None:
        """For threads: the driver has taken a request back. Returns the proxy it was for."""
        with self._lock:
            request = self._requests.pop(cookie, None)
        return request.proxy if request else None
