"""A reference device with buffers, and clients of its allocators that remember what they heard."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from errno import errorcode
from mmap import PAGESIZE, PROT_READ
from typing import Any

from binder import ParcelFileDescriptor
from binder.local import DeterministicScheduler, Driver, Process, Scheduler
from generated.android.npumanager import (
    BnNpuAllocatorCallback,
    BufferType,
    FileSegment,
    INpuAllocator,
    NpuBufferGetRequest,
)
from reference_impl.buffers.heap_config import HeapConfig, NpuEntry
from reference_impl.buffers.provision import StandInProvision
from reference_impl.buffers.wrapfd import Wrapfd
from reference_impl.constants import Importance
from reference_impl.device import ReferenceDevice
from reference_impl.platform import Package

CAPACITY = 16
"""Pages that the heap has."""

CONFIG = HeapConfig(
    (
        ("npu", (NpuEntry(frozenset({0}), frozenset({BufferType.MODEL_WEIGHTS, BufferType.CACHE})),)),
        ("other", (NpuEntry(frozenset({1}), frozenset({BufferType.MODEL_WEIGHTS})),)),
    )
)


@dataclass
class Heard(BnNpuAllocatorCallback):
    """What a client heard, in words, and the descriptors it was given."""

    news: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    fds: dict[int, ParcelFileDescriptor] = field(default_factory=dict)

    def onGetBuffer(
        self, appReqId: int, bufFd: ParcelFileDescriptor | None, errno: int, errMsg: str | None
    ) -> None:
        assert (bufFd is None) == (errno != 0)
        if bufFd is not None:
            self.fds[appReqId] = bufFd
        self._hear(f"got {appReqId}", errno, errMsg)

    def onLoad(self, appReqId: int, errno: int, errMsg: str | None) -> None:
        self._hear(f"loaded {appReqId}", errno, errMsg)

    def onNotifyPreempted(self, appReqId: int) -> None:
        self.news.append(f"preempted {appReqId}")

    def _hear(self, what: str, errno: int, message: str | None) -> None:
        assert (message is None) == (errno == 0)
        self.news.append(f"{what} {errorcode[errno]}" if errno else what)
        self.messages.append(message or "")


class Place:
    """A device and its stand-in."""

    def __init__(self, scheduler: Scheduler | None = None, *, config: HeapConfig | None = CONFIG) -> None:
        capacities = {"npu": CAPACITY * PAGESIZE, "other": PAGESIZE}
        self.provision = StandInProvision(config, capacities)
        self.driver = Driver(scheduler or DeterministicScheduler(3))
        self.device = ReferenceDevice(self.driver, provision=self.provision)
        self._next_uid = 10123

    def client(self, label: str, importance: int = Importance.CACHED) -> Client:
        uid, self._next_uid = self._next_uid, self._next_uid + 1
        self.device.install_package(Package(f"com.example.{label}", uid))
        self.device.set_importance(uid, importance)
        self.settle()
        return Client(self, uid, label)

    def settle(self) -> None:
        self.driver.scheduler.settle()

    def used(self, heap: str = "npu") -> int:
        """Pages in use."""
        usage = self.provision.heaps.usage(heap)
        assert usage is not None
        return usage[0] // PAGESIZE

    def close(self) -> None:
        self.device.shut_down()
        self.driver.close()


class Client:
    """An app with an allocator."""

    def __init__(self, place: Place, uid: int, label: str) -> None:
        self.place = place
        process = place.device.start_process(uid, label)
        assert isinstance(process, Process)
        self.process = process
        self.uid = uid
        self.heard = Heard()
        with process.running():
            self.service = place.device.npu_service(process)
            self.allocator: INpuAllocator = self.service.createAllocator(self.heard)

    @property
    def wrapfd(self) -> Wrapfd:
        return self.place.provision.wrapfd(self.process.pid)

    def request(self, number: int, pages: int = 1, **changes: Any) -> NpuBufferGetRequest:
        values: dict[str, Any] = {
            "appReqId": number,
            "deviceNumber": 0,
            "bufferType": BufferType.MODEL_WEIGHTS,
            "size": pages * PAGESIZE,
            "protectionFlags": PROT_READ,
            **changes,
        }
        return NpuBufferGetRequest(**values)

    def gets(self, *requests: NpuBufferGetRequest) -> list[str]:
        self.allocator.getBuffers(list(requests))
        self.place.settle()
        return self.news()

    def loads(
        self, number: int, fd: int, *, file_offset: int = 0, length: int = PAGESIZE, offset: int = 0
    ) -> list[str]:
        self.allocator.loadFileSegmentToBuffer(number, segment(fd, file_offset, length, offset))
        self.place.settle()
        return self.news()

    def puts(self, *numbers: int) -> list[str]:
        self.allocator.putBuffers(list(numbers))
        self.place.settle()
        return self.news()

    def closes(self, number: int) -> None:
        self.heard.fds.pop(number).close()

    def news(self) -> list[str]:
        """What it heard since it was last asked."""
        heard = list(self.heard.news)
        self.heard.news.clear()
        return heard

    def reads(self, number: int, length: int = 2) -> bytes:
        """The first bytes of a buffer."""
        mapping = self.wrapfd.map(self.heard.fds[number].fileno(), PAGESIZE)
        found = bytes(mapping.view[:length])
        mapping.close()
        return found

    def dies(self) -> None:
        self.place.device.kill(self.process)
        self.place.settle()


def segment(fd: int, file_offset: int = 0, length: int = PAGESIZE, offset: int = 0) -> FileSegment:
    return FileSegment(
        fileFd=ParcelFileDescriptor(os.dup(fd)),
        fileOffset=file_offset,
        segmentLength=length,
        bufferOffset=offset,
    )
