"""INpuAllocator: buffers for clients, loaded, given back, and taken away when memory is short."""

from __future__ import annotations

from collections.abc import Callable
from errno import EACCES, EBADF, EINVAL, ENOENT, ENOMEM, ENOSYS
from mmap import PAGESIZE, PROT_READ
from typing import Any

import pytest

from binder import IllegalArgumentException, ServiceSpecificException
from generated.android.npumanager import BufferType
from harness.buffers import Held
from harness.memory import Mapping
from harness.news import EMPTY, PROT_RW, RDONLY, RDWR, pages, refused
from harness.vocabulary import Npu, check, covers, needs

P = PAGESIZE

BAD_LOADS: list[tuple[str, dict[str, int], int]] = [
    ("negative offset", {"file_offset": -1}, EINVAL),
    ("negative length", {"length": -1}, EINVAL),
    ("negative place", {"offset": -1}, EINVAL),
    ("past the end of the file", {"file_offset": 3 * P}, EINVAL),
    ("past the end of the buffer", {"offset": P}, EINVAL),
    ("unaligned", {"file_offset": 8, "length": 8}, EINVAL),
]

SEGMENTS = [
    (-1, P, 0),
    (0, -1, 0),
    (0, P, -1),
    (0, 4 * P, 0),
    (4 * P, 1, 0),
    (0, P, P),
    (100, P, 0),
    (0, P, 100),
]

REFUSALS: list[tuple[str, dict[str, Any], int]] = [
    ("no heap for the device", {"device": 9}, ENOSYS),
    ("no device", {"device": -1}, ENOSYS),
    ("no heap for the type", {"kind": BufferType.AUXILIARY}, ENOSYS),
    ("unknown type", {"kind": 7}, ENOSYS),
    ("no size", {"pages": 0}, EINVAL),
    ("negative size", {"pages": -1}, EINVAL),
    ("other protection bits", {"prot": 8}, EINVAL),
    ("priority too high", {"priority": 1001}, EINVAL),
    ("priority too low", {"priority": -1}, EINVAL),
    ("larger than the heap", {"device": 1, "pages": 2}, ENOMEM),
]


def _nothing(held: list[Held]) -> Mapping | None:
    return None


def _less_wanted(held: list[Held]) -> Mapping | None:
    held[2].set_priority(501)
    return None


def _more_wanted(held: list[Held]) -> Mapping | None:
    held[0].set_priority(499)
    return None


def _mapped(held: list[Held]) -> Mapping | None:
    return held[0].wrap.map()


def _owned(held: list[Held]) -> Mapping | None:
    held[0].wrap.acquire()
    return None


ORDERS: list[tuple[str, Callable[[list[Held]], Mapping | None], int]] = [
    ("the oldest", _nothing, 0),
    ("the one with the highest priority number", _less_wanted, 2),
    ("not the one with the lowest", _more_wanted, 1),
    ("not the one that is mapped", _mapped, 1),
    ("not the one that its client owns", _owned, 1),
]


@covers("getBuffers: a buffer of the size and with the protection that were asked for, full of zeros")
@needs("service", "callbacks", "buffers", "wrapfd")
@pytest.mark.parametrize(("prot", "state"), [(PROT_READ, RDONLY), (PROT_RW, RDWR), (0, RDONLY)])
def test_a_new_buffer(npu: Npu, prot: int, state: int) -> None:
    held = npu.app("album").buffers.hold(pages=2.5, prot=prot)
    wrap = held.wrap.expect_state(state)
    check(wrap.size() == 3 * P, "its size is rounded up to pages")
    check(wrap.info("owner") == "<none>", "nobody owns it")
    if prot:
        check(wrap.reads() == bytes(2), "it is full of zeros")


@covers("getBuffers: a buffer is named after its client and the client's id of it")
@needs("service", "callbacks", "buffers", "wrapfd")
def test_name(npu: Npu) -> None:
    name = npu.app("album").buffers.hold(id=7).wrap.info("name").split("-")
    check(name[0] == "npubuf" and name[1].isdecimal() and name[2] == "7", f"named {name}")


@covers("getBuffers: a file segment is loaded before the buffer is handed out, read-only ones included")
@needs("service", "callbacks", "buffers", "wrapfd")
@pytest.mark.parametrize("prot", [PROT_READ, PROT_RW], ids=["read-only", "writable"])
def test_loaded_from_the_start(npu: Npu, prot: int) -> None:
    album = npu.app("album")
    file = album.memory.file(pages("ABC"))
    wrap = album.buffers.hold(pages=2, prot=prot, segment=(file, P, 2 * P, 0)).wrap
    check((wrap.reads(), wrap.reads(offset=P)) == (b"BB", b"CC"), "the segment is in it")
    check(wrap.info("owner") == "<none>", "ownership is given up after the load")


@covers("getBuffers: whatever fails leaves nothing allocated and the id free again")
@needs("service", "callbacks", "buffers", "small-heap")
@pytest.mark.parametrize(("wish", "code"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_refused(npu: Npu, wish: dict[str, Any], code: int) -> None:
    buffers = npu.app("album").buffers
    buffers.ask(id=1, **wish).expect_buffer(code)
    buffers.ask_all(buffers.request(id=2, pages=npu.session.heap_pages()))[0].expect_buffer()
    with npu.refuses(ServiceSpecificException, "1"):
        buffers.put(1)


@covers("getBuffers: bad offsets and lengths of a file segment")
@needs("service", "callbacks", "buffers")
@pytest.mark.parametrize(("file_offset", "length", "offset"), SEGMENTS)
@pytest.mark.parametrize("prot", [PROT_READ, PROT_RW], ids=["read-only", "writable"])
def test_bad_segment(npu: Npu, file_offset: int, length: int, offset: int, prot: int) -> None:
    album = npu.app("album")
    file = album.memory.file(pages("ABC"))
    album.buffers.ask(prot=prot, segment=(file, file_offset, length, offset)).expect_buffer(EINVAL)


@covers("getBuffers: a second request with an id in use is EINVAL, and the first is untouched")
@needs("service", "callbacks", "buffers", "wrapfd")
def test_id_in_use(npu: Npu) -> None:
    buffers = npu.app("album").buffers
    first = buffers.hold(id=5)
    buffers.ask(id=5).expect_buffer(EINVAL)
    check(first.wrap.reads() == bytes(2), "the first one is as it was")
    first.put()
    buffers.hold(id=5)


@covers("getBuffers: each request of a batch is answered by itself, once")
@needs("service", "callbacks", "buffers")
def test_batch(npu: Npu) -> None:
    buffers = npu.app("album").buffers
    wanted = [buffers.request(), buffers.request(device=9), buffers.request(pages=2)]
    first, second, third = buffers.ask_all(*wanted)
    first.expect_buffer()
    second.expect_buffer(ENOSYS)
    third.expect_buffer().expect_nothing()


@covers("getBuffers: ids are each client's own")
@needs("service", "callbacks", "buffers", "many-uids", "wrapfd")
def test_same_id_of_two_clients(npu: Npu) -> None:
    album, camera = npu.app("album").buffers.hold(id=1), npu.app("camera").buffers.hold(id=1)
    camera.put()
    check(album.wrap.reads() == bytes(2), "the other's is as it was")


@covers("isSupported: true where a heap matches device number and type")
@needs("service", "callbacks", "buffers")
def test_is_supported(npu: Npu) -> None:
    buffers = npu.app("album").buffers
    wishes: list[dict[str, Any]] = [
        {},
        {"device": 9},
        {"kind": BufferType.AUXILIARY},
        {"device": -1},
        {"kind": 0},
    ]
    answers = buffers.are_supported(*(buffers.request(**wish) for wish in wishes))
    check(answers == [True, False, False, False, False], f"answered {answers}")
    check(buffers.are_supported() == [], "nothing asked, nothing answered")


@covers("isSupported: a type outside the enum is an illegal argument for the whole call")
@needs("service", "callbacks", "buffers")
@pytest.mark.parametrize("kind", [5, -1, 127])
def test_unknown_type(npu: Npu, kind: int) -> None:
    buffers = npu.app("album").buffers
    with npu.refuses(IllegalArgumentException):
        buffers.are_supported(buffers.request(), buffers.request(kind=kind))


# --- loads ----------------------------------------------------------------------------------------


@covers("loadFileSegmentToBuffer: load, give back, load again")
@needs("service", "callbacks", "buffers", "wrapfd")
def test_load_unload_load_again(npu: Npu) -> None:
    album = npu.app("album")
    file = album.memory.file(pages("ABC"))
    for number, letter in enumerate("ABC"):
        held = album.buffers.hold(id=1).load(file, file_offset=number * P).expect_load()
        check(held.wrap.reads() == letter.encode() * 2, f"page {letter} is in it")
        held.close().put()


@covers("loadFileSegmentToBuffer: what the driver refuses is answered, and nothing stays locked")
@needs("service", "callbacks", "buffers", "wrapfd")
@pytest.mark.parametrize(
    ("numbers", "code"), [row[1:] for row in BAD_LOADS], ids=[row[0] for row in BAD_LOADS]
)
def test_bad_load(npu: Npu, numbers: dict[str, int], code: int) -> None:
    album = npu.app("album")
    file = album.memory.file(pages("ABC"))
    held = album.buffers.hold().load(file, **numbers).expect_load(code)
    check(held.wrap.info("owner") == "<none>", "nobody owns it afterwards")
    held.load(file).expect_load()


@covers("loadFileSegmentToBuffer: a read-only buffer, a pipe, a descriptor that cannot be read")
@needs("service", "callbacks", "buffers")
def test_what_cannot_be_loaded(npu: Npu) -> None:
    album = npu.app("album")
    file = album.memory.file(pages("A"))
    album.buffers.hold(prot=PROT_READ).load(file).expect_load(EACCES)
    album.buffers.hold().load(album.memory.special("pipe")).expect_load(EINVAL)
    album.buffers.hold().load(album.memory.special("write-only")).expect_load(EBADF)


@covers("loadFileSegmentToBuffer: an unknown id, and one that is being loaded already, are EINVAL")
@needs("service", "callbacks", "buffers")
def test_one_load_at_a_time(npu: Npu) -> None:
    album = npu.app("album")
    file = album.memory.file(pages("A"))
    held = album.buffers.hold()
    held.load(file).load(file)
    heard = {held.news.expect_one_of("onLoad(OK)", "onLoad(EINVAL)") for _ in range(2)}
    check("onLoad(OK)" in heard, "one of them is done; both are if the first was quick")
    held.put().load(file).expect_load(EINVAL)


@covers("loadFileSegmentToBuffer: a buffer that its client has mapped")
@needs("service", "callbacks", "buffers", "wrapfd")
def test_load_while_mapped(npu: Npu) -> None:
    album = npu.app("album")
    file = album.memory.file(pages("A"))
    held = album.buffers.hold()
    mapping = held.wrap.map()
    held.load(file).expect_load(EINVAL)
    mapping.close()
    held.load(file).expect_load()


# --- giving back ----------------------------------------------------------------------------------


@covers("putBuffers: known ids are freed, then unknown ones are named")
@needs("service", "callbacks", "buffers")
def test_put_some_unknown(npu: Npu) -> None:
    buffers = npu.app("album").buffers
    first, second = buffers.hold(), buffers.hold()
    with npu.refuses(ServiceSpecificException, "98, 99"):
        buffers.put(98, first.id, second.id, 99)
    with npu.refuses(ServiceSpecificException, str(first.id)):
        buffers.put(first.id)


@covers("putBuffers: the memory is free once its client has closed it, too")
@needs("service", "callbacks", "buffers", "small-heap")
def test_memory_is_free_again(npu: Npu) -> None:
    buffers = npu.app("album").buffers
    everything = npu.session.heap_pages()
    held = buffers.hold(pages=everything).put()
    buffers.ask().expect_buffer(ENOMEM)
    held.close()
    buffers.hold(pages=everything)


@covers("putBuffers: of a buffer that is not there yet, and of one that is being loaded")
@needs("service", "callbacks", "buffers")
def test_put_too_early(npu: Npu) -> None:
    album = npu.app("album")
    early = album.buffers.ask().put()
    early.news.expect_one_of("onGetBuffer(ECANCELED)", "onGetBuffer(OK)")
    held = album.buffers.hold().load(album.memory.file(pages("A"))).put()
    held.news.expect_one_of("onLoad(ECANCELED)", "onLoad(OK)")
    early.expect_nothing()
    held.expect_nothing()


@covers("allocator: the client's death frees all its buffers")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap")
def test_death(npu: Npu) -> None:
    album = npu.app("album")
    half = npu.session.heap_pages() // 2
    album.buffers.hold(pages=half)
    album.buffers.hold(pages=half).wrap.acquire()
    album.dies()
    npu.app("camera").buffers.hold(pages=2 * half)


# --- priorities and pressure ----------------------------------------------------------------------


@covers("setPriority: from 0 to 1000, of known ids")
@needs("service", "callbacks", "buffers")
def test_set_priority(npu: Npu) -> None:
    held = npu.app("album").buffers.hold()
    held.set_priority(0).set_priority(1000)
    for priority in (-1, 1001):
        with npu.refuses(ServiceSpecificException, str(priority)):
            held.set_priority(priority)
    held.put()
    with npu.refuses(ServiceSpecificException, str(held.id)):
        held.set_priority(1)


@covers("preemption: a more important client takes the memory; what was taken cannot be mapped or read")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap", "wrapfd")
def test_pressure(npu: Npu) -> None:
    album, assistant = npu.app("album").in_background(), npu.app("assistant").in_foreground()
    file = album.memory.file(pages("A"))
    everything = npu.session.heap_pages()
    held = album.buffers.hold(pages=everything, prot=PROT_READ, segment=(file, 0, P, 0))
    assistant.buffers.hold(pages=everything)
    held.expect_preempted()
    with refused(ENOENT, "mapping it"):
        held.wrap.map()
    held.wrap.expect_state(EMPTY)
    check(held.wrap.peek() in (b"", bytes(2)), "its descriptor yields no old data")
    held.load(file).expect_load(ENOENT)
    held.put().expect_nothing()


@covers("preemption: never from a more important client, and then nothing is preempted")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap")
def test_no_pressure_from_below(npu: Npu) -> None:
    album, assistant = npu.app("album").in_background(), npu.app("assistant").in_foreground()
    held = assistant.buffers.hold(pages=npu.session.heap_pages())
    album.buffers.ask().expect_buffer(ENOMEM)
    held.expect_nothing()


@covers("preemption: of one client, the least wanted first, then the oldest, and none that is in use")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap", "wrapfd")
@pytest.mark.parametrize(("prepare", "victim"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS])
def test_order(npu: Npu, prepare: Callable[[list[Held]], Mapping | None], victim: int) -> None:
    album, assistant = npu.app("album").in_background(), npu.app("assistant").in_foreground()
    third = npu.session.heap_pages() // 3
    held = [album.buffers.hold(pages=third) for _ in range(3)]
    kept = prepare(held)
    assistant.buffers.hold(pages=third)
    held[victim].expect_preempted()
    for other in held:
        other.expect_nothing()
    if kept is not None:
        kept.close()


@covers("preemption: the least important client first")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap", "graded-importance")
def test_least_important_client_first(npu: Npu) -> None:
    visible, cached = npu.app("visible").at("visible"), npu.app("cached").at("background")
    assistant = npu.app("assistant").in_foreground()
    third = npu.session.heap_pages() // 3
    kept, lost = visible.buffers.hold(pages=third), cached.buffers.hold(pages=third, priority=0)
    visible.buffers.hold(pages=third)
    assistant.buffers.hold(pages=third)
    lost.expect_preempted()
    kept.expect_nothing()


@covers("preemption: if all that may be taken is not enough, ENOMEM and nothing is preempted")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap", "wrapfd")
def test_not_enough(npu: Npu) -> None:
    album, assistant = npu.app("album").in_background(), npu.app("assistant").in_foreground()
    half = npu.session.heap_pages() // 2
    mapped, idle = album.buffers.hold(pages=half), album.buffers.hold(pages=half)
    mapping = mapped.wrap.map()
    assistant.buffers.ask(pages=2 * half).expect_buffer(ENOMEM)
    mapped.expect_nothing()
    idle.expect_nothing()
    check(idle.wrap.info("owner") == "<none>", "nothing stays locked")
    mapping.close()


@covers("preemption: a buffer that is being loaded is not taken away")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap")
def test_load_comes_first(npu: Npu) -> None:
    album, assistant = npu.app("album").in_background(), npu.app("assistant").in_foreground()
    held = album.buffers.hold(pages=npu.session.heap_pages())
    held.load(album.memory.file(pages("A")))
    asked = assistant.buffers.ask()
    held.expect_load()
    npu.session.settle()
    if held.news.unread() is None:
        asked.expect_buffer(ENOMEM)
    else:
        held.expect_preempted()
        asked.expect_buffer()


@covers("dump: driver, heaps and buffers")
@needs("service", "callbacks", "buffers", "shell", "metrics")
def test_dump(npu: Npu) -> None:
    album = npu.app("album")
    album.buffers.hold(id=7, pages=3, priority=250)
    dump = npu.dump()
    buffer = f"buffer 7: {3 * P} bytes of npu, priority 250, allocated"
    for line in ("Buffers:", "Driver: ", f"Heap npu: {3 * P} of", buffer):
        check(line in dump, f"the dump should say {line!r}")
    check(str(album.uid) in dump, "it says whose it is")
