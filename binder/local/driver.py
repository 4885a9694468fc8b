"""The in-process driver: carries parcels between processes that all live in this one.

As in the kernel, a transaction is bytes with objects at known offsets: binders become handles of
the receiver, descriptors are duplicated into it. A synchronous call runs on the caller's thread
under the caller's identity; oneway calls queue per object and are delivered by the scheduler.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from weakref import WeakKeyDictionary

from ..errors import BinderError, DeadObjectError, StatusError, UsageError, status_error
from ..flat import FLAT_OBJECT, FlatObject, ObjectType
from ..ibinder import DeathRecipient
from ..identity import CallingIdentity, serving
from ..node import Binder
from ..parcel import Parcel
from ..protocol import LATEST_API_LEVEL, Status, TransactionFlag
from .process import DeathLink, Node, Process
from .registry import Registry
from .scheduler import Scheduler


@dataclass(slots=True)
class Transaction:
    """A transaction as the driver saw it, for those who keep a record.

    Attributes:
        sequence: the order in which transactions began, or, for oneway ones, were delivered.
        objects: by offset into `data`, the node that a binder there means.
        reply: None for a oneway transaction or one that failed; `reply_objects` goes with it.
        error: the status with which it ended, if not OK.
        began, ended: on the scheduler's clock, in seconds; for oneway, sent and served.
    """

    sequence: int
    sender: Process
    node: Node
    code: int
    flags: int
    data: bytes
    objects: dict[int, Node]
    began: float
    ended: float = 0.0
    reply: bytes | None = None
    reply_objects: dict[int, Node] | None = None
    error: StatusError | None = None

    @property
    def oneway(self) -> bool:
        return bool(self.flags & TransactionFlag.ONE_WAY)


class Driver:
    """Processes and what passes between them.

    Args:
        scheduler: decides when oneway calls are delivered and deaths are told.
        api_level: the wire variant of all parcels.
    """

    def __init__(self, scheduler: Scheduler, *, api_level: int = LATEST_API_LEVEL) -> None:
        self.scheduler = scheduler
        self.api_level = api_level
        self.registry = Registry()
        self.observers: list[Callable[[Transaction], None]] = []
        self._pids = count(1001)
        self._sequence = count(1)
        self._owners: WeakKeyDictionary[Binder, Process] = WeakKeyDictionary()
        self._processes: list[Process] = []
        self._lock = threading.RLock()

    def new_process(self, label: str, uid: int) -> Process:
        """A new process. Its pid is the next free one."""
        with self._lock:
            process = Process(self, next(self._pids), uid, label)
            self._processes.append(process)
        return process

    def close(self) -> None:
        """Ends all processes, telling nobody, and the scheduler."""
        for process in self._processes:
            process.alive = False
            process.end()
        self.scheduler.close()

    def claim(self, binder: Binder, process: Process) -> None:
        """Makes an object a process's own. An object lives in the process that sends it first."""
        owner = self._owners.setdefault(binder, process)
        if owner is not process:
            raise UsageError(f"{process.label} cannot send an object that lives in {owner.label}")

    # --- transactions ----------------------------------------------------------------------------

    def transact(self, sender: Process, node: Node, code: int, data: Parcel, flags: int) -> Parcel:
        """Carries one transaction. Raises `StatusError` as libbinder would report it."""
        if not (sender.alive and node.owner.alive):
            dead = node.owner if sender.alive else sender
            raise DeadObjectError(f"{dead.label} (pid {dead.pid}) is dead")
        parcel, objects = self._carry(data, sender, node.owner)
        record = Transaction(
            next(self._sequence), sender, node, code, flags, bytes(data), objects, self.scheduler.now()
        )
        size = _buffer_size(data)
        with self._lock:
            status = node.owner.reserve(size, oneway=record.oneway)
        if status != Status.OK:
            parcel.release()
            record.error = status_error(status, f"no room in {node.owner.label} for {size} bytes")
            self._observe(record)
            raise record.error
        if record.oneway:
            node.queue.submit(lambda: self._deliver(record, parcel, size))
            return Parcel(api_level=self.api_level)
        return self._call(record, parcel, size)

    def _call(self, record: Transaction, parcel: Parcel, size: int) -> Parcel:
        owner, sender = record.node.owner, record.sender
        try:
            reply = self._execute(record, parcel, size, sender.identity)
            if not owner.alive:
                raise DeadObjectError(f"{owner.label} (pid {owner.pid}) died during the call")
            if not record.flags & TransactionFlag.ACCEPT_FDS and _has_fds(reply):
                raise StatusError(Status.FAILED_TRANSACTION, "a descriptor for a caller that takes none")
            carried, record.reply_objects = self._carry(reply, owner, sender)
            record.reply = bytes(reply)
            return carried
        except StatusError as error:
            record.error = error
            raise
        finally:
            record.ended = self.scheduler.now()
            self._observe(record)

    def _deliver(self, record: Transaction, parcel: Parcel, size: int) -> None:
        record.sequence = next(self._sequence)
        try:
            if not record.node.owner.alive:
                parcel.release()
                raise DeadObjectError(f"{record.node.owner.label} died before it was delivered")
            # The kernel does not say who sent a oneway call, only under which uid.
            self._execute(record, parcel, size, CallingIdentity(0, record.sender.uid))
        except StatusError as error:
            # Nobody waits for the outcome, but whoever reads the record should see it.
            record.error = error
        record.ended = self.scheduler.now()
        self._observe(record)

    def _execute(self, record: Transaction, parcel: Parcel, size: int, caller: CallingIdentity) -> Parcel:
        owner = record.node.owner
        try:
            with serving(caller, owner.identity):
                return record.node.binder.execute(record.code, parcel, record.flags)
        finally:
            parcel.release()
            with self._lock:
                owner.free(size, oneway=record.oneway)

    def _observe(self, record: Transaction) -> None:
        for observer in self.observers:
            observer(record)

    def _carry(self, data: Parcel, sender: Process, receiver: Process) -> tuple[Parcel, dict[int, Node]]:
        """A copy of a parcel for another process, its objects translated."""
        raw = bytearray(bytes(data))
        parcel = Parcel.from_bytes(raw, data.offsets, resolver=receiver, api_level=data.api_level)
        if not data.offsets:
            return parcel, {}
        nodes: dict[int, Node] = {}
        copies: list[int] = []
        try:
            for offset in data.offsets:
                kind, flags, value, cookie = FLAT_OBJECT.unpack_from(raw, offset)
                if kind == ObjectType.FD:
                    copies.append(os.dup(value & 0xFFFFFFFF))
                    parcel.patch_object(offset, FlatObject(kind, copies[-1], 0), 0)
                    continue
                node = sender.node_of(FlatObject(kind, value, cookie), data.object_at(offset))
                if node is None:
                    raise StatusError(
                        Status.FAILED_TRANSACTION, f"{sender.label} has no object {value:#x} to send"
                    )
                nodes[offset] = node
                reference = receiver.reference_to(node)
                parcel.patch_object(offset, reference.flatten(), flags, holds=reference)
        except (OSError, BinderError) as error:
            for fd in copies:
                os.close(fd)
            if isinstance(error, OSError):
                raise StatusError(
                    Status.FAILED_TRANSACTION, f"a descriptor cannot be sent: {error}"
                ) from None
            raise
        return parcel, nodes

    # --- death -----------------------------------------------------------------------------------

    def link_to_death(self, holder: Process, node: Node, recipient: DeathRecipient) -> None:
        with self._lock:
            if not node.owner.alive:
                raise DeadObjectError(f"{node.owner.label} (pid {node.owner.pid}) is dead already")
            node.links.append(DeathLink(holder, recipient))

    def unlink_to_death(self, holder: Process, node: Node, recipient: DeathRecipient) -> bool:
        with self._lock:
            for link in node.links:
                if link.holder is holder and link.recipient == recipient:
                    node.links.remove(link)
                    return True
        return False

    def kill(self, process: Process) -> None:
        """Ends a process; its links' recipients are called, each once, when the scheduler gets to it."""
        with self._lock:
            if not process.alive:
                return
            process.alive = False
            links = [link for node in process.nodes() for link in node.links]
            for node in process.nodes():
                node.links.clear()
        process.end()
        for link in links:
            link.holder.post(link.recipient)


def _buffer_size(data: Parcel) -> int:
    return len(data) + 8 * len(data.offsets)


def _has_fds(parcel: Parcel) -> bool:
    raw = bytes(parcel)
    return any(FLAT_OBJECT.unpack_from(raw, offset)[0] == ObjectType.FD for offset in parcel.offsets)
