"""A process under the in-process driver, and the binders it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING
from weakref import WeakSet, WeakValueDictionary

from ..errors import DeadObjectError, ParcelError, StatusError, UsageError
from ..fds import ParcelFileDescriptor
from ..flat import FlatObject, ObjectType
from ..ibinder import DeathRecipient, IBinder
from ..identity import CallingIdentity, serving
from ..node import Binder
from ..parcel import Parcel
from ..protocol import (
    FIRST_CALL_TRANSACTION,
    LAST_CALL_TRANSACTION,
    Stability,
    Status,
    TransactionFlag,
)
from .scheduler import SerialQueue, Timer

if TYPE_CHECKING:
    from .driver import Driver

# What a process maps of /dev/binder: a mebibyte less two pages, half of it for oneway calls.
BUFFER_SIZE = 0xFE000
ONEWAY_BUFFER_SIZE = BUFFER_SIZE // 2

_PRIVATE_VENDOR = int(TransactionFlag.PRIVATE_VENDOR)


@dataclass(eq=False, slots=True, weakref_slot=True)
class Node:
    """An object that other processes can reach, as the driver sees it.

    It lives for as long as something refers to it: a handle, a parcel or a queued call on its way,
    a name in the registry, a link to its death. So does the object.
    """

    owner: Process
    binder: Binder
    queue: SerialQueue
    links: list[DeathLink]


@dataclass(eq=False, slots=True)
class DeathLink:
    holder: Process
    recipient: DeathRecipient


class LocalProxy(IBinder):
    """A process's reference to another process's object."""

    __slots__ = ("__weakref__", "handle", "node", "process", "stability")

    def __init__(self, process: Process, node: Node, handle: int) -> None:
        self.process = process
        self.node = node
        self.handle = handle
        self.stability = node.binder.stability

    def flatten(self) -> FlatObject:
        return FlatObject(ObjectType.HANDLE, self.handle, 0)

    def transact(self, code: int, data: Parcel, flags: int = 0) -> Parcel:
        process, flags = self.process, int(flags)
        if FIRST_CALL_TRANSACTION <= code <= LAST_CALL_TRANSACTION and process.driver.api_level >= 30:
            required = Stability.VENDOR if flags & _PRIVATE_VENDOR else process.stability
            if self.stability & required != required:
                problem = f"{process.label} needs {required.name} stability, not {self.stability.name}"
                raise StatusError(Status.BAD_TYPE, f"{problem} as {self!r} has")
        return process.driver.transact(process, self.node, code, data, flags & ~_PRIVATE_VENDOR)

    def link_to_death(self, recipient: DeathRecipient) -> None:
        self.process.driver.link_to_death(self.process, self.node, recipient)

    def unlink_to_death(self, recipient: DeathRecipient) -> bool:
        return self.process.driver.unlink_to_death(self.process, self.node, recipient)

    def is_alive(self) -> bool:
        return self.node.owner.alive

    def new_parcel(self) -> Parcel:
        return Parcel(api_level=self.process.driver.api_level)

    def __repr__(self) -> str:
        return f"<handle {self.handle} of {self.process.label}: {self.node.owner.label}>"


class Process:
    """A process: its identity, its nodes, its handles, its descriptors. Made by `Driver`.

    Attributes:
        pid, uid: what other processes see as calling identity.
        label: what reports call it.
        identity: pid and uid together.
        stability: what it demands of an object before it calls it: SYSTEM, or VENDOR for a vendor's
            process, such as a HAL's. (What is VINTF-stable can be called by both.)
        alive: false once it has been killed.
        linked: those of its nodes whose death somebody wants to be told of.
        has_linked: whether it has ever wanted to be told of a death.
    """

    def __init__(
        self, driver: Driver, pid: int, uid: int, label: str, stability: Stability = Stability.SYSTEM
    ) -> None:
        self.driver = driver
        self.pid = pid
        self.uid = uid
        self.label = label
        self.stability = stability
        self.identity = CallingIdentity(pid, uid)
        self.alive = True
        self.buffer_used = 0
        self.oneway_buffer_used = 0
        # A dict for its order: deaths are told in the same order in every run.
        self.linked: dict[Node, None] = {}
        self.has_linked = False
        self._nodes: WeakValueDictionary[int, Node] = WeakValueDictionary()
        self._handles = count(1)
        self._by_handle: WeakValueDictionary[int, LocalProxy] = WeakValueDictionary()
        self._by_node: WeakValueDictionary[Node, LocalProxy] = WeakValueDictionary()
        self._fds: WeakSet[ParcelFileDescriptor] = WeakSet()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Runs the body as this process, on its own behalf."""
        with serving(self.identity, self.identity):
            yield

    def post(self, task: Callable[[], None]) -> None:
        """Has `task` run soon as this process, unless it has died by then."""
        self.driver.scheduler.post(lambda: self._run(task))

    def call_later(self, delay: float, task: Callable[[], None]) -> Timer:
        """Has `task` run as this process when `delay` seconds have passed, unless it has died by then."""
        return self.driver.scheduler.call_later(delay, lambda: self._run(task))

    def _run(self, task: Callable[[], None]) -> None:
        if self.alive:
            with self.running():
                task()

    def kill(self) -> None:
        """Ends the process. Whoever linked to the death of one of its objects is told."""
        self.driver.kill(self)

    # --- services ------------------------------------------------------------------------------

    def add_service(self, name: str, binder: Binder) -> None:
        """Registers an object of this process under a name, replacing an earlier one."""
        if not self.alive:
            raise DeadObjectError(f"{self.label} (pid {self.pid}) is dead")
        self.driver.registry.add(name, self.node_for(binder))

    def get_service(self, name: str) -> IBinder | None:
        """The object registered under a name, as this process sees it; None if there is none."""
        node = self.driver.registry.get(name)
        return None if node is None else self.reference_to(node)

    def wait_for_service(self, name: str, found: Callable[[IBinder], None]) -> None:
        """Has `found` called, soon or when the service appears, in this process."""
        self.driver.registry.wait(name, self, found)

    # --- objects -------------------------------------------------------------------------------

    def node_for(self, binder: Binder) -> Node:
        """This process's node for one of its objects, made when it is first sent."""
        with self.driver.lock:
            node = self._nodes.get(binder.address)
            if node is None:
                self.driver.claim(binder, self)
                node = Node(self, binder, SerialQueue(self.driver.scheduler), [])
                self._nodes[binder.address] = node
        return node

    def reference_to(self, node: Node) -> IBinder:
        """What this process holds for a node: its own object, or a proxy."""
        if node.owner is self:
            return node.binder
        with self.driver.lock:
            proxy = self._by_node.get(node)
            if proxy is None:
                proxy = LocalProxy(self, node, next(self._handles))
                self._by_node[node] = proxy
                self._by_handle[proxy.handle] = proxy
        return proxy

    def node_of(self, flat: FlatObject, written: object) -> Node | None:
        """The node that an object in one of this process's parcels stands for; None if it has none."""
        if isinstance(written, LocalProxy) and written.process is not self:
            raise UsageError(f"{self.label} cannot send {written!r}, which another process holds")
        if flat.type == ObjectType.BINDER:
            return self.node_for(written) if isinstance(written, Binder) else self._nodes.get(flat.value)
        proxy = self._by_handle.get(flat.value) if flat.type == ObjectType.HANDLE else None
        return None if proxy is None else proxy.node

    def nodes(self) -> list[Node]:
        """Those of its objects that others can reach."""
        with self.driver.lock:
            return list(self._nodes.values())

    def handle_counts(self) -> dict[Process, int]:
        """How many handles this process holds, by the process whose objects they mean.

        Who registers callbacks without end stands out here.
        """
        with self.driver.lock:
            return dict(Counter(proxy.node.owner for proxy in self._by_handle.values()))

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> IBinder:
        """For parcels: the binder that an object in one that has arrived means."""
        binder: IBinder | None = None
        if flat.type == ObjectType.HANDLE:
            binder = self._by_handle.get(flat.value)
        elif (node := self._nodes.get(flat.value)) is not None:
            binder = node.binder
        if binder is None:
            raise ParcelError(Status.BAD_TYPE, f"{self.label} has no object {flat.value:#x}")
        return binder

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        """For parcels: takes over a descriptor that has arrived. It closes with the process."""
        adopted = ParcelFileDescriptor(fd)
        with self.driver.lock:
            self._fds.add(adopted)
            alive = self.alive
        if not alive:
            adopted.close()
        return adopted

    def end(self) -> list[DeathLink]:
        """For the driver: ends the process and closes what only it had. Returns who is to be told."""
        with self.driver.lock:
            self.alive = False
            links = [link for node in self.linked for link in node.links]
            for node in self.linked:
                node.links.clear()
            self.linked.clear()
            fds = list(self._fds)
        for fd in fds:
            fd.close()
        return links

    def forget_links_of(self, holder: Process) -> None:
        """For the driver: drops the links of a process that has died."""
        for node in list(self.linked):
            node.links[:] = [link for link in node.links if link.holder is not holder]
            if not node.links:
                del self.linked[node]

    def has_room(self, size: int, *, oneway: bool = False) -> bool:
        """For the driver: whether a parcel of this size can come in now."""
        if oneway and self.oneway_buffer_used + size > ONEWAY_BUFFER_SIZE:
            return False
        return self.buffer_used + size <= BUFFER_SIZE

    def reserve(self, size: int, *, oneway: bool) -> bool:
        """For the driver: takes room for an incoming parcel. Returns whether there was any."""
        with self.driver.lock:
            if not self.has_room(size, oneway=oneway):
                return False
            self.buffer_used += size
            if oneway:
                self.oneway_buffer_used += size
        return True

    def free(self, size: int, *, oneway: bool) -> None:
        """For the driver: gives the room back."""
        with self.driver.lock:
            self.buffer_used -= size
            if oneway:
                self.oneway_buffer_used -= size

    def __repr__(self) -> str:
        state = "" if self.alive else ", dead"
        return f"<process {self.label} pid={self.pid} uid={self.uid}{state}>"
