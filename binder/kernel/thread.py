"""One thread's conversation with the driver: calls it makes, and calls it serves meanwhile."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import StatusError
from ..identity import CallingIdentity, serving
from ..node import Binder
from ..parcel import Parcel
from ..protocol import Status, TransactionFlag
from .call import Purpose, Wait, failure_status
from .commands import Command, Incoming, Return, Returned, Writer, parse

if TYPE_CHECKING:
    from .process import KernelProcess

log = logging.getLogger("binder.kernel")

_ONE_WAY = int(TransactionFlag.ONE_WAY)
_STATUS_CODE = int(TransactionFlag.STATUS_CODE)
_CLEAR_BUF = int(TransactionFlag.CLEAR_BUF)


class ThreadState:
    """What the driver and one thread of a process have to say to each other."""

    def __init__(self, process: KernelProcess) -> None:
        self._process = process
        self._device = process.device
        self._owner = threading.get_ident()
        self._out = Writer()
        self._pending: deque[Returned] = deque()
        self._handlers: dict[int, Callable[[Returned], None]] = {
            Return.TRANSACTION: self._serve,
            Return.TRANSACTION_SEC_CTX: self._serve,
            Return.INCREFS: lambda r: self._out.node(Command.INCREFS_DONE, r.pointer, r.cookie),
            Return.ACQUIRE: self._acquire,
            Return.RELEASE: lambda r: process.release_node(r.pointer),
            Return.SPAWN_LOOPER: lambda r: process.spawn_looper(),
            Return.DEAD_BINDER: self._tell_death,
            Return.CLEAR_DEATH_NOTIFICATION_DONE: lambda r: process.forget_death(r.cookie),
            Return.ERROR: self._report_error,
        }

    # --- talking -----------------------------------------------------------------------------------

    def _talk(self, *, wait: bool) -> None:
        out, self._out = self._out, Writer()
        self._pending.extend(parse(self._device.write_read(out, wait=wait)))

    def flush(self) -> None:
        """Gives the driver what has been written, without waiting for anything."""
        if self._out:
            self._talk(wait=False)

    def _next(self) -> Returned:
        while not self._pending:
            self._talk(wait=True)
        return self._pending.popleft()

    def _handle(self, returned: Returned) -> None:
        handler = self._handlers.get(returned.kind)
        if handler is not None:
            handler(returned)

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
            self._device.exit_thread()

    def __del__(self) -> None:
        self.close()

    # --- calling -----------------------------------------------------------------------------------

    def transact(self, handle: int, code: int, data: Parcel, flags: int) -> Parcel:
        """Carries one transaction. Raises `StatusError`."""
        with self._process.sending(data) as pinned:
            self._out.transaction(
                Command.TRANSACTION,
                handle=handle,
                code=code,
                flags=flags,
                data=bytes(data),
                offsets=data.offsets,
            )
            try:
                wait = self._wait(Purpose.ONEWAY if flags & _ONE_WAY else Purpose.CALL)
            except BaseException:
                # Somebody interrupted the wait. What still arrives is meant for a call that is given up.
                self._start_over()
                raise
            del pinned
        if wait.failure is not None:
            raise failure_status(wait.failure, self._device.extended_error())
        if wait.reply is None:
            return Parcel(api_level=self._process.api_level)
        return self._take_reply(wait.reply)

    def _start_over(self) -> None:
        self._out = Writer()
        self._pending.clear()
        if not self._process.closed:
            self._device.exit_thread()

    def _take_reply(self, incoming: Incoming) -> Parcel:
        data = self._device.memory(incoming.data_address, incoming.data_size)
        if incoming.flags & _STATUS_CODE:
            self._out.free_buffer(incoming.data_address)
            self.flush()
            status = int.from_bytes(data[:4], "little", signed=True)
            if status == Status.OK:
                return Parcel(api_level=self._process.api_level)
            raise StatusError(status, "the other side's answer")
        try:
            return self._receive(incoming, data)
        finally:
            self._out.free_buffer(incoming.data_address)
            self.flush()

    def _receive(self, incoming: Incoming, data: bytes) -> Parcel:
        """A parcel of its own for what is in the driver's buffer, which may be freed afterwards."""
        offsets = self._device.memory(incoming.offsets_address, incoming.offsets_size)
        return self._process.receive(data, offsets, self._out, self.flush)

    # --- serving -----------------------------------------------------------------------------------

    def join_pool(self, *, asked_for: bool) -> None:
        """Serves calls until the process is closed.

        Args:
            asked_for: whether the driver has asked for this thread with SPAWN_LOOPER.
        """
        self._out.simple(Command.REGISTER_LOOPER if asked_for else Command.ENTER_LOOPER)
        while not self._process.closing:
            returned = self._next_unless_closing()
            if returned is None or returned.kind == Return.FINISHED:
                break
            self._handle(returned)
        self._out.simple(Command.EXIT_LOOPER)
        self.flush()

    def _next_unless_closing(self) -> Returned | None:
        while not self._pending:
            if self._process.closing:
                return None
            self._talk(wait=True)
        return self._pending.popleft()

    def _serve(self, returned: Returned) -> None:
        incoming = returned.incoming
        if incoming is None:
            return
        oneway = bool(incoming.flags & _ONE_WAY)
        data = self._device.memory(incoming.data_address, incoming.data_size)
        try:
            parcel = self._receive(incoming, data)
        except StatusError as error:
            self._out.free_buffer(incoming.data_address)
            self._answer(incoming, error, oneway=oneway)
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
        self._answer(incoming, answer, oneway=oneway)

    def _execute(self, incoming: Incoming, parcel: Parcel) -> Parcel | StatusError:
        caller = CallingIdentity(incoming.sender_pid, incoming.sender_euid)
        try:
            target: Binder = self._process.target(incoming.target)
            with serving(caller, self._process.identity):
                return target.execute(incoming.code, parcel, incoming.flags)
        except StatusError as error:
            return error

    def _answer(self, incoming: Incoming, answer: Parcel | StatusError, *, oneway: bool) -> None:
        if oneway:
            if isinstance(answer, StatusError):
                log.warning("a oneway call of uid %d failed: %s", incoming.sender_euid, answer)
            return
        flags = incoming.flags & _CLEAR_BUF
        if isinstance(answer, Parcel):
            with self._process.sending(answer):
                self._reply(flags, bytes(answer), answer.offsets)
        else:
            status = int(answer.status).to_bytes(4, "little", signed=True)
            self._reply(flags | _STATUS_CODE, status, ())

    def _reply(self, flags: int, data: bytes, offsets: tuple[int, ...]) -> None:
        self._out.transaction(Command.REPLY, handle=0, code=0, flags=flags, data=data, offsets=offsets)
        wait = self._wait(Purpose.REPLY)
        if wait.failure is not None:
            log.warning(
                "a reply did not arrive: %s", failure_status(wait.failure, self._device.extended_error())
            )

    # --- the rest ----------------------------------------------------------------------------------

    def _acquire(self, returned: Returned) -> None:
        self._process.acquire_node(returned.pointer)
        self._out.node(Command.ACQUIRE_DONE, returned.pointer, returned.cookie)

    def _tell_death(self, returned: Returned) -> None:
        self._process.tell_death(returned.cookie)
        self._out.dead_binder_done(returned.cookie)

    def _report_error(self, returned: Returned) -> None:
        log.warning("the driver of %s reports error %d", self._device.name, returned.value)

    def request_death(self, command: Command, handle: int, cookie: int) -> None:
        """REQUEST_DEATH_NOTIFICATION or CLEAR_DEATH_NOTIFICATION, at once."""
        self._out.death(command, handle, cookie)
        self.flush()
