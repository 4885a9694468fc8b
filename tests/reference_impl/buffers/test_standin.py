"""The stand-in driver: real descriptors, real mappings, real bytes."""

from __future__ import annotations

import fcntl
import os
import socket
from contextlib import closing
from errno import EACCES, EBADF, EBUSY, EINVAL, EMFILE, ENOENT, ENOTTY, ESPIPE
from mmap import PAGESIZE, PROT_READ, PROT_WRITE, mmap
from pathlib import Path

import pytest

from reference_impl.buffers import memory
from reference_impl.buffers.dmabuf import SYNC_STRUCT, DmabufRequest
from reference_impl.buffers.process import no_more_descriptors
from reference_impl.buffers.profiles import FIRST, NEWEST
from reference_impl.buffers.wrapfd import (
    LOAD_STRUCT,
    PROT_NONE,
    PROT_RW,
    REWRAP_STRUCT,
    STATE_STRUCT,
    WRAP_STRUCT,
    Request,
    WrapState,
)

from .kit import Bench, memory_file_mappings, refused, weights

ME, OTHER = 1, 2
P = PAGESIZE


def test_request_numbers() -> None:
    assert [hex(request) for request in Request] == [
        *("0x4010bc00", "0xc010bc01", "0xbc02", "0xbc03", "0x4028bc04", "0x4010bc05"),
        *("0xbc06", "0xbc07", "0xbc08"),
    ]
    assert int(DmabufRequest.HEAP_ALLOC) == 0xC0184800
    assert int(DmabufRequest.SET_NAME) == 0x40086201


@pytest.mark.parametrize(
    ("prot", "state", "mode"),
    [
        (PROT_NONE, WrapState.RDONLY, os.O_RDONLY),
        (PROT_READ, WrapState.RDONLY, os.O_RDONLY),
        (PROT_WRITE, WrapState.RDWR, os.O_RDWR),
        (PROT_RW, WrapState.RDWR, os.O_RDWR),
    ],
)
def test_what_a_mask_makes(bench: Bench, prot: int, state: WrapState, mode: int) -> None:
    wrap = bench.wrap(prot)
    assert bench.process().state(wrap) is state
    assert fcntl.fcntl(wrap, fcntl.F_GETFL) & os.O_ACCMODE == mode
    assert os.fstat(wrap).st_size == 2 * P


@pytest.mark.parametrize("inheritable", [True, False])
def test_close_on_exec_is_that_of_the_wrapped(bench: Bench, inheritable: bool) -> None:
    dmabuf = bench.dmabuf()
    os.set_inheritable(dmabuf, inheritable)
    me = bench.process()
    wrap = bench.keep(me.wrap(dmabuf, PROT_RW))
    assert os.get_inheritable(wrap) is inheritable
    me.acquire(wrap)
    assert os.get_inheritable(bench.keep(me.rewrap(wrap, PROT_READ))) is inheritable


def test_what_cannot_be_wrapped(bench: Bench, file: int) -> None:
    me = bench.process()
    with refused(EINVAL):
        me.wrap(file, PROT_READ)
    with refused(EINVAL):
        me.wrap(bench.wrap(), PROT_READ)
    closed = os.dup(file)
    os.close(closed)
    with refused(EBADF):
        me.wrap(closed, PROT_READ)
    with refused(EBADF):
        me.wrap(-1, PROT_READ)
    with refused(EBADF):
        me.wrap(bench.keep(os.open("/", os.O_PATH)), PROT_READ)
    with refused(EINVAL):
        me.wrap(closed, 4)
    with refused(EINVAL):
        me.port.wrap(WRAP_STRUCT.pack(closed, PROT_READ, 1))
    with refused(EACCES):
        me.wrap(bench.dmabuf(writable=False), PROT_RW)
    bench.keep(me.wrap(bench.dmabuf(writable=False), PROT_READ))


def test_who_is_no_wrap(bench: Bench, file: int) -> None:
    me = bench.process()
    for fd in (file, bench.dmabuf()):
        with refused(ENOTTY):
            me.state(fd)
    with refused(EBADF):
        me.state(bench.keep(os.open("/", os.O_PATH)))
    with refused(EBADF):
        me.state(2**31 - 1)
    with refused(EINVAL):
        me.port.ioctl(bench.wrap(), Request.GET_STATE, STATE_STRUCT.pack(0, 1, 0))
    with refused(EINVAL):
        me.port.ioctl(bench.wrap(), Request.REWRAP, REWRAP_STRUCT.pack(1, 0, 1))


def test_a_copy_of_the_descriptor_is_the_same_wrap(bench: Bench) -> None:
    wrap = bench.wrap()
    copy = bench.keep(os.dup(wrap))
    bench.process(ME).acquire(copy)
    with refused(EBUSY):
        bench.process(OTHER).acquire(wrap)


def test_wraps_of_one_dmabuf_have_owners_of_their_own(bench: Bench, file: int) -> None:
    me, other, dmabuf = bench.process(ME), bench.process(OTHER), bench.dmabuf()
    first, second = bench.keep(me.wrap(dmabuf, PROT_RW)), bench.keep(other.wrap(dmabuf, PROT_READ))
    me.acquire(first)
    other.acquire(second)
    me.load(first, file, 0, 0, P)
    assert bytes(other.map(second, P).view[:2]) == b"AA"
    assert os.pread(dmabuf, 2, 0) == b"AA"
    me.empty(first)
    assert me.state(second) is WrapState.RDONLY
    assert os.pread(dmabuf, 2, 0) == b"AA", "somebody still uses the content"


def test_descriptors_are_recognised_in_another_process(bench: Bench) -> None:
    wrap = bench.wrap()
    here, there = socket.socketpair()
    with here, there:
        socket.send_fds(here, [b"x"], [wrap])
        _, fds, _, _ = socket.recv_fds(there, 1, 1)
    assert bench.process().state(bench.keep(fds[0])) is WrapState.RDWR


# --- loading ---


@pytest.mark.parametrize(
    ("file_offset", "offset", "length"), [(0, 0, P), (P, P, P), (P, 0, 2 * P), (3 * P, P, 3), (0, 0, 0)]
)
def test_load_changes_what_it_says_and_nothing_else(
    bench: Bench, file: int, file_offset: int, offset: int, length: int
) -> None:
    me, wrap = bench.process(), bench.wrap(pages=3)
    os.lseek(file, 7, os.SEEK_SET)
    me.acquire(wrap)
    me.load(wrap, file, file_offset, offset, length)
    expected = bytearray(3 * P)
    expected[offset : offset + length] = os.pread(file, length, file_offset)
    assert bytes(me.map(wrap, 3 * P).view[:]) == bytes(expected)
    assert os.lseek(file, 0, os.SEEK_CUR) == 7


def test_newest_loads_at_any_alignment_over_a_mebibyte(direct_folder: Path) -> None:
    bench = Bench(NEWEST)
    data = os.urandom((2 << 20) + 777)
    path = direct_folder / "odd"
    path.write_bytes(data)
    fd = bench.keep(os.open(path, os.O_RDONLY))
    me, wrap = bench.process(), bench.wrap(pages=520)
    me.load(wrap, fd, 333, 1001, len(data) - 333)
    view = me.map(wrap, 520 * P).view
    assert bytes(view[1001 : 1001 + len(data) - 333]) == data[333:]
    assert not any(view[:1001])
    assert not any(view[1001 + len(data) - 333 :])
    del view
    bench.close()


def test_files_that_cannot_be_loaded(bench: Bench, file: int, direct_folder: Path) -> None:
    me, wrap = bench.process(), bench.wrap()
    me.acquire(wrap)
    pipe, end = os.pipe()
    plug, socket_ = socket.socketpair()
    unreadable = [
        bench.keep(os.open("/dev/zero", os.O_RDONLY)),
        bench.keep(os.open("/proc/self/status", os.O_RDONLY)),
        bench.keep(os.open("/", os.O_RDONLY)),
        bench.keep(os.memfd_create("other")),
        *(bench.keep(pipe), bench.keep(end), plug.fileno(), socket_.fileno()),
        *(bench.dmabuf(), bench.wrap()),
    ]
    for fd in unreadable[:5] + unreadable[6:]:
        with refused(EINVAL):
            me.load(wrap, fd, 0, 0, 0)
    write_only = bench.keep(os.open(direct_folder / "w", os.O_WRONLY | os.O_CREAT))
    for fd in (write_only, end, 2**31 - 1, bench.keep(os.open(direct_folder / "w", os.O_PATH))):
        with refused(EBADF):
            me.load(wrap, fd, 0, 0, 0)
    with refused(EINVAL):
        me.port.ioctl(wrap, Request.LOAD, LOAD_STRUCT.pack(file, 0, 0, 0, P, 1))
    with refused(EINVAL):
        me.port.ioctl(wrap, Request.LOAD, LOAD_STRUCT.pack(file, 1, 0, 0, P, 0))
    plug.close()
    socket_.close()


def test_a_file_that_shrinks_is_an_error_and_no_lock(bench: Bench, direct_folder: Path) -> None:
    me, wrap = bench.process(), bench.wrap()
    path = weights(direct_folder, 2)
    fd = bench.keep(os.open(path, os.O_RDWR))
    me.acquire(wrap)
    target = bench.keep(memory.reopen(wrap, os.O_RDWR))
    os.ftruncate(fd, P)
    with pytest.raises(OSError, match="shorter"):
        memory.copy(fd, 0, target, 0, 2 * P)
    me.release(wrap)


# --- mapping ---


def test_a_mapping_of_a_read_only_wrap_stays_read_only(bench: Bench) -> None:
    wrap = bench.wrap(PROT_READ)
    with closing(bench.driver.mmap(ME, wrap, P, PROT_READ, shared=True, offset=0)) as mapping:
        with refused(EACCES):
            mapping.protect(0, P, PROT_RW)
        with pytest.raises(TypeError):
            mapping.view[0] = 1
        # Past our rules, too: the kernel knows.
        with refused(EACCES):
            mapping.pages.protect(0, P, PROT_RW)
    with pytest.raises(PermissionError):
        mmap(wrap, P, prot=PROT_RW)


def test_a_writable_wrap_can_be_made_writable_later(bench: Bench) -> None:
    me, wrap = bench.process(), bench.wrap()
    mapping = me.map(wrap, 2 * P)
    mapping.protect(0, P, PROT_RW)
    assert me.fdinfo(wrap)["maps"] == "2"
    mapping.close()
    assert me.fdinfo(wrap)["maps"] == "0"


def test_mappings_count_and_keep_others_out(bench: Bench) -> None:
    me, other, wrap = bench.process(ME), bench.process(OTHER), bench.wrap(pages=4)
    mapping = me.map(wrap, 4 * P)
    mapping.unmap(P, P)
    assert me.fdinfo(wrap)["maps"] == "2"
    assert memory_file_mappings() == 2
    mapping.unmap(3 * P, P)
    assert me.fdinfo(wrap)["maps"] == "2"
    with refused(EINVAL):
        other.acquire(wrap)
    (child,) = bench.driver.fork(ME, 3)
    assert me.fdinfo(wrap)["maps"] == "4"
    mapping.close()
    with refused(EINVAL):
        other.acquire(wrap)
    child.close()
    other.acquire(wrap)
    assert memory_file_mappings() == 0


def test_a_mapping_outlives_the_descriptor(bench: Bench) -> None:
    me = bench.process()
    wrap = bench.wrap()
    mapping = me.map(wrap, P)
    assert bench.contents.used("npu") == 2 * P
    bench.driver.exit(ME)
    with pytest.raises(OSError, match="closed"):
        _ = mapping.view


def test_removed_pages_cannot_be_looked_at(bench: Bench) -> None:
    mapping = bench.process().map(bench.wrap(), 2 * P)
    mapping.unmap(0, P)
    with refused(EACCES):
        _ = mapping.view


# --- processes ---


def test_ownership_survives_exec_and_closing_but_not_death(bench: Bench) -> None:
    me, other, wrap = bench.process(ME), bench.process(OTHER), bench.wrap()
    me.acquire(wrap)
    me.allow_guests(wrap)
    other.map(wrap, P).close()
    bench.driver.exec(ME)
    assert me.fdinfo(wrap)["owner"] == str(ME)
    with refused(EBUSY):
        other.acquire(wrap)
    bench.driver.exit(ME)
    assert me.fdinfo(wrap)["owner"] == "<none>"
    other.acquire(wrap)
    assert me.fdinfo(wrap)["guests"] == "no"
    with refused(EBUSY):
        me.map(wrap, P)


def test_in_the_first_generation_it_survives_death() -> None:
    bench = Bench(FIRST)
    me, wrap = bench.process(ME), bench.wrap()
    me.acquire(wrap)
    bench.driver.exit(ME)
    with refused(EBUSY):
        bench.process(OTHER).acquire(wrap)
    with refused(ESPIPE):
        me.size(wrap)
    bench.close()


def test_a_forked_child_does_not_own(bench: Bench) -> None:
    me, wrap = bench.process(ME), bench.wrap()
    me.acquire(wrap)
    bench.driver.fork(ME, 3)
    with refused(EBUSY):
        bench.process(3).release(wrap)


# --- rewrap and empty ---


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(
    ("before", "later"), [(PROT_RW, PROT_READ), (PROT_READ, PROT_RW), (PROT_RW, PROT_RW)]
)
def test_rewrap_moves_the_content(bench: Bench, file: int, alone: bool, before: int, later: int) -> None:
    me = bench.process()
    wrap = bench.wrap(PROT_RW, alone=alone)
    me.acquire(wrap)
    me.load(wrap, file, P, 0, P)
    if before != PROT_RW:
        wrap = bench.keep(me.rewrap(wrap, before))
        me.acquire(wrap)
    me.allow_guests(wrap)
    new = bench.keep(me.rewrap(wrap, later))
    assert me.state(wrap) is WrapState.EMPTY
    info = me.fdinfo(wrap)
    assert (info["owner"], info["guests"], info["empty"]) == ("1", "yes", "yes")
    assert "type" not in info
    assert me.fdinfo(new)["owner"] == "<none>"
    assert bytes(me.map(new, P).view[:2]) == b"BB"
    with refused(ENOENT):
        me.map(wrap, P)
    with refused(ENOENT):
        me.rewrap(wrap, PROT_READ)
    if alone:
        assert os.pread(wrap, 2, 0) == bytes(2), "who has the old descriptor sees nothing"
    me.release(wrap)


def test_empty_frees_what_old_descriptors_could_read(bench: Bench, file: int) -> None:
    me, wrap = bench.process(), bench.wrap()
    me.acquire(wrap)
    me.load(wrap, file, 0, 0, P)
    old = bench.keep(os.dup(wrap))
    assert os.pread(old, 2, 0) == b"AA"
    used = bench.contents.used("npu")
    me.empty(wrap)
    assert os.pread(old, 2, 0) == bytes(2)
    assert bench.contents.used("npu") == used - 2 * P
    assert os.fstat(old).st_blocks == 0
    assert os.fstat(old).st_size == 2 * P
    with refused(ENOENT):
        me.empty(wrap)
    with refused(ENOENT):
        me.size(wrap)
    me.release(wrap)
    with refused(ENOENT):
        me.acquire(wrap)


def test_the_last_use_of_the_dmabuf_frees_it(bench: Bench) -> None:
    me, dmabuf = bench.process(), bench.dmabuf()
    wrap = bench.keep(me.wrap(dmabuf, PROT_RW))
    os.pwrite(dmabuf, b"x", 0)
    me.acquire(wrap)
    me.empty(wrap)
    assert bench.contents.used("npu") == 2 * P
    os.dup2(wrap, dmabuf)
    bench.contents.collect()
    assert bench.contents.used("npu") == 0
    assert os.fstat(wrap).st_blocks == 0


def test_root_cannot_write_to_read_only_content_either(bench: Bench) -> None:
    wrap = bench.wrap(PROT_READ)
    bench.process().state(wrap)
    again = bench.keep(os.open(f"/proc/self/fd/{wrap}", os.O_RDWR))
    with pytest.raises(PermissionError):
        os.write(again, b"x")
    with pytest.raises(PermissionError):
        mmap(again, P, prot=PROT_RW)


def test_nobody_can_keep_writable_content_from_being_freed(bench: Bench) -> None:
    wrap = bench.wrap()
    bench.process().state(wrap)
    with pytest.raises(PermissionError):
        fcntl.fcntl(wrap, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
    with pytest.raises(PermissionError):
        os.ftruncate(wrap, 0)


def test_a_rewrap_without_descriptors_changes_nothing(bench: Bench) -> None:
    me, wrap = bench.process(), bench.wrap(alone=False)
    me.acquire(wrap)
    with no_more_descriptors(), refused(EMFILE):
        me.rewrap(wrap, PROT_READ)
    assert me.state(wrap) is WrapState.RDWR
    bench.keep(me.rewrap(wrap, PROT_READ))


def test_a_wrap_without_descriptors_is_refused_last(bench: Bench) -> None:
    me, dmabuf = bench.process(), bench.dmabuf(writable=False)
    with no_more_descriptors():
        with refused(EACCES):
            me.wrap(dmabuf, PROT_RW)
        with refused(EMFILE):
            me.wrap(dmabuf, PROT_READ)


# --- other calls ---


def test_lseek_tells_the_size(bench: Bench) -> None:
    me, wrap = bench.process(), bench.wrap(pages=3)
    assert me.size(wrap) == 3 * P
    assert me.port.lseek(wrap, 0, os.SEEK_SET) == 0
    for offset, whence in ((1, os.SEEK_SET), (0, os.SEEK_CUR), (-1, os.SEEK_END)):
        with refused(EINVAL):
            me.port.lseek(wrap, offset, whence)


def test_a_failed_lseek_leaves_no_trace(bench: Bench) -> None:
    me, wrap = bench.process(), bench.wrap()
    me.acquire(wrap)
    me.empty(wrap)
    with refused(ENOENT):
        bench.process(OTHER).size(wrap)
    me.release(wrap)


def test_other_requests_go_to_the_dmabuf(bench: Bench) -> None:
    me, other, wrap = bench.process(ME), bench.process(OTHER), bench.wrap()
    other.port.ioctl(wrap, DmabufRequest.SYNC, SYNC_STRUCT.pack(1))
    other.port.ioctl(wrap, DmabufRequest.SET_NAME, b"weights\0")
    assert me.fdinfo(wrap)["name"] == "weights"
    with refused(EINVAL):
        other.port.ioctl(wrap, DmabufRequest.SET_NAME, b"x" * 32)
    with refused(ENOTTY):
        other.port.ioctl(wrap, Request.GET_STATE + 0x10000, b"")
    me.acquire(wrap)
    with refused(EBUSY):
        other.port.ioctl(wrap, DmabufRequest.SYNC, SYNC_STRUCT.pack(1))


def test_fdinfo(bench: Bench) -> None:
    me, wrap = bench.process(), bench.wrap(PROT_READ)
    me.acquire(wrap)
    assert me.fdinfo(wrap) == {
        **{"owner": "1", "guests": "no", "maps": "0", "empty": "no", "rdonly": "yes"},
        **{"type": "dmabuf", "size": str(2 * P), "count": "1", "exp_name": "npu"},
    }


def test_a_mapping_that_somebody_looks_at_stays(bench: Bench) -> None:
    me, wrap = bench.process(), bench.wrap()
    mapping = me.map(wrap, P)
    part = mapping.view[:5]
    assert isinstance(part, memoryview)
    with pytest.raises(BufferError):
        mapping.close()
    assert me.fdinfo(wrap)["maps"] == "1"
    assert bytes(part) == bytes(5)
    part.release()
    mapping.close()
    assert me.fdinfo(wrap)["maps"] == "0"


def test_a_range_beyond_the_mapping_is_not_touched(bench: Bench) -> None:
    me, wrap = bench.process(), bench.wrap(pages=2)
    first, second = me.map(wrap, 2 * P), me.map(wrap, 2 * P)
    first.unmap(P, 64 * P)
    assert not any(second.view[:])
    assert me.fdinfo(wrap)["maps"] == "2"
