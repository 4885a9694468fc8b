"""Requests: defaults, setters, cookies."""

from __future__ import annotations

import gc
from errno import EINVAL
from mmap import PROT_READ
from typing import Any

import pytest

from generated.android.npumanager import BufferType
from reference_impl.buffers.ndk_request import AllocRequest, Segment

from .kit import refused


def test_defaults() -> None:
    sent = AllocRequest().wanted.to_parcelable(4)
    assert (sent.appReqId, sent.deviceNumber, sent.bufferType, sent.size) == (4, -1, BufferType.UNKNOWN, 0)
    assert (sent.bufferPriority, sent.protectionFlags, sent.fileSegmentToLoad) == (500, PROT_READ, None)


def test_setters_chain() -> None:
    request = AllocRequest().set_device_number(2).set_buffer_type(BufferType.CACHE).set_size(5)
    request.set_buffer_priority(0).set_protection_flags(3).set_file_segment_to_load(0, 1, 2, 3)
    sent = request.wanted.to_parcelable(1)
    assert (sent.deviceNumber, sent.bufferType, sent.size) == (2, BufferType.CACHE, 5)
    assert (sent.bufferPriority, sent.protectionFlags) == (0, 3)
    assert sent.fileSegmentToLoad is not None
    assert request.wanted.segment == Segment(0, 1, 2, 3)
    assert request.wanted.to_parcelable(1, with_segment=False).fileSegmentToLoad is None


BAD_VALUES: list[tuple[str, tuple[Any, ...]]] = [
    ("set_device_number", (-1,)),
    ("set_buffer_type", (BufferType.UNKNOWN,)),
    ("set_buffer_type", (5,)),
    ("set_size", (0,)),
    ("set_size", (-4096,)),
    ("set_buffer_priority", (-1,)),
    ("set_buffer_priority", (1001,)),
    ("set_protection_flags", (4,)),
    ("set_file_segment_to_load", (-1, 0, 1, 0)),
    ("set_file_segment_to_load", (0, -1, 1, 0)),
    ("set_file_segment_to_load", (0, 0, -1, 0)),
    ("set_file_segment_to_load", (0, 0, 1, -1)),
]


@pytest.mark.parametrize(("setter", "values"), BAD_VALUES)
def test_bad_values_change_nothing(setter: str, values: tuple[Any, ...]) -> None:
    request = AllocRequest()
    before = request.wanted
    with refused(EINVAL):
        getattr(request, setter)(*values)
    assert request.wanted == before


def test_on_alloc_is_required() -> None:
    with pytest.raises(TypeError, match="onAlloc"):
        AllocRequest().set_on_alloc(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("cookie", ["crumb", None])
def test_the_deleter_runs_once(cookie: str | None) -> None:
    deleted: list[Any] = []
    request = AllocRequest().set_cookie(cookie, deleted.append)
    held = request.cookie.hold()
    request.close()
    request.close()
    assert deleted == []
    held.drop()
    assert deleted == [cookie]


def test_another_cookie_ends_the_one_before() -> None:
    deleted: list[Any] = []
    with AllocRequest().set_cookie(1, deleted.append) as request:
        request.set_cookie(2, deleted.append)
        assert deleted == [1]
    assert deleted == [1, 2]


def test_a_request_that_is_forgotten_lets_go_of_its_cookie() -> None:
    deleted: list[Any] = []
    AllocRequest().set_cookie(1, deleted.append)
    gc.collect()
    assert deleted == [1]
