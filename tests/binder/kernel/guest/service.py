"""What the server in the machine serves: one object that does whatever its caller needs it to do."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from enum import IntEnum, auto

from binder import (
    BadParcelableException,
    Binder,
    IBinder,
    IllegalArgumentException,
    IllegalStateException,
    NetworkOnMainThreadException,
    NullPointerException,
    Parcel,
    ParcelableException,
    ParcelFileDescriptor,
    PersistableBundle,
    RemoteException,
    SecurityException,
    ServiceSpecificException,
    Status,
    StatusError,
    UnsupportedOperationException,
    calling_pid,
    calling_uid,
)
from binder.protocol import TransactionFlag
from generated.android.npumanager import (
    BnNpuManagerService,
    IModelLoadCallback,
    INpuAllocator,
    INpuAllocatorCallback,
    ModelLoadRequestParcelable,
)

ACCEPT_FDS = int(TransactionFlag.ACCEPT_FDS)
ONE_WAY = int(TransactionFlag.ONE_WAY)
PATIENCE = 20.0


class Code(IntEnum):
    ECHO = 1
    BOUNCE = auto()
    STATUS = auto()
    TAKE_FD = auto()
    GIVE_FD = auto()
    FLOOD = auto()
    IDENTITY = auto()
    KEEP = auto()
    DEATHS = auto()
    NOTE = auto()
    NOTED = auto()
    MEET = auto()
    BIG = auto()
    NEW_OBJECTS = auto()
    END_THREAD = auto()
    CLOSED_FD = auto()
    OPEN_FILES = auto()
    HANG = auto()
    GO_ON = auto()
    KEPT = auto()
    THROWER = auto()
    SLOW = auto()
    HEARD = auto()
    GO_FASTER = auto()


def open_files() -> int:
    gc.collect()
    return len(os.listdir("/proc/self/fd"))


def call(binder: IBinder, code: int, *values: int | IBinder, flags: int = ACCEPT_FDS) -> Parcel:
    """Calls with ints and binders as they are."""
    data = binder.new_parcel()
    for value in values:
        if isinstance(value, int):
            data.write_int32(value)
        else:
            data.write_strong_binder(value)
    return binder.transact(code, data, flags)


class Bouncer(Binder):
    """Calls whoever has called it back, as many times as it is told, one within the other."""

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code != Code.BOUNCE:
            super().on_transact(code, data, reply, flags)
            return
        depth, other = data.read_int32(), data.read_strong_binder()
        assert other is not None
        trace = [threading.get_native_id()]
        if depth:
            with call(other, Code.BOUNCE, depth - 1, self) as answer:
                trace += answer.read_int32_array() or []
        reply.write_int32_array(trace)


# What a method may raise, and what reaches its caller.
EXCEPTIONS: list[RemoteException] = [
    SecurityException("no"),
    BadParcelableException("bad"),
    IllegalArgumentException("argument"),
    NullPointerException("null"),
    IllegalStateException("state"),
    NetworkOnMainThreadException("network"),
    UnsupportedOperationException("operation"),
    ServiceSpecificException(-7, "specific \U0001f600"),
    ParcelableException("parcelable"),
    SecurityException(None),
]


class Thrower(BnNpuManagerService):
    """A generated stub whose `setPolicy` raises what its argument says."""

    def setPolicy(self, policy: int, policyParams: PersistableBundle | None) -> None:
        if policy >= 0:
            raise EXCEPTIONS[policy]
        if policy == -1:
            raise StatusError(Status.TIMED_OUT)
        raise ValueError("a bug")

    def canLoadModel(self, request: ModelLoadRequestParcelable, callback: IModelLoadCallback) -> None: ...

    def cancelModelLoad(self, request: ModelLoadRequestParcelable) -> None: ...

    def notifyModelLoaded(self, request: ModelLoadRequestParcelable) -> None: ...

    def notifyModelUnloaded(self, request: ModelLoadRequestParcelable) -> None: ...

    def createAllocator(self, callback: INpuAllocatorCallback) -> INpuAllocator:
        raise NotImplementedError


class Slow(Binder):
    """Takes its time over each number that it is told, until it is told to be quick."""

    def __init__(self) -> None:
        self.heard: list[int] = []
        self.quick = threading.Event()

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        if code == Code.NOTE:
            self.heard.append(data.read_int32())
            self.quick.wait(0.1)
        elif code == Code.GO_FASTER:
            self.quick.set()
        elif code == Code.HEARD:
            reply.write_int32_array(self.heard)
        else:
            super().on_transact(code, data, reply, flags)


class Service(Bouncer):
    def __init__(self) -> None:
        self.kept: list[IBinder] = []
        self.deaths = 0
        self.died = threading.Condition()
        self.noted = (-1, -1)
        self.noticed = threading.Event()
        self.meeting = threading.Barrier(8)
        self.going_on = threading.Event()
        self.handlers: dict[int, Callable[[Parcel, Parcel], None]] = {
            Code.ECHO: lambda data, reply: reply.write_byte_array(data.read_byte_array()),
            Code.STATUS: self.fail,
            Code.TAKE_FD: self.take_fd,
            Code.GIVE_FD: self.give_fd,
            Code.FLOOD: self.flood,
            Code.IDENTITY: lambda data, reply: reply.write_int32_array([calling_pid(), calling_uid()]),
            Code.KEEP: self.keep,
            Code.DEATHS: self.tell_deaths,
            Code.NOTE: self.note,
            Code.NOTED: self.tell_noted,
            Code.MEET: lambda data, reply: reply.write_int32(self.meeting.wait(PATIENCE)),
            Code.BIG: lambda data, reply: reply.write_byte_array(bytes(data.read_int32())),
            Code.NEW_OBJECTS: self.make_objects,
            Code.END_THREAD: self.end_thread,
            Code.CLOSED_FD: self.give_closed_fd,
            Code.OPEN_FILES: lambda data, reply: reply.write_int32(open_files()),
            Code.HANG: self.hang,
            Code.KEPT: lambda data, reply: reply.write_strong_binder(self.kept[-1]),
            Code.THROWER: lambda data, reply: reply.write_strong_binder(Thrower()),
            Code.SLOW: lambda data, reply: reply.write_strong_binder(Slow()),
            Code.GO_ON: lambda data, reply: self.going_on.set(),
        }

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        handler = self.handlers.get(code)
        if handler is None:
            super().on_transact(code, data, reply, flags)
        else:
            handler(data, reply)

    def fail(self, data: Parcel, reply: Parcel) -> None:
        raise StatusError(data.read_int32())

    def take_fd(self, data: Parcel, reply: Parcel) -> None:
        """Writes to the first of two descriptors; comes to grief between them if it is told to."""
        fails = data.read_bool()
        with data.read_file_descriptor() as fd:
            if fails:
                raise StatusError(-22)
            os.write(fd.fileno(), b"here")
        data.read_file_descriptor().close()

    def give_fd(self, data: Parcel, reply: Parcel) -> None:
        """Its own end of a pipe that has something in it."""
        reader, writer = os.pipe()
        os.write(writer, b"given")
        os.close(writer)
        # The parcel holds it until it has been sent.
        reply.write_file_descriptor(ParcelFileDescriptor(reader))
        if data.read_bool():
            raise StatusError(-22)

    def give_closed_fd(self, data: Parcel, reply: Parcel) -> None:
        fd = ParcelFileDescriptor.dup(0)
        reply.write_file_descriptor(fd)
        os.close(fd.detach())

    def flood(self, data: Parcel, reply: Parcel) -> None:
        count, target = data.read_int32(), data.read_strong_binder()
        assert target is not None
        for number in range(count):
            call(target, Code.NOTE, number, flags=ONE_WAY)

    def keep(self, data: Parcel, reply: Parcel) -> None:
        other = data.read_strong_binder()
        assert other is not None
        self.kept.append(other)
        other.link_to_death(self.count_death)

    def count_death(self) -> None:
        with self.died:
            self.deaths += 1
            self.died.notify_all()

    def tell_deaths(self, data: Parcel, reply: Parcel) -> None:
        """How many since this was last asked, when there have been as many as are asked for."""
        wanted = data.read_int32()
        with self.died:
            self.died.wait_for(lambda: self.deaths >= wanted, PATIENCE)
            reply.write_int32(self.deaths)
            self.deaths = 0
        self.kept.clear()

    def note(self, data: Parcel, reply: Parcel) -> None:
        self.noted = (calling_pid(), calling_uid())
        self.noticed.set()

    def tell_noted(self, data: Parcel, reply: Parcel) -> None:
        self.noticed.wait(PATIENCE)
        reply.write_int32_array(list(self.noted))

    def hang(self, data: Parcel, reply: Parcel) -> None:
        self.going_on.wait(PATIENCE)
        self.going_on.clear()

    def make_objects(self, data: Parcel, reply: Parcel) -> None:
        for _ in range(data.read_int32()):
            reply.write_strong_binder(Bouncer())

    def end_thread(self, data: Parcel, reply: Parcel) -> None:
        raise SystemExit
