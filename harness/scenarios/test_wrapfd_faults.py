"""What the newest public wrapfd driver was seen to get wrong; see docs/divergences.md."""

from __future__ import annotations

from errno import EBUSY, EMFILE, ENOENT
from mmap import PROT_READ

from harness.news import RDWR, pages, refused
from harness.vocabulary import Npu, check, covers, needs


@covers("wrapfd: a load of no bytes succeeds")
@needs("service", "wrapfd", "risky-loads")
def test_load_of_nothing(npu: Npu) -> None:
    me = npu.app("me")
    wrap = me.driver.wrap().acquire()
    wrap.load(me.memory.file(pages("A")), length=0)
    wrap.release()


@covers("wrapfd: a load of more than a mebibyte whose length is odd is right, and leaves what follows alone")
@needs("service", "wrapfd", "risky-loads")
def test_long_odd_load(npu: Npu) -> None:
    me = npu.app("me")
    content = bytes(range(251)) * 4700
    wrap = me.driver.wrap(pages=300).acquire()
    wrap.load(me.memory.file(content), length=len(content) - 1)
    mapping = wrap.map(pages=300)
    check(mapping.view[: len(content) - 1] == content[:-1], "all of it is right")
    check(not any(mapping.view[len(content) - 1 :]), "and nothing after it is touched")
    mapping.close()


@covers("wrapfd: a failed lseek on an empty wrap leaves no trace")
@needs("service", "many-uids", "wrapfd")
def test_failed_lseek_leaves_no_trace(npu: Npu) -> None:
    me, other = npu.app("me"), npu.app("other")
    wrap = me.driver.wrap().acquire().empty()
    with refused(ENOENT, "lseek"):
        wrap.by(other).size()
    wrap.release()


@covers("wrapfd: the next owner starts without guests")
@needs("service", "wrapfd", "many-uids")
def test_death_prohibits_guests(npu: Npu) -> None:
    me, other, third = npu.app("me"), npu.app("other"), npu.app("third")
    theirs = me.driver.wrap().acquire().allow_guests().by(other)
    me.dies()
    theirs.acquire()
    check(theirs.info("guests") == "no", "guests are prohibited again")
    with refused(EBUSY, "a guest's mapping"):
        theirs.by(third).map()


@covers("wrapfd: a rewrap that fails for want of descriptors changes nothing")
@needs("service", "wrapfd", "few-descriptors")
def test_rewrap_without_descriptors(npu: Npu) -> None:
    me = npu.app("me")
    wrap = me.driver.wrap().acquire()
    with me.memory.without_descriptors(), refused(EMFILE, "the rewrap"):
        wrap.rewrap(PROT_READ)
    wrap.expect_state(RDWR)
    check(wrap.info("rdonly") == "no", "it is still writable")
    wrap.rewrap(PROT_READ)
