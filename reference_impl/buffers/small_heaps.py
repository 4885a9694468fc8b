"""Heaps that are soon full: one for all but AUXILIARY buffers, one of a page for another NPU."""

from __future__ import annotations

from mmap import PAGESIZE
from typing import Final

from .heap_config import parse_heap_config
from .provision import StandInProvision

CONFIG: Final = parse_heap_config("""
[[heap]]
path = "/dev/dma_heap/npu"

[[heap.npu]]
device_numbers = [0]
buffer_types = ["MODEL_EXECUTABLE", "MODEL_WEIGHTS", "CACHE"]

[[heap]]
path = "/dev/dma_heap/small"

[[heap.npu]]
device_numbers = [1]
buffer_types = ["MODEL_WEIGHTS"]
""")

FIRST_HEAP: Final = CONFIG.names()[0]
FIRST_HEAP_PAGES: Final = 512
CAPACITIES: Final = {FIRST_HEAP: FIRST_HEAP_PAGES * PAGESIZE, "small": PAGESIZE}


def small_provision() -> StandInProvision:
    """A fresh driver and empty heaps."""
    return StandInProvision(CONFIG, CAPACITIES)
