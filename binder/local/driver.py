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
from typing import TypeAlias
from weakref import finalize

from ..errors import BinderError, DeadObjectError, StatusError, UsageError, shown, status_error
from ..fds import ParcelFileDescriptor
from ..flat import FLAT_OBJECT, FlatObject, ObjectType
from ..ibinder import DeathRecipient, IBinder
from ..identity import CallingIdentity, serving
from ..node import Binder, log
from ..parcel import Parcel
from ..protocol import LATEST_API_LEVEL, Stability, Status, TransactionFlag
from .process import DeathLink, Node, Process
from .registry import Registry
from .scheduler import Scheduler

Objects: TypeAlias = dict[int, Node | None]

# Plain ints, because operations on flags are slow and done for every transaction.
_ONE_WAY = int(TransactionFlag.ONE_WAY)
_ACCEPT_FDS = int(TransactionFlag.ACCEPT_FDS)


@dataclass(slots=True)
class Transaction:
    """A transaction as the driver saw it, for those who keep a record.

    Attributes:
        sequence: the order in which transactions began, or, for oneway ones, were delivered.
        objects: by offset into `data`, the node that a binder there means; None for a descriptor.
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
    objects: Objects
    began: float
    ended: float = 0.0
    reply: bytes | None = None
    reply_objects: Objects | None = None
    error: StatusError | None = None

    @property
    def oneway(self) -> bool:
        return self.flags & _ONE_WAY != 0


class Driver:
    """Processes and what passes between them.

    Args:
        scheduler: decides when oneway calls are delivered and deaths are told.
        api_level: the wire variant of all parcels.
    """

    def __init__(self, scheduler: Scheduler, *, api_level: int = LATEST_API_LEVEL) -> None:
        self.scheduler = scheduler
        self.api_level = api_level
        # Reentrant, because garbage collection can run somebody's finaliser at any time.
        self.lock = threading.RLock()
        self.registry = Registry(self.lock)
        self.observers: list[Callable[[Transaction], None]] = []
        self._pids = count(1001)
        self._sequence = count(1)
        # By an object's address: a subclass may have made its objects unhashable.
        self._owners: dict[int, Process] = {}
        self._processes: list[Process] = []

    def new_process(self, label: str, uid: int, *, stability: Stability = Stability.SYSTEM) -> Process:
        """A new process. Its pid is the next free one; `stability` is VENDOR for a vendor's."""
        with self.lock:
            process = Process(self, next(self._pids), uid, label, stability)
            self._processes.append(process)
        return process

    def close(self) -> None:
        """Ends all processes, telling nobody, and the scheduler."""
        with self.lock:
            processes, self._processes = self._processes, []
        for process in processes:
            process.end()
        self.scheduler.close()

    def claim(self, binder: Binder, process: Process) -> None:
        """Makes an object a process's own. An object lives in the process that sends it first."""
        with self.lock:
            owner = self._owners.get(binder.address)
            if owner is None:
                self._owners[binder.address] = process
                finalize(binder, self._owners.pop, binder.address, None).atexit = False
            elif owner is not process:
                raise UsageError(f"{process.label} cannot send an object that lives in {owner.label}")

    # --- transactions ----------------------------------------------------------------------------

    def transact(self, sender: Process, node: Node, code: int, data: Parcel, flags: int) -> Parcel:
        """Carries one transaction. Raises `StatusError` as libbinder would report it."""
        began = self.scheduler.now()
        nodes = self._nodes_in(data, sender)
        flags = int(flags)
        record = Transaction(next(self._sequence), sender, node, code, flags, bytes(data), nodes, began)
        size = _buffer_size(data)
        try:
            parcel = self._send(record, data, size)
        except StatusError as error:
            self._finish(record, error)
            raise
        if record.oneway:
            node.queue.submit(lambda: self._deliver(record, parcel, size))
            return Parcel(api_level=self.api_level)
        outcome = self._call(record, parcel, size)
        if isinstance(outcome, Parcel):
            self._finish(record, None)
            return outcome
        self._finish(record, outcome)
        raise outcome

    def _send(self, record: Transaction, data: Parcel, size: int) -> Parcel:
        """Puts a transaction's parcel into the receiver's buffer."""
        sender, receiver = record.sender, record.node.owner
        if not (sender.alive and receiver.alive):
            dead = receiver if sender.alive else sender
            raise DeadObjectError(f"{dead.label} (pid {dead.pid}) is dead")
        parcel = self._carry(data, record.data, record.objects, receiver)
        if not receiver.reserve(size, oneway=record.oneway):
            parcel.release()
            raise StatusError(Status.FAILED_TRANSACTION, f"no room in {receiver.label} for {size} bytes")
        return parcel

    def _call(self, record: Transaction, parcel: Parcel, size: int) -> Parcel | StatusError:
        owner, sender = record.node.owner, record.sender
        try:
            reply = self._execute(record, parcel, size, sender.identity)
            if not owner.alive:
                raise DeadObjectError(f"{owner.label} (pid {owner.pid}) died during the call")
            if not sender.alive:
                raise DeadObjectError(f"{sender.label} (pid {sender.pid}) died while it waited")
            answer, nodes = bytes(reply), self._nodes_in(reply, owner)
            if None in nodes.values() and not record.flags & _ACCEPT_FDS:
                raise StatusError(Status.FAILED_TRANSACTION, "a descriptor for a caller that takes none")
            # It takes room too, though only until it has been copied out, which is at once.
            size = _buffer_size(reply)
            if not sender.has_room(size):
                problem = f"no room in {sender.label} for a reply of {size} bytes"
                raise StatusError(Status.FAILED_TRANSACTION, problem)
            carried = self._carry(reply, answer, nodes, sender)
        except StatusError as error:
            # A new error, without a trace: this one's would keep alive, in the caller's hands,
            # whatever the service was working on.
            return status_error(error.status, error.message)
        except UsageError as error:
            log.exception("%s replied with something it cannot send", owner.label)
            return StatusError(Status.FAILED_TRANSACTION, f"{owner.label} cannot send its reply: {error}")
        record.reply, record.reply_objects = answer, nodes
        return carried

    def _deliver(self, record: Transaction, parcel: Parcel, size: int) -> None:
        record.sequence = next(self._sequence)
        failure = None
        try:
            # The kernel does not say who sent a oneway call, only under which uid.
            self._execute(record, parcel, size, CallingIdentity(0, record.sender.uid))
        except StatusError as error:
            # Nobody waits for the outcome, but whoever reads the record should see it.
            failure = error
        self._finish(record, failure)

    def _execute(self, record: Transaction, parcel: Parcel, size: int, caller: CallingIdentity) -> Parcel:
        owner = record.node.owner
        try:
            if not owner.alive:
                raise DeadObjectError(f"{owner.label} (pid {owner.pid}) died before it was delivered")
            with serving(caller, owner.identity):
                return record.node.binder.execute(record.code, parcel, record.flags)
        finally:
            parcel.release()
            owner.free(size, oneway=record.oneway)

    def _finish(self, record: Transaction, error: StatusError | None) -> None:
        if error is not None:
            # Without a trace, which a recorder would keep for good.
            record.error = status_error(error.status, error.message)
        record.ended = self.scheduler.now()
        for observer in self.observers:
            observer(record)

    def _nodes_in(self, data: Parcel, sender: Process) -> Objects:
        """What the objects in a parcel mean, by offset."""
        nodes: Objects = {}
        if not data.offsets:
            return nodes
        raw = bytes(data)
        for offset in data.offsets:
            kind, _, value, cookie = FLAT_OBJECT.unpack_from(raw, offset)
            if kind == ObjectType.FD:
                nodes[offset] = None
                continue
            node = sender.node_of(FlatObject(kind, value, cookie), data.object_at(offset))
            if node is None:
                raise StatusError(
                    Status.FAILED_TRANSACTION, f"{sender.label} has no object {value:#x} to send"
                )
            nodes[offset] = node
        return nodes

    def _carry(self, data: Parcel, content: bytes, nodes: Objects, receiver: Process) -> Parcel:
        """A copy of a parcel, whose bytes are `content`, for another process; its objects translated."""
        level = data.api_level
        if not nodes:
            return Parcel.from_bytes(content, resolver=receiver, api_level=level)
        raw = bytearray(content)
        objects: dict[int, IBinder | ParcelFileDescriptor] = {}
        try:
            for offset, node in nodes.items():
                kind, flags, value, _ = FLAT_OBJECT.unpack_from(raw, offset)
                if node is None:
                    fd = _dup(value & 0xFFFFFFFF, data.object_at(offset))
                    objects[offset] = receiver.resolve_fd(fd)
                    FLAT_OBJECT.pack_into(raw, offset, kind, flags, fd, 0)
                else:
                    reference = objects[offset] = receiver.reference_to(node)
                    flat = reference.flatten()
                    FLAT_OBJECT.pack_into(raw, offset, flat.type, flags, flat.value, flat.cookie)
        except BinderError:
            for thing in objects.values():
                if isinstance(thing, ParcelFileDescriptor):
                    thing.close()
            raise
        return Parcel.from_bytes(raw, data.offsets, resolver=receiver, objects=objects, api_level=level)

    # --- death -----------------------------------------------------------------------------------

    def link_to_death(self, holder: Process, node: Node, recipient: DeathRecipient) -> None:
        told: object = recipient
        if not callable(told):
            raise UsageError(f"{shown(told)} is no function to be called at a death")
        with self.lock:
            if not node.owner.alive:
                raise DeadObjectError(f"{node.owner.label} (pid {node.owner.pid}) is dead already")
            node.links.append(DeathLink(holder, recipient))
            holder.has_linked = True
            node.owner.linked[node] = None

    def unlink_to_death(self, holder: Process, node: Node, recipient: DeathRecipient) -> bool:
        with self.lock:
            for link in node.links:
                if link.holder is holder and link.recipient == recipient:
                    node.links.remove(link)
                    if not node.links:
                        node.owner.linked.pop(node, None)
                    return True
        return False

    def kill(self, process: Process) -> None:
        """Ends a process; its links' recipients are called, each once, when the scheduler gets to it."""
        with self.lock:
            if not process.alive:
                return
            links = process.end()
            self._processes = [other for other in self._processes if other is not process]
            if process.has_linked:
                for other in self._processes:
                    other.forget_links_of(process)
            self.registry.forget(process)
        for link in links:
            link.holder.post(link.recipient)


def _buffer_size(data: Parcel) -> int:
    # Rounded as the kernel does; no transaction is so small that it takes no room.
    return max(8, len(data) + 7 & ~7) + 8 * len(data.offsets)


def _dup(fd: int, written: object) -> int:
    """A copy of a descriptor that is about to be carried; `written` is what it was when it was written."""
    if isinstance(written, ParcelFileDescriptor) and (written.closed or written.fileno() != fd):
        # Its number may mean another file by now.
        raise StatusError(Status.FAILED_TRANSACTION, f"descriptor {fd} was closed before it was sent")
    try:
        return os.dup(fd)
    except OSError as error:
        raise StatusError(Status.FAILED_TRANSACTION, f"a descriptor cannot be sent: {error}") from None
