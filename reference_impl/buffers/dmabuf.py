"""DMA-BUFs and their heaps as the kernel's users see them: request numbers and structs."""

from __future__ import annotations

from enum import IntEnum
from struct import Struct
from typing import Final

from .wrapfd import ioctl_number

HEAP_FOLDER: Final = "/dev/dma_heap/"
LONGEST_NAME: Final = 31
"""Bytes in a buffer's name: DMA_BUF_NAME_LEN, less its end."""

HEAP_ALLOCATION_STRUCT: Final = Struct("<QIIQ")  # length, fd (answered), fd flags, heap flags
SYNC_STRUCT: Final = Struct("<Q")  # flags


class DmabufRequest(IntEnum):
    """What `ioctl` of a dma-buf, or of a heap's device, takes."""

    SYNC = ioctl_number(1, ord("b"), 0, SYNC_STRUCT.size)
    SET_NAME = ioctl_number(1, ord("b"), 1, 8)  # a pointer to the text
    HEAP_ALLOC = ioctl_number(3, ord("H"), 0, HEAP_ALLOCATION_STRUCT.size)


def buffer_name(pid: int, app_request_id: int) -> bytes:
    """What an allocator calls a client's buffer, no longer than the kernel takes."""
    return f"npubuf-{pid}-{app_request_id}".encode()[:LONGEST_NAME]
