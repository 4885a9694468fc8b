"""This process, as one that has a binder device open: its objects, its references, its threads."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from struct import unpack
from weakref import WeakValueDictionary, finalize

from ..errors import DeadObjectError, ParcelError, StatusError, UsageError
from ..fds import ParcelFileDescriptor
from ..flat import FLAT_OBJECT, FLAT_OBJECT_SIZE, FlatObject, ObjectType, decode_stability
from ..ibinder import DeathRecipient, IBinder
from ..identity import CallingIdentity, serving
from ..node import Binder
from ..parcel import Parcel
from ..protocol import LATEST_API_LEVEL, Stability, Status, TokenHeader
from .commands import Command, Writer
from .device import Device
from .proxy import KernelProxy
from .thread import ThreadState

log = logging.getLogger("binder.kernel")

DEFAULT_MAX_THREADS = 15
_JOIN_SECONDS = 5.0
_CONTEXT_MANAGER = 0


@dataclass(slots=True)
class _Node:
    """An object of this process that others may refer to. `holds` is by how many counts it must stay."""

    binder: Binder
    holds: int = 0


@dataclass(slots=True)
class _Deaths:
    """Who is to be told when a handle's process dies."""

    proxy: KernelProxy
    cookie: int
    recipients: list[DeathRecipient] = field(default_factory=list)


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
        self._deaths: dict[int, _Deaths] = {}
        self._cookies = count(1)
        device.set_max_threads(max_threads)

    @property
    def identity(self) -> CallingIdentity:
        return CallingIdentity(self.device.pid, self.device.uid)

    def thread(self) -> ThreadState:
        """The calling thread's conversation with the driver. Raises `DeadObjectError` once closed."""
        if self.closing:
            raise DeadObjectError(f"{self.device.name} was closed here")
        state: ThreadState | None = getattr(self._local, "state", None)
        if state is None:
            state = self._local.state = ThreadState(self)
        return state

    def context_manager(self) -> IBinder:
        """The object behind handle 0. Its process may be gone; `ping` tells."""
        return self._proxy(_CONTEXT_MANAGER, self.stability)

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
        thread = threading.Thread(
            target=self._loop,
            args=(asked_for,),
            name=f"binder:{len(self._threads)}",
            # So that a program that forgets to close can end.
            daemon=True,
        )
        self._threads.append(thread)
        thread.start()

    def _loop(self, asked_for: bool) -> None:
        with serving(self.identity, self.identity):
            try:
                self.thread().join_pool(asked_for=asked_for)
            except DeadObjectError:
                pass
            except Exception:
                if not self.closing:
                    log.exception("a thread of %s came to grief", self.device.name)
            finally:
                self._local.__dict__.pop("state", None)

    def close(self) -> None:
        """Ends all threads and gives up the device. Whoever refers to this process's objects is told."""
        with self._lock:
            if self.closing:
                return
            self.closing = True
            threads = list(self._threads)
        for thread in threads:
            while thread.is_alive() and thread is not threading.current_thread():
                # A thread may have been between looking at `closing` and waiting.
                self.device.wake()
                thread.join(0.05)
        self.closed = True
        self.device.close()

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
        pinned = []
        for offset in data.offsets:
            thing = data.object_at(offset)
            if isinstance(thing, Binder):
                pinned.append(thing.address)
                self._pin(thing)
            elif isinstance(thing, KernelProxy) and thing.process is not self:
                raise UsageError(f"{self.device.name} cannot send {thing!r}")
            elif isinstance(thing, IBinder) and not isinstance(thing, KernelProxy):
                raise UsageError(f"{thing!r} does not live under a kernel driver")
        if pinned:
            # Whoever gets an object will want to call it.
            self.start_threads()
        try:
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

    def _proxy(self, handle: int, stability: Stability, out: Writer | None = None) -> KernelProxy:
        """The one proxy for a handle. A new one is counted through `out`, or at once."""
        with self._lock:
            proxy = self._proxies.get(handle)
            if proxy is not None:
                return proxy
            proxy = KernelProxy(self, handle, stability)
            if handle != _CONTEXT_MANAGER:
                writer = Writer() if out is None else out
                writer.handle(Command.INCREFS, handle)
                writer.handle(Command.ACQUIRE, handle)
                if out is None:
                    self.device.write_read(writer, wait=False)
                finalize(proxy, self._drop_reference, handle).atexit = False
            self._proxies[handle] = proxy
            return proxy

    def _drop_reference(self, handle: int) -> None:
        if self.closed:
            return
        writer = Writer()
        writer.handle(Command.RELEASE, handle)
        writer.handle(Command.DECREFS, handle)
        self.device.write_read(writer, wait=False)

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
        except ParcelError as error:
            for thing in objects.values():
                if isinstance(thing, ParcelFileDescriptor):
                    thing.close()
            raise StatusError(error.status, str(error)) from None
        finally:
            if len(out.stream) != before:
                # Before anybody can drop the new proxies, and with them these counts.
                flush()

    def _arrived(self, data: bytes, position: int, out: Writer) -> IBinder | ParcelFileDescriptor | None:
        if position + FLAT_OBJECT_SIZE > len(data):
            raise ParcelError(Status.BAD_VALUE, "there can be no object here", offset=position)
        kind, _, value, cookie = FLAT_OBJECT.unpack_from(data, position)
        if kind == ObjectType.FD:
            return self.resolve_fd(value & 0xFFFFFFFF)
        if kind == ObjectType.HANDLE:
            return self._proxy(value & 0xFFFFFFFF, self._stability_at(data, position), out)
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
            return self._proxy(flat.value & 0xFFFFFFFF, stability)
        try:
            return self.target(flat.value)
        except StatusError as error:
            raise ParcelError(Status.BAD_TYPE, str(error)) from None

    def resolve_fd(self, fd: int) -> ParcelFileDescriptor:
        """For parcels: takes over a descriptor that the driver has installed here."""
        return ParcelFileDescriptor(fd)

    # --- death -------------------------------------------------------------------------------------

    def link_to_death(self, proxy: KernelProxy, recipient: DeathRecipient) -> None:
        with self._lock:
            if proxy.dead:
                raise DeadObjectError(f"{proxy!r} is dead already")
            known = self._deaths_of(proxy)
            if known is not None:
                known.recipients.append(recipient)
                return
            # One request per handle; the proxy lives for as long as somebody wants to be told.
            deaths = _Deaths(proxy, next(self._cookies), [recipient])
            self._deaths[deaths.cookie] = deaths
        self.start_threads()
        self.thread().request_death(Command.REQUEST_DEATH_NOTIFICATION, proxy.handle, deaths.cookie)

    def unlink_to_death(self, proxy: KernelProxy, recipient: DeathRecipient) -> bool:
        with self._lock:
            known = self._deaths_of(proxy)
            if known is None or recipient not in known.recipients:
                return False
            known.recipients.remove(recipient)
            if known.recipients or proxy.dead:
                return True
            # Until the driver confirms, the cookie is still its; a new link gets another.
            known.proxy = proxy
        self.thread().request_death(Command.CLEAR_DEATH_NOTIFICATION, proxy.handle, known.cookie)
        return True

    def _deaths_of(self, proxy: KernelProxy) -> _Deaths | None:
        for deaths in self._deaths.values():
            if deaths.proxy is proxy and deaths.recipients:
                return deaths
        return None

    def tell_death(self, cookie: int) -> None:
        """For threads: the process behind a handle is gone."""
        with self._lock:
            deaths = self._deaths.pop(cookie, None)
            if deaths is None:
                return
            deaths.proxy.dead = True
            recipients, deaths.recipients = deaths.recipients, []
        for recipient in recipients:
            try:
                recipient()
            except Exception:
                log.exception("a death recipient failed")

    def forget_death(self, cookie: int) -> None:
        """For threads: the driver has taken a request back."""
        with self._lock:
            self._deaths.pop(cookie, None)
