"""INpuAllocator on a reference device."""

from __future__ import annotations

import os
from collections.abc import Iterator
from errno import EINVAL, ENOENT
from mmap import PAGESIZE, PROT_READ, PROT_WRITE
from typing import Any

import pytest

from binder import (
    IllegalArgumentException,
    IllegalStateException,
    ServiceSpecificException,
    UnsupportedOperationException,
)
from binder.local import DeterministicScheduler, Driver, ThreadScheduler
from generated.android.npumanager import BufferType
from reference_impl.buffers.wrapfd import PROT_RW, WrapState
from reference_impl.constants import Importance
from reference_impl.device import ReferenceDevice

from .clients import CAPACITY, Client, Heard, Place, segment
from .kit import is_back_at, open_descriptors, refused


@pytest.fixture
def place() -> Iterator[Place]:
    before = open_descriptors()
    place = Place()
    yield place
    place.close()
    place.provision.heaps.shortage("npu", 0)
    assert place.used() == 0, "memory was left in use"
    del place
    assert is_back_at(before), "descriptors were left open"


@pytest.fixture
def album(place: Place) -> Client:
    return place.client("album")


def test_without_a_driver_there_is_no_allocator() -> None:
    driver = Driver(DeterministicScheduler(1))
    device = ReferenceDevice(driver)
    with pytest.raises(UnsupportedOperationException, match="/dev/wrapfd"):
        device.npu_service(device.start_process(10123)).createAllocator(Heard())
    driver.close()


def test_without_a_valid_configuration_there_is_none_either(place: Place) -> None:
    place.provision.config_error = "heaps.toml:3: error: something"
    with pytest.raises(IllegalStateException, match=r"heaps\.toml:3"):
        place.client("album")


def test_without_a_configuration_nothing_is_supported() -> None:
    place = Place(config=None)
    album = place.client("album")
    assert album.allocator.isSupported([album.request(1)]) == [False]
    assert album.gets(album.request(1)) == ["got 1 ENOSYS"]
    place.close()


def test_is_supported(album: Client, file: int) -> None:
    requests = [
        album.request(1),
        album.request(1, bufferType=BufferType.AUXILIARY),
        album.request(1, deviceNumber=-1),
        album.request(1, deviceNumber=1, fileSegmentToLoad=segment(file)),
        album.request(1, bufferType=BufferType.UNKNOWN),
    ]
    assert album.allocator.isSupported(requests) == [True, False, False, True, False]
    with pytest.raises(IllegalArgumentException, match="Unknown buffer type: 5"):
        album.allocator.isSupported([album.request(1), album.request(2, bufferType=BufferType(5))])


def test_a_buffer_of_zeros(place: Place, album: Client) -> None:
    assert album.gets(album.request(7, pages=2)) == ["got 7"]
    fd = album.heard.fds[7].fileno()
    assert album.wrapfd.state(fd) is WrapState.RDONLY
    info = album.wrapfd.fdinfo(fd)
    assert info["name"] == f"npubuf-{album.process.pid}-7"
    assert (info["owner"], info["maps"], info["exp_name"]) == ("<none>", "0", "npu")
    assert album.reads(7) == bytes(2)
    assert place.used() == 2
    assert album.puts(7) == []
    assert place.used() == 2, "its client still has it open"
    album.closes(7)
    assert place.used() == 0 or place.provision.heaps.shortage("npu", 0) == 0
    assert place.used() == 0


@pytest.mark.parametrize("prot", [PROT_READ, PROT_RW], ids=["read-only", "writable"])
def test_a_buffer_with_a_file_in_it(album: Client, file: int, prot: int) -> None:
    wanted = album.request(1, protectionFlags=prot, fileSegmentToLoad=segment(file, PAGESIZE))
    assert album.gets(wanted) == ["got 1"]
    assert album.reads(1) == b"BB"
    fd = album.heard.fds[1].fileno()
    assert album.wrapfd.state(fd) is (WrapState.RDWR if prot & PROT_WRITE else WrapState.RDONLY)
    assert album.wrapfd.fdinfo(fd)["owner"] == "<none>"


def test_a_batch_is_answered_one_by_one(album: Client) -> None:
    news = album.gets(album.request(1), album.request(2, deviceNumber=9), album.request(3))
    assert sorted(news) == ["got 1", "got 2 ENOSYS", "got 3"]


BAD_REQUESTS = [
    ({"deviceNumber": 9}, "ENOSYS"),
    ({"bufferType": BufferType(7)}, "ENOSYS"),
    ({"size": 0}, "EINVAL"),
    ({"size": -5}, "EINVAL"),
    ({"protectionFlags": 8}, "EINVAL"),
    ({"bufferPriority": 1001}, "EINVAL"),
    ({"bufferPriority": -1}, "EINVAL"),
    ({"size": CAPACITY * PAGESIZE + 1}, "ENOMEM"),
    ({"deviceNumber": 1, "size": 2 * PAGESIZE}, "ENOMEM"),
]


@pytest.mark.parametrize(("changes", "error"), BAD_REQUESTS)
def test_a_failure_leaves_nothing(place: Place, album: Client, changes: dict[str, Any], error: str) -> None:
    assert album.gets(album.request(1, **changes)) == [f"got 1 {error}"]
    assert album.heard.messages[-1]
    assert place.used() == 0
    assert album.gets(album.request(1)) == ["got 1"], "its id is free again"


BAD_SEGMENTS = [
    ((0, 5 * PAGESIZE, 0), "EINVAL"),
    ((0, PAGESIZE, PAGESIZE), "EINVAL"),
    ((-1, PAGESIZE, 0), "EINVAL"),
    ((0, -1, 0), "EINVAL"),
    ((0, PAGESIZE, -1), "EINVAL"),
    ((512, PAGESIZE, 0), "EINVAL"),
]


@pytest.mark.parametrize(("numbers", "error"), BAD_SEGMENTS)
@pytest.mark.parametrize("prot", [PROT_READ, PROT_RW])
def test_a_failed_first_load_leaves_nothing(
    place: Place, album: Client, file: int, numbers: tuple[int, int, int], error: str, prot: int
) -> None:
    wanted = album.request(1, fileSegmentToLoad=segment(file, *numbers), protectionFlags=prot)
    assert album.gets(wanted) == [f"got 1 {error}"]
    assert place.used() == 0


def test_a_second_buffer_of_one_id_is_refused(album: Client, file: int) -> None:
    again = album.request(1, fileSegmentToLoad=segment(file))
    assert sorted(album.gets(album.request(1), again)) == ["got 1", "got 1 EINVAL"]
    assert album.gets(album.request(1)) == ["got 1 EINVAL"]
    assert album.reads(1) == bytes(2), "the first one is untouched"


def test_ids_are_the_clients_own(place: Place, album: Client) -> None:
    other = place.client("other")
    assert (album.gets(album.request(1)), other.gets(other.request(1))) == (["got 1"], ["got 1"])
    other.puts(1)
    assert album.reads(1) == bytes(2)


# --- loading ---


def test_load_unload_load_again(place: Place, album: Client, file: int) -> None:
    for _ in range(3):
        assert album.gets(album.request(1, protectionFlags=PROT_RW)) == ["got 1"]
        assert album.loads(1, file, file_offset=2 * PAGESIZE) == ["loaded 1"]
        assert album.reads(1) == b"CC"
        assert album.puts(1) == []
        album.closes(1)
    place.provision.heaps.shortage("npu", 0)
    assert place.used() == 0


def test_bad_loads(album: Client, file: int) -> None:
    album.gets(album.request(1, protectionFlags=PROT_RW), album.request(2))
    assert album.loads(5, file) == ["loaded 5 EINVAL"]
    assert album.loads(1, file, length=-1) == ["loaded 1 EINVAL"]
    assert album.loads(1, file, offset=PAGESIZE) == ["loaded 1 EINVAL"]
    assert album.loads(2, file) == ["loaded 2 EACCES"]
    pipe, end = os.pipe()
    assert album.loads(1, pipe) == ["loaded 1 EINVAL"]
    assert album.loads(1, end) == ["loaded 1 EBADF"]
    os.close(pipe)
    os.close(end)
    assert album.loads(1, file) == ["loaded 1"], "nothing is left of what failed"
    assert album.wrapfd.fdinfo(album.heard.fds[1].fileno())["owner"] == "<none>"


def test_one_load_at_a_time(album: Client, file: int) -> None:
    album.gets(album.request(1, protectionFlags=PROT_RW))
    album.allocator.loadFileSegmentToBuffer(1, segment(file))
    album.allocator.loadFileSegmentToBuffer(1, segment(file))
    album.place.settle()
    assert sorted(album.news()) == ["loaded 1", "loaded 1 EINVAL"]


def test_a_buffer_that_is_not_there_yet_cannot_be_loaded(album: Client, file: int) -> None:
    album.allocator.getBuffers([album.request(1)])
    album.allocator.loadFileSegmentToBuffer(1, segment(file))
    album.place.settle()
    assert sorted(album.news()) == ["got 1", "loaded 1 EINVAL"]


def test_mapped_by_its_client_it_cannot_be_loaded(album: Client, file: int) -> None:
    album.gets(album.request(1, protectionFlags=PROT_RW))
    mapping = album.wrapfd.map(album.heard.fds[1].fileno(), PAGESIZE)
    assert album.loads(1, file) == ["loaded 1 EINVAL"]
    mapping.close()
    assert album.loads(1, file) == ["loaded 1"]


# --- giving back ---


def test_known_ids_are_freed_before_unknown_ones_are_named(album: Client) -> None:
    album.gets(album.request(1), album.request(2))
    with pytest.raises(ServiceSpecificException, match="8, 9") as caught:
        album.allocator.putBuffers([1, 8, 2, 9])
    assert caught.value.error == EINVAL
    assert sorted(album.gets(album.request(1), album.request(2))) == ["got 1", "got 2"]


def test_given_back_before_it_was_there(place: Place, album: Client) -> None:
    album.allocator.getBuffers([album.request(1)])
    album.allocator.putBuffers([1])
    place.settle()
    assert album.news() == ["got 1 ECANCELED"]
    assert place.used() == 0


def test_given_back_while_it_is_loaded(place: Place, album: Client, file: int) -> None:
    album.gets(album.request(1, protectionFlags=PROT_RW))
    album.allocator.loadFileSegmentToBuffer(1, segment(file))
    album.allocator.putBuffers([1])
    place.settle()
    assert album.news() == ["loaded 1 ECANCELED"]


def test_death_frees_everything(place: Place, album: Client) -> None:
    album.gets(album.request(1), album.request(2))
    album.wrapfd.acquire(album.heard.fds[1].fileno())
    album.allocator.getBuffers([album.request(3)])
    album.dies()
    place.provision.heaps.shortage("npu", 0)
    assert place.used() == 0


# --- priorities and pressure ---


def test_set_priority(album: Client) -> None:
    album.gets(album.request(1))
    for number in (0, 1000):
        album.allocator.setPriority(1, number)
    for number in (-1, 1001):
        with pytest.raises(ServiceSpecificException, match=str(number)):
            album.allocator.setPriority(1, number)
    with pytest.raises(ServiceSpecificException, match="Unknown appReqId: 2") as caught:
        album.allocator.setPriority(2, 500)
    assert caught.value.error == EINVAL


@pytest.fixture
def front(place: Place) -> Client:
    return place.client("front", Importance.FOREGROUND)


def test_the_more_important_client_takes_the_memory(
    place: Place, album: Client, front: Client, file: int
) -> None:
    album.gets(album.request(1, CAPACITY, fileSegmentToLoad=segment(file)))
    assert front.gets(front.request(1, CAPACITY)) == ["got 1"]
    assert album.news() == ["preempted 1"]
    fd = album.heard.fds[1].fileno()
    assert album.wrapfd.state(fd) is WrapState.EMPTY
    assert album.wrapfd.fdinfo(fd)["owner"] == "<none>"
    with refused(ENOENT):
        album.wrapfd.map(fd, PAGESIZE)
    assert os.pread(fd, 2, 0) == bytes(2), "nothing old can be read"
    assert place.used() == CAPACITY
    assert album.loads(1, file) == ["loaded 1 ENOENT"]
    assert album.puts(1) == [], "it must be given back all the same"


def test_the_less_important_client_takes_nothing(album: Client, front: Client) -> None:
    front.gets(front.request(1, CAPACITY))
    assert album.gets(album.request(1)) == ["got 1 ENOMEM"]
    assert front.news() == []


def test_no_more_is_taken_than_is_needed(album: Client, front: Client) -> None:
    half = CAPACITY // 2
    album.gets(album.request(1, half - 1), album.request(2, half))
    assert front.gets(front.request(1)) == ["got 1"]
    assert front.gets(front.request(2)) == ["got 2"]
    assert album.news() == ["preempted 1"]


def test_the_least_important_buffer_goes_first(album: Client, front: Client) -> None:
    half = CAPACITY // 2
    album.gets(album.request(1, half), album.request(2, half))
    album.allocator.setPriority(2, 501)
    front.gets(front.request(1))
    assert album.news() == ["preempted 2"]


def test_what_is_in_use_is_not_taken_and_then_nothing_is(album: Client, front: Client) -> None:
    half = CAPACITY // 2
    album.gets(album.request(1, half), album.request(2, half))
    mapping = album.wrapfd.map(album.heard.fds[1].fileno(), PAGESIZE)
    assert front.gets(front.request(1, CAPACITY)) == ["got 1 ENOMEM"]
    assert album.news() == []
    assert album.wrapfd.fdinfo(album.heard.fds[2].fileno())["owner"] == "<none>"
    mapping.close()
    album.wrapfd.acquire(album.heard.fds[2].fileno())
    assert front.gets(front.request(1, half)) == ["got 1"]
    assert album.news() == ["preempted 1"]


def test_a_load_is_not_disturbed(album: Client, front: Client, file: int) -> None:
    album.gets(album.request(1, CAPACITY, protectionFlags=PROT_RW))
    album.allocator.loadFileSegmentToBuffer(1, segment(file))
    front.allocator.getBuffers([front.request(1)])
    album.place.settle()
    assert album.news() in (["loaded 1"], ["loaded 1", "preempted 1"])


def test_nobody_is_preempted_for_another_heap(album: Client, front: Client) -> None:
    album.gets(album.request(1, CAPACITY))
    assert front.gets(front.request(1, deviceNumber=1)) == ["got 1"]
    assert album.news() == []


def test_on_threads(file: int) -> None:
    before = open_descriptors()
    _three_clients_on_threads(file)
    assert is_back_at(before)


def _three_clients_on_threads(file: int) -> None:
    place = Place(ThreadScheduler())
    clients = [place.client(f"app{number}") for number in range(3)]
    for client in clients:
        wanted = [client.request(n, fileSegmentToLoad=segment(file)) for n in range(4)]
        client.allocator.getBuffers([*wanted, client.request(9, deviceNumber=5)])
        for request in wanted:
            assert request.fileSegmentToLoad is not None
            request.fileSegmentToLoad.fileFd.close()
    assert place.driver.scheduler.wait_until(lambda: all(len(c.heard.news) == 5 for c in clients), 20)
    for client in clients:
        assert sorted(client.news()) == ["got 0", "got 1", "got 2", "got 3", "got 9 ENOSYS"]
        assert client.reads(3) == b"AA"
    place.close()
