"""Services for tests: stubs whose methods are given as functions, and drivers to run them under."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from binder import Binder, Parcel, ParcelFileDescriptor, PersistableBundle
from binder.local import DeterministicScheduler, Driver, Process, Scheduler, ThreadScheduler
from generated.android.npumanager import (
    BnModelLoadCallback,
    BnNpuAllocator,
    BnNpuAllocatorCallback,
    BnNpuManagerService,
    FileSegment,
    IModelLoadCallback,
    INpuAllocator,
    INpuAllocatorCallback,
    INpuManagerService,
    ModelLoadRequestParcelable,
    NpuBufferGetRequest,
)

SERVICE = "npu"
# Long enough for any of these tests on a busy machine; on virtual time it costs nothing.
PATIENCE = 20.0


def scheduler_of(kind: str, seed: int = 1) -> Scheduler:
    return DeterministicScheduler(seed) if kind == "deterministic" else ThreadScheduler()


def open_files() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))


class Scripted:
    """Does what it is told to when one of its methods is called, and keeps a list of calls."""

    def __init__(self, **methods: Callable[..., Any]) -> None:
        self.methods = methods
        self.calls: list[tuple[Any, ...]] = []

    def play(self, name: str, *args: Any) -> Any:
        self.calls.append((name, *args))
        method = self.methods.get(name)
        return None if method is None else method(*args)


class Manager(Scripted, BnNpuManagerService):
    def canLoadModel(self, request: ModelLoadRequestParcelable, callback: IModelLoadCallback) -> None:
        self.play("canLoadModel", request, callback)

    def cancelModelLoad(self, request: ModelLoadRequestParcelable) -> None:
        self.play("cancelModelLoad", request)

    def notifyModelLoaded(self, request: ModelLoadRequestParcelable) -> None:
        self.play("notifyModelLoaded", request)

    def notifyModelUnloaded(self, request: ModelLoadRequestParcelable) -> None:
        self.play("notifyModelUnloaded", request)

    def setPolicy(self, policy: int, policyParams: PersistableBundle | None) -> None:
        self.play("setPolicy", policy, policyParams)

    def createAllocator(self, callback: INpuAllocatorCallback) -> INpuAllocator:
        allocator: INpuAllocator = self.play("createAllocator", callback)
        return allocator


class Callback(Scripted, BnModelLoadCallback):
    def onCanLoadModel(self, status: int) -> None:
        self.play("onCanLoadModel", status)

    def onRequestUnloadModel(self) -> None:
        self.play("onRequestUnloadModel")

    def onModelLoadRequestComplete(self, status: int) -> None:
        self.play("onModelLoadRequestComplete", status)

    @property
    def decisions(self) -> list[int]:
        return [call[1] for call in self.calls if call[0] == "onCanLoadModel"]


class Allocator(Scripted, BnNpuAllocator):
    def getBuffers(self, requests: list[NpuBufferGetRequest]) -> None:
        self.play("getBuffers", requests)

    def isSupported(self, requests: list[NpuBufferGetRequest]) -> list[bool]:
        answer: list[bool] = self.play("isSupported", requests)
        return answer

    def putBuffers(self, appReqIds: list[int]) -> None:
        self.play("putBuffers", appReqIds)

    def setPriority(self, appReqId: int, newBufferPriority: int) -> None:
        self.play("setPriority", appReqId, newBufferPriority)

    def loadFileSegmentToBuffer(self, appReqId: int, fileSegment: FileSegment) -> None:
        self.play("loadFileSegmentToBuffer", appReqId, fileSegment)


class AllocatorCallback(Scripted, BnNpuAllocatorCallback):
    def onGetBuffer(
        self, appReqId: int, bufFd: ParcelFileDescriptor | None, errno: int, errMsg: str | None
    ) -> None:
        self.play("onGetBuffer", appReqId, bufFd, errno, errMsg)

    def onLoad(self, appReqId: int, errno: int, errMsg: str | None) -> None:
        self.play("onLoad", appReqId, errno, errMsg)

    def onNotifyPreempted(self, appReqId: int) -> None:
        self.play("onNotifyPreempted", appReqId)


class Raw(Binder):
    """A binder without an interface: `serve` gets the code, the request and the reply."""

    def __init__(self, serve: Callable[[int, Parcel, Parcel], object]) -> None:
        self.serve = serve

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        self.serve(code, data, reply)


class World:
    """A driver with a server and a client, and a service registered in the server.

    Attributes:
        server, client: two processes of uids 1000 and 10001.
    """

    def __init__(self, kind: str = "deterministic", seed: int = 1, api_level: int = 37) -> None:
        self.driver = Driver(scheduler_of(kind, seed), api_level=api_level)
        self.server = self.driver.new_process("server", uid=1000)
        self.client = self.driver.new_process("client", uid=10001)

    def serve(self, service: Binder) -> None:
        self.server.add_service(SERVICE, service)

    def raw(self, service: Binder, process: Process | None = None) -> Any:
        """The service as a binder of the client or another process."""
        self.serve(service)
        found = (process or self.client).get_service(SERVICE)
        assert found is not None
        return found

    def manager(self, process: Process | None = None, **methods: Callable[..., Any]) -> INpuManagerService:
        """A proxy of the client's, or another process's, for a manager with these methods."""
        return INpuManagerService.from_binder(self.raw(Manager(**methods), process))

    def allocator(self, **methods: Callable[..., Any]) -> INpuAllocator:
        return INpuAllocator.from_binder(self.raw(Allocator(**methods)))

    def callback_of_client(self, callback: BnModelLoadCallback) -> IModelLoadCallback:
        """What the server holds after the client has sent it a callback."""
        held: list[IModelLoadCallback] = []
        manager = Manager(canLoadModel=lambda request, given: held.append(given))
        INpuManagerService.from_binder(self.raw(manager)).canLoadModel(ModelLoadRequestParcelable(), callback)
        manager.calls.clear()
        return held.pop()

    def wait(self, condition: Callable[[], bool]) -> None:
        assert self.driver.scheduler.wait_until(condition, PATIENCE)

    def settle(self) -> None:
        self.driver.scheduler.settle()


@contextmanager
def world_of(kind: str = "deterministic", seed: int = 1, api_level: int = 37) -> Iterator[World]:
    world = World(kind, seed, api_level)
    try:
        yield world
    finally:
        world.driver.close()
