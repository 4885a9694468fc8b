"""The NDK's buffers: ANpuManager_allocAsync and ANpuBuffer on top of the allocator."""

from __future__ import annotations

from errno import EACCES, EBADF, EBUSY, ENOENT
from mmap import PAGESIZE, PROT_READ
from typing import Any

import pytest

from generated.android.npumanager import BufferType
from harness.news import PROT_RW, pages, refused
from harness.vocabulary import Npu, check, covers, needs

P = PAGESIZE


@covers("NDK: allocate, write, read, free")
@needs("service", "callbacks", "buffers")
def test_write_and_read(npu: Npu) -> None:
    buffer = npu.app("runtime").runtime.hold(pages=2)
    buffer.writes(b"hello")
    check(buffer.reads(5) == b"hello", "what was written is there")
    buffer.free().expect_nothing()


@covers("NDK: weights are loaded before onAlloc, and mapped read-only by default")
@needs("service", "callbacks", "buffers")
def test_weights(npu: Npu) -> None:
    app = npu.app("runtime")
    file = app.memory.file(pages("AB"))
    buffer = app.runtime.hold(prot=PROT_READ, segment=(file, P, P, 0))
    with buffer.buffer.map() as view:
        check(bytes(view[:2]) == b"BB" and view.readonly, "the weights are there, read-only")
    with refused(EACCES, "mapping it writable"), buffer.buffer.map(PROT_RW):
        pass
    buffer.free()


@covers("NDK: every request of a batch hears its own result")
@needs("service", "callbacks", "buffers")
def test_batch(npu: Npu) -> None:
    runtime = npu.app("runtime").runtime
    wishes: list[dict[str, Any]] = [{}, {"device": 9}, {"kind": BufferType.AUXILIARY}, {"pages": 2}]
    first, second, third, fourth = runtime.ask_all(*wishes)
    first.expect("onAlloc(OK)")
    second.expect("onAlloc(ENOSYS)")
    third.expect("onAlloc(ENOSYS)")
    fourth.expect("onAlloc(OK)").free()


@covers("NDK: isSupported")
@needs("service", "callbacks", "buffers")
def test_is_supported(npu: Npu) -> None:
    app = npu.app("runtime")
    file = app.memory.file(pages("A"))
    wishes: list[dict[str, Any]] = [
        {"segment": (file, 0, P, 0)},
        {"device": 9},
        {"kind": BufferType.AUXILIARY},
    ]
    check(app.runtime.are_supported(*wishes) == [True, False, False], "only the first is")


@covers("NDK: more than there is")
@needs("service", "callbacks", "buffers", "small-heap")
def test_too_large(npu: Npu) -> None:
    runtime = npu.app("runtime").runtime
    runtime.ask(pages=npu.session.heap_pages() + 1).expect("onAlloc(ENOMEM)")


@covers("NDK: while a buffer loads it cannot be mapped, nor loaded again")
@needs("service", "callbacks", "buffers", "virtual-time")
def test_while_it_loads(npu: Npu) -> None:
    app = npu.app("runtime")
    file = app.memory.file(pages("AB"))
    buffer = app.runtime.hold().load(file)
    with refused(EBUSY, "mapping it"), buffer.buffer.map():
        pass
    buffer.load(file).expect("onLoad(EINVAL)", "onLoad(OK)")
    buffer.free()


@covers("NDK: Allocated to Loading and back, as often as one likes")
@needs("service", "callbacks", "buffers")
def test_load(npu: Npu) -> None:
    app = npu.app("runtime")
    file = app.memory.file(pages("AB"))
    buffer = app.runtime.hold().load(file).expect("onLoad(OK)")
    check(buffer.reads() == b"AA", "the first segment is in it")
    buffer.load(file, file_offset=P).expect("onLoad(OK)")
    check(buffer.reads() == b"BB", "the second segment is in it")
    buffer.load(file, file_offset=2 * P).expect("onLoad(EINVAL)")
    buffer.free()


@covers("NDK: load, free, and again, as often as one likes")
@needs("service", "callbacks", "buffers", "small-heap")
def test_load_unload_load_again(npu: Npu) -> None:
    app = npu.app("runtime")
    file = app.memory.file(pages("A"))
    for _ in range(5):
        buffer = app.runtime.hold(pages=npu.session.heap_pages())
        buffer.load(file).expect("onLoad(OK)")
        check(buffer.reads() == b"AA", "it is loaded")
        buffer.free()


@covers("NDK: preempted, a buffer is Gone: onPreempt, mapping fails with ENOENT, free is still due")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap")
def test_preempted(npu: Npu) -> None:
    app, assistant = npu.app("runtime").in_background(), npu.app("assistant").in_foreground()
    file = app.memory.file(pages("A"))
    buffer = app.runtime.hold(pages=npu.session.heap_pages(), segment=(file, 0, P, 0))
    taken = assistant.runtime.hold()
    buffer.expect("onPreempt()")
    with refused(ENOENT, "mapping it"), buffer.buffer.map():
        pass
    buffer.load(file).expect("onLoad(EINVAL)")
    buffer.free().expect_nothing()
    taken.free()


@covers("NDK: preempted while mapped: not as long as it is")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap")
def test_mapped_is_not_preempted(npu: Npu) -> None:
    app, assistant = npu.app("runtime").in_background(), npu.app("assistant").in_foreground()
    buffer = app.runtime.hold(pages=npu.session.heap_pages())
    with buffer.buffer.map(PROT_RW) as view:
        view[:2] = b"hi"
        assistant.runtime.ask().expect("onAlloc(ENOMEM)")
        check(bytes(view[:2]) == b"hi", "it is as it was")
    assistant.runtime.hold()
    buffer.expect("onPreempt()").free()


@covers("NDK: preempted by a request of the same batch")
@needs("service", "callbacks", "buffers", "small-heap")
def test_second_of_a_batch_takes_the_first(npu: Npu) -> None:
    everything = npu.session.heap_pages()
    first, second = npu.app("runtime").runtime.ask_all({"pages": everything}, {"pages": everything})
    first.expect("onAlloc(OK)", "onPreempt()")
    second.expect("onAlloc(OK)").free()
    first.free()


@covers("NDK: a freed buffer cannot be used")
@needs("service", "callbacks", "buffers")
def test_use_after_free(npu: Npu) -> None:
    app = npu.app("runtime")
    buffer = app.runtime.hold().free()
    with refused(EBADF, "mapping it"), buffer.buffer.map():
        pass
    with refused(EBADF, "freeing it again"):
        buffer.buffer.free()
    with refused(EBADF, "setting its priority"):
        buffer.buffer.set_priority(5)
    buffer.load(app.memory.file(pages("A"))).expect("onLoad(EINVAL)")


@covers("NDK: freed while it loads")
@needs("service", "callbacks", "buffers")
def test_free_while_it_loads(npu: Npu) -> None:
    app = npu.app("runtime")
    buffer = app.runtime.hold().load(app.memory.file(pages("A")))
    buffer.free().news.expect_one_of("onLoad(ECANCELED)", "onLoad(OK)")
    buffer.expect_nothing()


@covers("NDK: a cookie's deleter runs once, after the last buffer that has it, also for a null cookie")
@needs("service", "callbacks", "buffers")
@pytest.mark.parametrize("cookie", ["crumb", None], ids=["a cookie", "null"])
def test_cookie(npu: Npu, cookie: str | None) -> None:
    deleted: list[object] = []
    runtime = npu.app("runtime").runtime
    buffer = runtime.hold(cookie=cookie, deleter=deleted.append)
    check(deleted == [], "it is still needed")
    buffer.free()
    check(deleted == [cookie], f"deleted once, not {deleted}")


@covers("NDK: setPriority decides who goes first")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap")
def test_priority(npu: Npu) -> None:
    app, assistant = npu.app("runtime").in_background(), npu.app("assistant").in_foreground()
    half = npu.session.heap_pages() // 2
    first, second = app.runtime.hold(pages=half), app.runtime.hold(pages=half)
    second.buffer.set_priority(900)
    assistant.runtime.hold(pages=half)
    second.expect("onPreempt()")
    first.expect_nothing()


@covers("NDK: the death of a client frees what it had")
@needs("service", "callbacks", "buffers", "many-uids", "small-heap")
def test_death(npu: Npu) -> None:
    app = npu.app("runtime")
    app.runtime.hold(pages=npu.session.heap_pages())
    app.dies()
    npu.app("next").runtime.hold(pages=npu.session.heap_pages())
