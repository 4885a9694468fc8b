"""This process, as one that has a binder device open: its objects, its references, its threads."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from struct import unpack
from weakref import WeakSet, WeakValueDictionary, finalize

from ..errors import BinderError, DeadObjectError, ParcelError, StatusError, UsageError
from ..fds import ParcelFileDescriptor
from ..flat import FLAT_OBJECT, FLAT_OBJECT_SIZE, FlatObject, ObjectType, decode_stability
from ..ibinder import IBinder
from ..identity import CallingIdentity, serving
from ..node import Binder
from ..parcel import Parcel
from ..protocol import LATEST_API_LEVEL, Stability, Status, TokenHeader
from .commands import Command, Writer
from .deaths import Deaths
from .device import Device
from .freezes import Freezes
from .proxy import CONTEXT_MANAGER, KernelProxy
from .thread import ThreadState

log = logging.getLogger("binder.kernel")

DEFAULT_MAX_THREADS = 15
_DROPPED_AT_ONCE = 4096
_JOIN_SECONDS = 5.0


@dataclass(slots=True)
class _Node:
    """An object of this process that others may refer to. `holds` is by how many counts it must stay."""

    binder: Binder
    holds: int = 0


class KernelProcess:
    """This process under a real binder driver.

    Args:
        device: an open device; it belongs to this object from now on.
        api_level: whose wire variant to speak.
        header: what interface tokens say and must say.
        stability: what is demanded of an object before it is called.
        max_threads: how many threads the driver may ask for, beside the first.
    """

    def __init__(
        self,
        device: Device,
        *,
        api_level: int = LATEST_API_LEVEL,
        header: TokenHeader = TokenHeader.SYSTEM,
        stability: Stability = Stability.SYSTEM,
        max_threads: int = DEFAULT_MAX_THREADS,
    ) -> None:
        self.device = device
        self.api_level = api_level
        self.header = header
        self.stability = stability
        self.closing = False
        self.closed = False
        self._lock = threading.RLock()
        self._local = threading.local()
        self._threads: list[threading.Thread] = []
        self._nodes: dict[int, _Node] = {}
        self._context_object: Binder | None = None
        self._proxies: WeakValueDictionary[int, KernelProxy] = WeakValueDictionary()
        self._states: WeakSet[ThreadState] = WeakSet()
        self._dropped: SimpleQueue[int | None] = SimpleQueue()
        self._dropper: threading.Thread | None = None
        self._foreign = False
        self.deaths = Deaths(self)
        self.freezes = Freezes(self)
        device.set_max_threads(max_threads)
        _opened.add(self)

    @property
    def identity(self) -> CallingIdentity:
        return CallingIdentity(self.device.pid, self.device.uid)

    def thread(self) -> ThreadState:
        """The calling thread's conversation with the driver. Raises `DeadObjectError` once closed."""
        if self.closing:
            raise self.unusable()
        state: ThreadState | None = getattr(self._local, "state", None)
        if state is None:
            state = self._local.state = ThreadState(self)
            with self._lock:
                self._states.add(state)
        return state

    def unusable(self) -> BinderError:
        """Why a process that is closing cannot be used."""
        if self._foreign:
            return UsageError(
                f"{self.device.name} was opened by process {self.device.pid}, and this is a child of it; "
                "open it anew after the fork"
            )
        return DeadObjectError(f"{self.device.name} was closed here")

    def disown(self) -> None:
        """For a child of the process that this is: the driver would take them for the same."""
        self._lock = threading.RLock()
        self._foreign = self.closing = self.closed = True

    def context_manager(self) -> IBinder:
        """The object behind handle 0. Its process may be gone; `ping` tells."""
        return self._reference(CONTEXT_MANAGER, self.stability)

    def become_context_manager(self, binder: Binder) -> None:
        """Serves handle 0 with `binder`. Raises `DeviceError` if another process does."""
        self.device.become_context_manager()
        self._context_object = binder
        self.start_threads()

    # --- threads -----------------------------------------------------------------------------------

    def start_threads(self) -> None:
        """Starts serving calls, if that has not been done. The driver asks for more threads as needed."""
        with self._lock:
            if not self._threads and not self.closing:
                self._start_looper(asked_for=False)

    def spawn_looper(self) -> None:
        """For threads: the driver wants another one."""
        with self._lock:
            if not self.closing:
                self._start_looper(asked_for=True)

    def _start_looper(self, *, asked_for: bool) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(
            target=self._loop,
            args=(asked_for,),
            name=f"binder:{len(self._threads)}",
            # So that a program that forgets to close can end.
            daemon=True,
        )
        try:
            thread.start()
        except RuntimeError as error:
            # Calls wait for the threads that there are.
            log.error("%s: no thread can be started: %s", self.device.name, error)
        else:
            self._threads.append(thread)

    def _loop(self, asked_for: bool) -> None:
        with serving(self.identity, self.identity):
            try:
                self.thread().join_pool(asked_for=asked_for)
            except Exception:
                if not self.closing:
                    log.exception("a thread of %s came to grief", self.device.name)
            finally:
                self._local.__dict__.pop("state", None)

    def close(self) -> None:
        """Ends all threads and gives up the device. Whoever refers to this process's objects is told.

        Calls that are out end with `DeadObjectError`. A method of an object of this process that does not
        return is waited for for a few seconds.
        """
        with self._lock:
            if self.closing:
                return
            self.closing = True
        self._dropped.put(None)
        deadline = time.monotonic() + _JOIN_SECONDS
        pause = threading.Event()
        while self._busy() and time.monotonic() < deadline:
            # More than once, as a thread may have been between looking at `closing` and waiting.
            self.device.wake()
            pause.wait(0.002)
        self.closed = True
        self.device.close()

    def _busy(self) -> bool:
        """Whether any other thread runs for this process, or waits in a call of its own."""
        with self._lock:
            threads = [*self._threads, self._dropper]
            waiting = any(state.waiting for state in self._states)
        here = threading.current_thread()
        return waiting or any(thread and thread is not here and thread.is_alive() for thread in threads)

    def __enter__(self) -> KernelProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- own objects -------------------------------------------------------------------------------

    def target(self, pointer: int) -> Binder:
        """For threads: the object a transaction is for. Raises `StatusError` if there is none."""
        if pointer == 0 and self._context_object is not None:
            return self._context_object
        with self._lock:
            node = self._nodes.get(pointer)
        if node is None:
            raise StatusError(Status.DEAD_OBJECT, f"there is no object {pointer:#x} here")
        return node.binder

    @contextmanager
    def sending(self, data: Parcel) -> Iterator[None]:
        """For threads: the body sends a parcel, whose objects must live until the driver counts them.

        Raises:
            UsageError: it has an object that another process holds.
        """
        own = []
        for thing in map(data.object_at, data.offsets):
            if isinstance(thing, Binder):
                own.append(thing)
            elif isinstance(thing, KernelProxy) and thing.process is not self:
                raise UsageError(f"{self.device.name} cannot send {thing!r}")
            elif isinstance(thing, IBinder) and not isinstance(thing, KernelProxy):
                raise UsageError(f"{thing!r} does not live under a kernel driver")
        if own:
            # Whoever gets an object will want to call it.
            self.start_threads()
        pinned = []
        try:
            for binder in own:
                self._pin(binder)
                pinned.append(binder.address)
            yield
        finally:
            for address in pinned:
                self.release_node(address)

    def _pin(self, binder: Binder) -> None:
        with self._lock:
            self._nodes.setdefault(binder.address, _Node(binder)).holds += 1

    def acquire_node(self, pointer: int) -> None:
        """For threads: the driver holds a strong reference to an object of this process."""
        with self._lock:
            node = self._nodes.get(pointer)
            if node is not None:
                node.holds += 1

    def release_node(self, pointer: int) -> None:
        """For threads: the driver, or a sender, holds it no longer."""
        with self._lock:
            node = self._nodes.get(pointer)
            if node is not None:
                node.holds -= 1
                if node.holds <= 0:
                    del self._nodes[pointer]

    # --- references --------------------------------------------------------------------------------

    def _reference(self, handle: int, stability: Stability, out: Writer | None = None) -> IBinder:
        """What a handle means here."""
        if handle == CONTEXT_MANAGER and self._context_object is not None:
            return self._context_object
        return self._proxy(handle, stability, out)

    def _proxy(self, handle: int, stability: Stability, out: Writer | None) -> KernelProxy:
        """The one proxy for a handle. A new one is counted through `out`, or at once."""
        with self._lock:
            proxy = self._proxies.get(handle)
            if proxy is not None:
                return proxy
            proxy = KernelProxy(self, handle, stability)
            if handle != CONTEXT_MANAGER:
                if self._dropper is None and not self.closing:
                    self._dropper = threading.Thread(target=self._drop, name="binder:drop", daemon=True)
                    self._dropper.start()
                writer = Writer() if out is None else out
                writer.handle(Command.INCREFS, handle)
                writer.handle(Command.ACQUIRE, handle)
                if out is None:
                    self.device.write_read(writer, wait=False)
                # All that may be done while garbage is collected, which can happen in any thread and at
                # any point in it, is to put something into this kind of queue.
                finalize(proxy, self._dropped.put, handle).atexit = False
            self._proxies[handle] = proxy
            return proxy

    def _drop(self) -> None:
        """Gives references back, many at a time if there are many.

        When does not matter: whatever brings a handle is held until its new proxy has been counted.
        """
        while not self.closing:
            writer = Writer()
            handle = self._dropped.get()
            while handle is not None:
                writer.handle(Command.RELEASE, handle)
                writer.handle(Command.DECREFS, handle)
                if self._dropped.empty() or len(writer.stream) > _DROPPED_AT_ONCE:
                    break
                handle = self._dropped.get()
            try:
                if writer and not self.closing:
                    self.device.write_read(writer, wait=False)
            except BinderError as error:
                if not self.closing:
                    log.warning("%s: references could not be given back: %s", self.device.name, error)

    def receive(self, data: bytes, offsets: bytes, out: Writer, flush: Callable[[], None]) -> Parcel:
        """For threads: a parcel for what has arrived.

        Args:
            data: its bytes.
            offsets: where its objects are, as the driver wrote them.
            out: where to count new references.
            flush: gives the driver what has been written to `out`.

        Raises:
            StatusError: the objects are not what they should be.
        """
        if not offsets:
            return Parcel.from_bytes(data, resolver=self, api_level=self.api_level)
        positions = unpack(f"<{len(offsets) // 8}Q", offsets)
        before = len(out.stream)
        objects: dict[int, IBinder | ParcelFileDescriptor] = {}
        try:
            for position in positions:
                thing = self._arrived(data, position, out)
                if thing is not None:
                    objects[position] = thing
            return Parcel.from_bytes(
                data, positions, resolver=self, objects=objects, api_level=self.api_level
            )
        except BaseException as error:
            self._close_descriptors(data, positions, objects)
            if isinstance(error, ParcelError):
                raise StatusError(error.status, str(error)) from None
            raise
        finally:
            if len(out.stream) != before:
                # Before anybody can drop the new proxies, and with them these counts.
                flush()

    def _close_descriptors(
        self, data: bytes, positions: tuple[int, ...], objects: dict[int, IBinder | ParcelFileDescriptor]
    ) -> None:
        """Closes all descriptors that have arrived, whether or not anybody has looked at them yet."""
        for position in positions:
            if position + FLAT_OBJECT_SIZE <= len(data):
                kind, _, value, _ = FLAT_OBJECT.unpack_from(data, position)
                thing = objects.get(position)
                if kind == ObjectType.FD and thing is None:
                    thing = self.resolve_fd(value & 0xFFFFFFFF)
                if isinstance(thing, ParcelFileDescriptor):
                    thing.close()

    def _arrived(self, data: bytes, position: int, out: Writer) -> IBinder | ParcelFileDescriptor | None:
        if position + FLAT_OBJECT_SIZE > len(data):
            raise ParcelError(Status.BAD_VALUE, "there can be no object here", offset=position)
        kind, _, value, cookie = FLAT_OBJECT.unpack_from(data, position)
        if kind == ObjectType.FD:
            return self.resolve_fd(value & 0xFFFFFFFF)
        if kind == ObjectType.HANDLE:
            return self._reference(value & 0xFFFFFFFF, self._stability_at(data, position), out)
        if kind == ObjectType.BINDER:
            return self.resolve_binder(FlatObject(kind, value, cookie), Stability.SYSTEM)
        return None

    def _stability_at(self, data: bytes, position: int) -> Stability:
        """The level behind a binder; reading the parcel will complain of a wrong one."""
        at = position + FLAT_OBJECT_SIZE
        if self.api_level < 30:
            return Stability.SYSTEM
        word = decode_stability(int.from_bytes(data[at : at + 4], "little", signed=True), self.api_level)
        return Stability(word) if word in list(Stability) else Stability.UNDECLARED

    def resolve_binder(self, flat: FlatObject, stability: Stability) -> IBinder:
        """For parcels: the binder that an object in them means."""
        if flat.type == ObjectType.HANDLE:
            return self._reference(flat.value & 0xFFFFFFFF, stability)
        try:
            return self.target(flat.value)
        except StatusError as error:
            raise ParcelError(Status.BAD_TYPE, str(error)) from None

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        """For parcels: takes over a descriptor that the driver has installed here."""
        return self.device.descriptor(fd)


_opened: WeakSet[KernelProcess] = WeakSet()


def _disown_all() -> None:
    for process in list(_opened):
        process.disown()


os.register_at_fork(after_in_child=_disown_all)
