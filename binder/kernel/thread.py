"""One thread's conversation with the driver: calls it makes, and calls it serves meanwhile."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

from ..errors import BinderError, StatusError, UsageError, status_error
from ..identity import CallingIdentity, serving
from ..node import Binder
from ..parcel import Parcel
from ..protocol import Status, TransactionFlag
from .call import Purpose, Wait, failure_status
from .commands import Command, Incoming, Return, Returned, Writer, only_reply, parse
from .device import DeviceError
from .proxy import CONTEXT_MANAGER, KernelProxy

if TYPE_CHECKING:
    from .process import KernelProcess

log = logging.getLogger("binder.kernel")

_ONE_WAY = int(TransactionFlag.ONE_WAY)
_STATUS_CODE = int(TransactionFlag.STATUS_CODE)
_CLEAR_BUF = int(TransactionFlag.CLEAR_BUF)

_NOTHING = nullcontext()
"""For parcels without objects, which are most."""

# How many bytes of replies a thread may keep in the process's mapping until its next call.
_MAY_WAIT = 4096


class ThreadState:
    """What the driver and one thread of a process have to say to each other.

    Attributes:
        waiting: whether the thread is, or is about to be, in the driver until something arrives.
    """

    # No references to itself: it has to go, and take its leave of the driver, when its thread ends.
    __slots__ = (
        "__weakref__",
        "_arrived",
        "_device",
        "_given_up",
        "_in_pool",
        "_out",
        "_owner",
        "_pending",
        "_process",
        "_unfreed",
        "waiting",
    )

    def __init__(self, process: KernelProcess) -> None:
        self._process = process
        self._device = process.device
        self._owner = threading.get_ident()
        self._out = Writer()
        self._arrived = b""
        self._pending: deque[Returned] = deque()
        self._unfreed = 0
        self._given_up = 0
        self._in_pool = False
        self.waiting = False

    # --- talking -----------------------------------------------------------------------------------

    def _talk(self, *, wait: bool) -> None:
        self._exchange(wait=wait)
        self._take_in()

    def _take_in(self) -> None:
        """Parses what has arrived.

        A signal handler may raise after any call, and what the driver says, it says once: so it is in
        `_arrived` until the very moment in which it is in `_pending`.
        """
        returned = list(parse(self._arrived))
        self._arrived = b""
        self._pending.extend(returned)

    def _exchange(self, *, wait: bool) -> bytes:
        out, self._out = self._out, Writer()
        self._unfreed = 0
        self.waiting = wait
        try:
            # In this order: whoever closes the process looks at `waiting` after setting `closing`.
            if self._process.closing:
                raise self._process.unusable()
            self._arrived = self._device.write_read(out, wait=wait)
            return self._arrived
        except DeviceError as error:
            if self._process.closing:
                raise self._process.unusable() from error
            raise
        except BaseException:
            self._out.stream += out.owed()
            self._arrived = out.returned
            raise
        finally:
            self.waiting = False

    def flush(self) -> None:
        """Gives the driver what has been written, without waiting for anything."""
        if self._out:
            self._talk(wait=False)

    def _next(self) -> Returned:
        while not self._pending:
            self._talk(wait=True)
        return self._pending.popleft()

    def _handle(self, returned: Returned) -> None:
        handler = _HANDLERS.get(returned.kind)
        if handler is not None:
            handler(self, returned)

    def _wait(self, purpose: Purpose) -> Wait:
        wait = Wait(purpose)
        while not wait.done:
            returned = self._next()
            if not wait.feed(returned):
                self._handle(returned)
        return wait

    def close(self) -> None:
        """Ends the thread's part in the conversation, if this is the thread."""
        if threading.get_ident() == self._owner and not self._process.closed:
            with suppress(BinderError):
                self.flush()
            self._device.exit_thread()

    def __del__(self) -> None:
        self.close()

    def start_over(self) -> None:
        """Gives up all calls that this thread makes or serves; whoever waits for it is told.

        What has arrived for such a call is dropped, but what the driver says of references and deaths it
        says only once.
        """
        self._given_up += 1
        try:
            self._take_in()
            while self._pending:
                returned = self._pending.popleft()
                if returned.incoming is None:
                    self._handle(returned)
                else:
                    self._drop(returned.incoming)
            self.flush()
        except BinderError as error:
            if not self._process.closing:
                log.warning("a thread of %s starts over: %s", self._device.name, error)
        self._device.exit_thread()
        if self._in_pool:
            self._out.simple(Command.ENTER_LOOPER)

    def _drop(self, incoming: Incoming) -> None:
        with suppress(StatusError):
            self._receive(incoming).release()
        self._out.free_buffer(incoming.data_address)

    # --- calling -----------------------------------------------------------------------------------

    def transact(self, handle: int, code: int, data: Parcel, flags: int) -> Parcel:
        """Carries one transaction. Raises `StatusError`."""
        with self._process.sending(data) if data.offsets else _NOTHING:
            wait = self._call(handle, code, data, flags)
        if self._out:
            # Confirmations of what came last: while they are owed, the driver keeps objects alive, and
            # this thread may not come back for long.
            self.flush()
        if wait.failure is not None:
            raise failure_status(wait.failure, self._device.extended_error())
        if wait.suspect:
            log.warning("too many oneway calls wait for handle %d of %s", handle, self._device.name)
        if wait.reply is None:
            return Parcel(api_level=self._process.api_level)
        return self._take_reply(wait.reply)

    def _call(self, handle: int, code: int, data: Parcel, flags: int) -> Wait:
        out, offsets = self._out, data.offsets
        out.transaction(
            Command.TRANSACTION, handle=handle, code=code, flags=flags, data=bytes(data), offsets=offsets
        )
        try:
            if flags & _ONE_WAY:
                return self._wait(Purpose.ONEWAY)
            if not self._pending:
                reply = only_reply(self._exchange(wait=True))
                if reply is not None:
                    wait = Wait.answered(reply)
                    self._arrived = b""
                    return wait
                self._take_in()
            return self._wait(Purpose.CALL)
        except BaseException:
            # Somebody interrupted the wait. What still arrives is meant for a call that is given up.
            self.start_over()
            raise

    def _take_reply(self, incoming: Incoming) -> Parcel:
        try:
            if not incoming.flags & _STATUS_CODE:
                return self._receive(incoming)
            data = self._device.memory(incoming.data_address, min(incoming.data_size, 4))
        finally:
            self._free(incoming)
        status = int.from_bytes(data, "little", signed=True)
        if status == Status.OK:
            return Parcel(api_level=self._process.api_level)
        raise status_error(status, "the other side's answer")

    def _free(self, incoming: Incoming) -> None:
        """Frees a reply's buffer: with the thread's next call, unless it matters to others before."""
        self._out.free_buffer(incoming.data_address)
        self._unfreed += incoming.data_size
        if incoming.offsets_size or self._unfreed > _MAY_WAIT:
            self.flush()

    def _receive(self, incoming: Incoming) -> Parcel:
        """A parcel of its own for what is in the driver's buffer, which may be freed afterwards."""
        data = self._device.memory(incoming.data_address, incoming.data_size)
        if not incoming.offsets_size:
            return Parcel.from_bytes(data, resolver=self._process, api_level=self._process.api_level)
        offsets = self._device.memory(incoming.offsets_address, incoming.offsets_size)
        return self._process.receive(data, offsets, self._out, self.flush)

    # --- serving -----------------------------------------------------------------------------------

    def join_pool(self, *, asked_for: bool) -> None:
        """Serves calls until the process is closed, or the driver can no longer be talked to.

        Args:
            asked_for: whether the driver has asked for this thread with SPAWN_LOOPER.
        """
        self._in_pool = True
        self._out.simple(Command.REGISTER_LOOPER if asked_for else Command.ENTER_LOOPER)
        while True:
            try:
                self._out.patient = not self._pending
                returned = self._next()
                if returned.kind == Return.FINISHED:
                    break
                self._handle(returned)
            except BinderError:
                raise
            except BaseException as error:
                # Somebody's code wanted to end the thread, but others count on it.
                self.start_over()
                if isinstance(error, KeyboardInterrupt):
                    raise
                log.exception("a thread of %s has given up a call", self._device.name)
        self._in_pool = False
        self._out.simple(Command.EXIT_LOOPER)
        self.flush()

    def _serve(self, returned: Returned) -> None:
        incoming = returned.incoming
        if incoming is None:
            return
        oneway = bool(incoming.flags & _ONE_WAY)
        given_up = self._given_up
        try:
            parcel = self._receive(incoming)
        except StatusError as error:
            self._out.free_buffer(incoming.data_address)
            self._answer(incoming, error)
            return
        if not oneway:
            self._out.free_buffer(incoming.data_address)
        try:
            answer = self._execute(incoming, parcel)
        finally:
            parcel.release()
            if oneway:
                # Not earlier: with it the driver hands out the object's next oneway call.
                self._out.free_buffer(incoming.data_address)
        # A call that was given up meanwhile, has had its answer.
        if given_up == self._given_up:
            self._answer(incoming, answer)

    def _execute(self, incoming: Incoming, parcel: Parcel) -> Parcel | StatusError:
        caller = CallingIdentity(incoming.sender_pid, incoming.sender_euid)
        try:
            target: Binder = self._process.target(incoming.target)
            with serving(caller, self._process.identity):
                return target.execute(incoming.code, parcel, incoming.flags)
        except StatusError as error:
            return error

    def _answer(self, incoming: Incoming, answer: Parcel | StatusError) -> None:
        if incoming.flags & _ONE_WAY:
            if isinstance(answer, StatusError):
                log.warning("a oneway call of uid %d failed: %s", incoming.sender_euid, answer)
            return
        flags = incoming.flags & _CLEAR_BUF
        if isinstance(answer, Parcel):
            try:
                with self._process.sending(answer) if answer.offsets else _NOTHING:
                    self._reply(flags, bytes(answer), answer.offsets)
                return
            except UsageError as error:
                log.error("the reply to uid %d cannot be sent: %s", incoming.sender_euid, error)
                answer = StatusError(Status.FAILED_TRANSACTION, str(error))
        status = int(answer.status).to_bytes(4, "little", signed=True)
        self._reply(flags | _STATUS_CODE, status, ())

    def _reply(self, flags: int, data: bytes, offsets: tuple[int, ...]) -> None:
        self._out.transaction(Command.REPLY, handle=0, code=0, flags=flags, data=data, offsets=offsets)
        wait = self._wait(Purpose.REPLY)
        if wait.failure is not None:
            # The driver tells the caller, if there still is one.
            log.warning(
                "a reply did not arrive: %s", failure_status(wait.failure, self._device.extended_error())
            )

    # --- the rest ----------------------------------------------------------------------------------

    def _confirm_weak(self, returned: Returned) -> None:
        self._out.node(Command.INCREFS_DONE, returned.pointer, returned.cookie)

    def _acquire(self, returned: Returned) -> None:
        self._process.acquire_node(returned.pointer)
        self._out.node(Command.ACQUIRE_DONE, returned.pointer, returned.cookie)

    def _release(self, returned: Returned) -> None:
        self._process.release_node(returned.pointer)

    def _spawn_looper(self, returned: Returned) -> None:
        self._process.spawn_looper()

    def _tell_death(self, returned: Returned) -> None:
        proxy = self._process.deaths.tell(returned.cookie)
        self._out.heard(Command.DEAD_BINDER_DONE, returned.cookie)
        self._uncount(proxy)

    def _forget_death(self, returned: Returned) -> None:
        self._uncount(self._process.deaths.forget(returned.cookie))

    def _tell_freeze(self, returned: Returned) -> None:
        self._process.freezes.tell(returned.cookie, bool(returned.value))
        # Not earlier: with it the driver may tell of the next change.
        self._out.heard(Command.FREEZE_NOTIFICATION_DONE, returned.cookie)

    def _forget_freeze(self, returned: Returned) -> None:
        self._process.freezes.forget(returned.cookie)

    def _uncount(self, proxy: KernelProxy | None) -> None:
        if proxy is not None and proxy.handle == CONTEXT_MANAGER:
            self._out.handle(Command.RELEASE, CONTEXT_MANAGER)
            self._out.handle(Command.DECREFS, CONTEXT_MANAGER)

    def _report_error(self, returned: Returned) -> None:
        log.warning("the driver of %s reports error %d", self._device.name, returned.value)

    def request_death(self, command: Command, handle: int, cookie: int) -> None:
        """REQUEST_DEATH_NOTIFICATION or CLEAR_DEATH_NOTIFICATION, at once."""
        if handle == CONTEXT_MANAGER and command is Command.REQUEST_DEATH_NOTIFICATION:
            # Unlike other handles it is counted only while somebody wants to be told: held for
            # longer, it would go on to mean a dead context manager when there is a new one.
            self._out.handle(Command.INCREFS, handle)
            self._out.handle(Command.ACQUIRE, handle)
        self._out.watch(command, handle, cookie)
        self.flush()

    def request_freeze(self, command: Command, handle: int, cookie: int) -> None:
        """A request for freeze notifications, or its withdrawal, by itself: it may be refused."""
        self.flush()
        self._out.watch(command, handle, cookie)
        self.flush()


_HANDLERS: Mapping[int, Callable[[ThreadState, Returned], None]] = {
    Return.TRANSACTION: ThreadState._serve,
    Return.TRANSACTION_SEC_CTX: ThreadState._serve,
    Return.INCREFS: ThreadState._confirm_weak,
    Return.ACQUIRE: ThreadState._acquire,
    Return.RELEASE: ThreadState._release,
    Return.SPAWN_LOOPER: ThreadState._spawn_looper,
    Return.DEAD_BINDER: ThreadState._tell_death,
    Return.CLEAR_DEATH_NOTIFICATION_DONE: ThreadState._forget_death,
    Return.FROZEN_BINDER: ThreadState._tell_freeze,
    Return.CLEAR_FREEZE_NOTIFICATION_DONE: ThreadState._forget_freeze,
    Return.ERROR: ThreadState._report_error,
}
