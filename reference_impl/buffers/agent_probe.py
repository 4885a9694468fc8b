"""Which generation of the wrapfd driver a machine has that an agent reaches."""

from __future__ import annotations

from mmap import PAGESIZE

from binder.kernel.framing import OpenFlag
from binder.kernel.remote import RemoteDevice
from binder.kernel.remote_descriptors import RemoteDescriptors

from .agent_memory import temporary_file
from .agent_ports import AgentKernelPort, as_os_errors
from .dmabuf import HEAP_ALLOCATION_STRUCT, HEAP_FOLDER, DmabufRequest
from .probe import Finding, probe
from .wrapfd import Wrapfd

_READ_WRITE_CLOEXEC = 0o2000002
"""O_RDWR and O_CLOEXEC, which are the same on all of Android's machines."""


def generation_over(device: RemoteDevice, heap: str) -> Finding:
    """Makes the probe's harmless calls in an agent's process.

    Args:
        device: to the agent.
        heap: one of its machine's DMA-BUF heaps.

    Raises:
        OSError: there is no driver, or the agent's user may not use it, or the heap, or can make no file.
    """
    there = RemoteDescriptors(device)
    port = AgentKernelPort(device)
    try:
        with as_os_errors(), temporary_file(device) as file:
            file.write(bytes(2 * PAGESIZE))
            return probe(
                Wrapfd(port), lambda size: _allocate(there, heap, size), file.fileno(), close=there.close
            )
    finally:
        port.close()


def _allocate(there: RemoteDescriptors, heap: str, size: int) -> int:
    with as_os_errors():
        source = there.open(f"{HEAP_FOLDER}/{heap}", OpenFlag.READ)
        try:
            question = HEAP_ALLOCATION_STRUCT.pack(size, 0, _READ_WRITE_CLOEXEC, 0)
            _, answer = there.control(source, DmabufRequest.HEAP_ALLOC, question)
        finally:
            there.close(source)
    _, fd, _, _ = HEAP_ALLOCATION_STRUCT.unpack(answer)
    return int(fd)
