"""The NDK's client: with the reference's allocator, and with one that says what a test wants."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from errno import EACCES, EBADF, EBUSY, ECANCELED, EINVAL, ENOENT, ENOMEM, ENOSYS, EPIPE, errorcode
from mmap import PAGESIZE, PROT_READ, PROT_WRITE
from typing import Any

import pytest

from binder import (
    IllegalArgumentException,
    ParcelFileDescriptor,
    SecurityException,
    ServiceSpecificException,
    UnsupportedOperationException,
)
from binder.local import DeterministicScheduler, Driver
from generated.android.npumanager import (
    BnNpuAllocator,
    BnNpuManagerService,
    BufferType,
    FileSegment,
    INpuAllocator,
    INpuAllocatorCallback,
    INpuManagerService,
    NpuBufferGetRequest,
)
from reference_impl.buffers.ndk import Buffer, NpuBufferManager
from reference_impl.buffers.ndk_request import AllocRequest, Segment
from reference_impl.buffers.wrapfd import PROT_RW
from reference_impl.constants import Importance

from .clients import CAPACITY, Place
from .kit import Bench, is_back_at, open_descriptors, refused


class Runtime:
    """A native runtime: a client and what its callbacks heard, in words."""

    def __init__(self, manager: NpuBufferManager, settle: Callable[[], None]) -> None:
        self.manager = manager
        self.settle = settle
        self.heard: list[str] = []
        self.buffers: list[Buffer] = []

    def request(self, pages: int = 1, prot: int = PROT_RW, **changes: Any) -> AllocRequest:
        request = AllocRequest().set_device_number(0).set_buffer_type(BufferType.MODEL_WEIGHTS)
        request.set_size(pages * PAGESIZE).set_protection_flags(prot).set_on_alloc(self.on_alloc)
        request.set_on_preempt(self.on_preempt)
        for name, value in changes.items():
            getattr(request, f"set_{name}")(value)
        return request

    def allocates(self, *requests: AllocRequest) -> list[str]:
        self.manager.alloc_async(requests)
        return self.news()

    def one(self, pages: int = 1, prot: int = PROT_RW, **changes: Any) -> Buffer:
        assert self.allocates(self.request(pages, prot, **changes)) == ["alloc ok"]
        return self.buffers[-1]

    def loads(self, buffer: Buffer, segment: Segment) -> list[str]:
        buffer.load_async(segment, self.on_load)
        return self.news()

    def news(self) -> list[str]:
        self.settle()
        heard, self.heard = self.heard, []
        return heard

    def on_alloc(self, code: int, buffer: Buffer | None, cookie: Any) -> None:
        assert (buffer is None) == (code != 0)
        if buffer is not None:
            self.buffers.append(buffer)
        self._hear("alloc", code, cookie)

    def on_preempt(self, buffer: Buffer | None, cookie: Any) -> None:
        self._hear("preempt" if buffer else "preempt without buffer", 0, cookie)

    def on_load(self, code: int, buffer: Buffer) -> None:
        self._hear("load", code, None)

    def _hear(self, what: str, code: int, cookie: Any) -> None:
        name = errorcode[code] if code else "ok"
        self.heard.append(f"{what} {name}" + (f" {cookie}" if cookie else ""))


# --- with the reference's allocator ---


@pytest.fixture
def place() -> Iterator[Place]:
    before = open_descriptors()
    place = Place()
    yield place
    place.close()
    assert place.used() == 0, "memory was left in use"
    assert is_back_at(before), "descriptors were left open"


def runtime(place: Place, label: str, importance: int = Importance.CACHED) -> Runtime:
    client = place.client(label, importance)
    return Runtime(NpuBufferManager(client.service, client.wrapfd), place.settle)


@pytest.fixture
def album(place: Place) -> Runtime:
    return runtime(place, "album")


def test_allocate_map_free(place: Place, album: Runtime) -> None:
    buffer = album.one(2)
    with buffer.map() as memory:
        assert len(memory) == 2 * PAGESIZE
        memory[:2] = b"hi"
    with buffer.map(PROT_READ, length=10) as memory:
        assert bytes(memory[:3]) == b"hi\0"
        assert memory.readonly
    with buffer.map(offset=PAGESIZE) as memory:
        assert len(memory) == PAGESIZE
    buffer.free()
    assert place.used() == 0 or place.provision.heaps.shortage("npu", 0) == 0
    for use in (buffer.free, buffer.map().__enter__, lambda: buffer.set_priority(1)):
        with refused(EBADF):
            use()


def test_a_file_in_it_from_the_start(album: Runtime, file: int) -> None:
    request = album.request(prot=PROT_READ).set_file_segment_to_load(file, PAGESIZE, PAGESIZE)
    assert album.allocates(request) == ["alloc ok"]
    with album.buffers[0].map() as memory:
        assert bytes(memory[:2]) == b"BB"


def test_a_batch_has_consecutive_ids_and_a_snapshot(album: Runtime) -> None:
    request = album.request().set_cookie("crumb")
    with request:
        album.manager.alloc_async([request, request, album.request(device_number=7)])
        request.set_size(9 * PAGESIZE)
    assert sorted(album.news()) == ["alloc ENOSYS", "alloc ok crumb", "alloc ok crumb"]
    assert sorted(buffer.app_request_id for buffer in album.buffers) == [1, 2]
    assert all(buffer.wanted.size == PAGESIZE for buffer in album.buffers)
    album.allocates(album.request())
    assert album.buffers[-1].app_request_id == 4


def test_without_on_alloc_nothing_is_asked(album: Runtime) -> None:
    with pytest.raises(ValueError, match="onAlloc"):
        album.manager.alloc_async([album.request(), AllocRequest()])
    assert album.news() == []


def test_is_supported(album: Runtime, file: int) -> None:
    batch = [album.request(), album.request(device_number=5), AllocRequest()]
    before = open_descriptors()
    batch[0].set_file_segment_to_load(file, 0, 1)
    assert album.manager.is_supported(batch) == [True, False, False]
    assert open_descriptors() == before


def test_no_more_than_the_protection_flags(album: Runtime) -> None:
    buffer = album.one(prot=PROT_READ)
    for prot in (PROT_WRITE, PROT_RW):
        with refused(EACCES), buffer.map(prot):
            pass
    with buffer.map() as memory:
        assert memory.readonly


def test_load_and_again(album: Runtime, file: int) -> None:
    buffer = album.one()
    for number in (0, 1, 2):
        assert album.loads(buffer, Segment(file, number * PAGESIZE, PAGESIZE)) == ["load ok"]
        with buffer.map() as memory:
            assert memory[:1] == bytes([ord("A") + number])
    assert album.loads(buffer, Segment(file, 0, -1)) == ["load EINVAL"]
    assert album.loads(buffer, Segment(file, 512, 1)) == ["load EINVAL"]


def test_while_it_loads(album: Runtime, file: int) -> None:
    buffer = album.one()
    buffer.load_async(Segment(file, 0, PAGESIZE), album.on_load)
    with refused(EBUSY), buffer.map():
        pass
    buffer.load_async(Segment(file, 0, PAGESIZE), album.on_load)
    assert album.news() == ["load EINVAL", "load ok"]


def test_freed_while_it_loads(album: Runtime, file: int) -> None:
    buffer = album.one()
    buffer.load_async(Segment(file, 0, PAGESIZE), album.on_load)
    buffer.free()
    assert album.news() == ["load ECANCELED"]


def test_preempted(place: Place, album: Runtime, file: int) -> None:
    buffer = album.one(CAPACITY)
    front = runtime(place, "front", Importance.FOREGROUND)
    front.one()
    assert album.news() == ["preempt ok"]
    with refused(ENOENT), buffer.map():
        pass
    assert album.loads(buffer, Segment(file, 0, 1)) == ["load EINVAL"]
    buffer.set_priority(3)
    buffer.free()


def test_set_priority(album: Runtime) -> None:
    buffer = album.one()
    buffer.set_priority(1000)
    with refused(EINVAL):
        buffer.set_priority(1001)


def test_cookies_live_as_long_as_buffers(album: Runtime) -> None:
    deleted: list[Any] = []
    with album.request().set_cookie("crumb", deleted.append) as request:
        assert album.allocates(request, request) == ["alloc ok crumb"] * 2
    assert deleted == []
    first, second = album.buffers
    first.free()
    assert deleted == []
    second.free()
    assert deleted == ["crumb"]


def test_the_cookie_of_a_failure_goes_with_it(album: Runtime) -> None:
    deleted: list[Any] = []
    with album.request(device_number=9).set_cookie(None, deleted.append) as request:
        assert album.allocates(request) == ["alloc ENOSYS"]
    assert deleted == [None]


def test_callbacks_may_call_anything(album: Runtime) -> None:
    def on_alloc(code: int, buffer: Buffer | None, cookie: Any) -> None:
        assert buffer is not None
        buffer.set_priority(2)
        buffer.free()
        if cookie:
            again = album.request().set_on_alloc(on_alloc).set_cookie(cookie - 1)
            album.manager.alloc_async([again])
        album.heard.append("freed")

    assert album.allocates(album.request().set_on_alloc(on_alloc).set_cookie(2)) == ["freed"] * 3


def test_a_callback_that_raises_keeps_nothing(place: Place, album: Runtime) -> None:
    deleted: list[Any] = []

    def on_alloc(code: int, buffer: Buffer | None, cookie: Any) -> None:
        raise RuntimeError("the user's own fault")

    with album.request(device_number=9).set_on_alloc(on_alloc).set_cookie(1, deleted.append) as request:
        album.allocates(request)
    assert deleted == [1]


def test_what_may_only_be_written_can_be(album: Runtime) -> None:
    buffer = album.one(prot=PROT_WRITE)
    with buffer.map() as memory:
        memory[:2] = b"hi"
    with refused(EACCES), buffer.map(PROT_READ):
        pass


def test_what_may_not_be_touched_cannot_be(place: Place, album: Runtime) -> None:
    buffer = album.one(prot=0)
    with refused(EACCES), buffer.map():
        pass
    buffer.free()


def test_callbacks_run_in_the_users_name(album: Runtime) -> None:
    from binder import calling_uid

    uids: list[int] = []
    album.allocates(album.request().set_on_alloc(lambda code, buffer, cookie: uids.append(calling_uid())))
    assert uids == [10123]


# --- with an allocator that does what it is told ---


class Scripted(BnNpuAllocator):
    """Remembers what is asked for; the test answers."""

    def __init__(self) -> None:
        self.callback: INpuAllocatorCallback | None = None
        self.failure: Exception | None = None
        self.put: list[int] = []

    def getBuffers(self, requests: Sequence[NpuBufferGetRequest]) -> None:
        self._fail()

    def isSupported(self, requests: Sequence[NpuBufferGetRequest]) -> list[bool]:
        self._fail()
        return []

    def putBuffers(self, appReqIds: Sequence[int]) -> None:
        self.put += appReqIds
        self._fail()

    def setPriority(self, appReqId: int, newBufferPriority: int) -> None:
        self._fail()

    def loadFileSegmentToBuffer(self, appReqId: int, fileSegment: FileSegment) -> None:
        fileSegment.fileFd.close()
        self._fail()

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure

    @property
    def tell(self) -> INpuAllocatorCallback:
        assert self.callback is not None
        return self.callback


class ScriptedService(BnNpuManagerService):
    """Only makes allocators."""

    def __init__(self, allocator: Scripted | Exception) -> None:
        self._allocator = allocator

    def canLoadModel(self, request: object, callback: object) -> None: ...

    def cancelModelLoad(self, request: object) -> None: ...

    def notifyModelLoaded(self, request: object) -> None: ...

    def notifyModelUnloaded(self, request: object) -> None: ...

    def setPolicy(self, policy: int, policyParams: object) -> None: ...

    def createAllocator(self, callback: INpuAllocatorCallback) -> INpuAllocator:
        if isinstance(self._allocator, Exception):
            raise self._allocator
        self._allocator.callback = callback
        return self._allocator


class Stage:
    """A runtime, and a service that is played by the test."""

    def __init__(self, allocator: Scripted | Exception) -> None:
        self.driver = Driver(DeterministicScheduler(5))
        self.server = self.driver.new_process("server", 1000)
        client = self.driver.new_process("client", 10123)
        self.server.add_service("npu", ScriptedService(allocator))
        binder = client.get_service("npu")
        assert binder is not None
        self.bench = Bench()
        manager = NpuBufferManager(INpuManagerService.from_binder(binder), self.bench.process(client.pid))
        self.runtime = Runtime(manager, self.driver.scheduler.settle)

    def close(self) -> None:
        self.driver.close()
        self.bench.close()


@pytest.fixture
def service() -> Scripted:
    return Scripted()


@pytest.fixture
def stage(service: Scripted) -> Iterator[Stage]:
    before = open_descriptors()
    stage = Stage(service)
    yield stage
    stage.close()
    assert is_back_at(before), "descriptors were left open"


def gives(stage: Stage, service: Scripted, number: int, code: int = 0) -> None:
    with ParcelFileDescriptor(os.dup(stage.bench.wrap())) as fd:
        service.tell.onGetBuffer(number, fd, code, None)


def test_a_failed_call_is_heard_by_the_whole_batch(stage: Stage, service: Scripted) -> None:
    client = stage.runtime
    for failure, name in (
        (SecurityException("no"), "EACCES"),
        (ServiceSpecificException(ENOMEM), "ENOMEM"),
        (IllegalArgumentException("no"), "EINVAL"),
    ):
        service.failure = failure
        assert client.allocates(client.request(), client.request()) == [f"alloc {name}"] * 2
        with refused({"EACCES": EACCES, "ENOMEM": ENOMEM, "EINVAL": EINVAL}[name]):
            client.manager.is_supported([])


def test_no_allocator_is_heard_too() -> None:
    stage = Stage(UnsupportedOperationException("no wrapfd"))
    client = stage.runtime
    assert client.allocates(client.request()) == ["alloc ENOSYS"]
    with refused(ENOSYS):
        client.manager.is_supported([client.request()])
    stage.close()


def test_no_errno_and_no_descriptor(stage: Stage, service: Scripted) -> None:
    client = stage.runtime
    client.allocates(client.request())
    service.tell.onGetBuffer(1, None, 0, None)
    assert client.news() == ["alloc ENOSYS"]


def test_a_descriptor_with_an_errno_is_closed(stage: Stage, service: Scripted) -> None:
    client = stage.runtime
    client.allocates(client.request())
    gives(stage, service, 1, ENOMEM)
    assert client.news() == ["alloc ENOMEM"]
    gives(stage, service, 1)
    assert client.news() == []


def test_a_second_descriptor_is_closed(stage: Stage, service: Scripted) -> None:
    client = stage.runtime
    client.allocates(client.request())
    gives(stage, service, 1)
    assert client.news() == ["alloc ok"]
    before = open_descriptors()
    gives(stage, service, 1)
    assert client.news() == []
    assert open_descriptors() == before + 2, "the wrap that the test made, and the stand-in's own"
    client.buffers[0].free()


def test_preempted_while_it_is_allocated(stage: Stage, service: Scripted) -> None:
    client = stage.runtime
    deleted: list[Any] = []
    with client.request().set_cookie("c", deleted.append) as request:
        client.allocates(request)
    service.tell.onNotifyPreempted(1)
    assert client.news() == ["alloc ECANCELED c", "preempt without buffer ok c"]
    assert deleted == ["c"]
    gives(stage, service, 1)
    assert client.news() == []


def test_preempted_while_it_is_loaded(stage: Stage, service: Scripted, file: int) -> None:
    client = stage.runtime
    client.allocates(client.request())
    gives(stage, service, 1)
    client.news()
    assert client.loads(client.buffers[0], Segment(file, 0, 1)) == []
    service.tell.onNotifyPreempted(1)
    assert client.news() == ["load ECANCELED", "preempt ok"]
    service.tell.onLoad(1, 0, None)
    service.tell.onNotifyPreempted(1)
    assert client.news() == []
    with refused(ENOENT), client.buffers[0].map():
        pass
    client.buffers[0].free()
    assert service.put == [1]


def test_a_load_that_cannot_be_asked_for(stage: Stage, service: Scripted, file: int) -> None:
    client = stage.runtime
    client.allocates(client.request())
    gives(stage, service, 1)
    client.news()
    service.failure = ServiceSpecificException(ENOMEM)
    assert client.loads(client.buffers[0], Segment(file, 0, 1)) == ["load ENOMEM"]
    service.failure = None
    client.buffers[0].free()


def test_free_forgets_even_if_the_service_objects(stage: Stage, service: Scripted) -> None:
    client = stage.runtime
    deleted: list[Any] = []
    with client.request().set_cookie("c", deleted.append) as request:
        client.allocates(request)
    gives(stage, service, 1)
    client.news()
    service.failure = ServiceSpecificException(EINVAL)
    with refused(EINVAL):
        client.buffers[0].free()
    assert deleted == ["c"]
    with refused(EBADF):
        client.buffers[0].free()


def test_the_service_dies(stage: Stage, service: Scripted, file: int) -> None:
    client = stage.runtime
    client.allocates(client.request(), client.request())
    gives(stage, service, 1)
    client.news()
    client.buffers[0].load_async(Segment(file, 0, 1), client.on_load)
    stage.server.kill()
    assert client.news() == ["load EPIPE", "alloc EPIPE"]
    with client.buffers[0].map() as memory:
        assert not any(memory[:]), "the memory is still there"
    with refused(EPIPE):
        client.buffers[0].free()


def test_news_of_nobody(stage: Stage, service: Scripted) -> None:
    client = stage.runtime
    client.allocates(client.request())
    gives(stage, service, 77)
    service.tell.onLoad(77, 0, None)
    service.tell.onNotifyPreempted(77)
    assert client.news() == []
    service.tell.onGetBuffer(1, None, ECANCELED, "later")
    assert client.news() == ["alloc ECANCELED"]
