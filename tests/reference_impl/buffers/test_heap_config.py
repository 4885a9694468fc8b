"""The heap configuration: who serves what, and every fault with its place."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from generated.android.npumanager import BufferType
from reference_impl.buffers.heap_config import HeapConfigError, parse_heap_config, read_heap_config

GOOD = """
[[heap]]
path = "/dev/dma_heap/weights"

[[heap.npu]]
device_numbers = [0, 1]
buffer_types = ["MODEL_EXECUTABLE", "MODEL_WEIGHTS"]

[[heap.npu]]
device_numbers = [2]
buffer_types = ["CACHE"]

[[heap]]
path = "/dev/dma_heap/rest"

[[heap.npu]]
device_numbers = [0]
buffer_types = ["MODEL_WEIGHTS", "CACHE", "AUXILIARY"]
"""


@pytest.mark.parametrize(
    ("device", "kind", "heap"),
    [
        (0, BufferType.MODEL_WEIGHTS, "weights"),
        (1, BufferType.MODEL_EXECUTABLE, "weights"),
        (2, BufferType.CACHE, "weights"),
        (0, BufferType.CACHE, "rest"),
        (2, BufferType.MODEL_WEIGHTS, None),
        (3, BufferType.MODEL_WEIGHTS, None),
        (-1, BufferType.MODEL_WEIGHTS, None),
        (0, BufferType.UNKNOWN, None),
        (0, BufferType(9), None),
    ],
)
def test_the_first_match_decides(device: int, kind: BufferType, heap: str | None) -> None:
    config = parse_heap_config(GOOD)
    assert config.heap_for(device, kind) == heap
    assert config.names() == ["weights", "rest"]


def test_nothing_serves_nothing() -> None:
    assert parse_heap_config("").heap_for(0, BufferType.CACHE) is None


def test_a_path_elsewhere_is_logged_and_skipped(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        config = parse_heap_config(GOOD.replace("/dev/dma_heap/weights", "/dev/ion"), "heaps.toml")
    assert config.names() == ["rest"]
    assert "heaps.toml:3: /dev/ion is not in /dev/dma_heap/" in caplog.text


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("[2]", "[-1]", "heaps.toml:10: error: -1 is no device number"),
        ("[2]", "[true]", "heaps.toml:10: error: True is no device number"),
        ("[2]", "[]", "heaps.toml:10: error: an entry needs device_numbers"),
        ("[2]", "2", "heaps.toml:10: error: an entry needs device_numbers"),
        ('["CACHE"]', '["KV"]', "heaps.toml:11: error: 'KV' is no buffer type; there is: UNKNOWN, MODEL_EX"),
        ('path = "/dev/dma_heap/rest"', "", "heaps.toml:13: error: a heap needs a path"),
        ('"/dev/dma_heap/rest"', "5", "heaps.toml:14: error: a heap needs a path"),
        ('buffer_types = ["CACHE"]', "types = 1", "heaps.toml:11: error: there is no key 'types' here"),
        ("[[heap.npu]]", "[heap.npu]", "heaps.toml"),
        ("[2]", "[2", "heaps.toml:11:1: error:"),
    ],
)
def test_a_fault_has_a_place(before: str, after: str, message: str) -> None:
    with pytest.raises(HeapConfigError) as caught:
        parse_heap_config(GOOD.replace(before, after))
    assert message in str(caught.value)


def test_every_fault_is_named() -> None:
    with pytest.raises(HeapConfigError) as caught:
        parse_heap_config(
            GOOD.replace("[2]", "[-2]").replace('"AUXILIARY"', '"X"').replace("[[heap]]", "x=1\n[[heap]]", 1)
        )
    lines = str(caught.value).splitlines()
    assert [line.split(": error:")[0] for line in lines] == ["heaps.toml:2", "heaps.toml:11", "heaps.toml:19"]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(HeapConfigError, match=r"none\.toml: error: cannot read the heap"):
        read_heap_config(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(HeapConfigError, match="no UTF-8"):
        read_heap_config(tmp_path / "bytes.toml")


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(GOOD)
    assert read_heap_config(tmp_path / "good.toml").names() == ["weights", "rest"]
