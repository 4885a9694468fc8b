"""What a process that an agent is can do with buffers, and the descriptors that it has open over there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from errno import ENOENT, ENOTSUP
from typing import Protocol, Self

from binder import BinderError
from binder.kernel.framing import OpenFlag
from binder.kernel.link import AgentError
from binder.kernel.remote import RemoteDevice
from binder.kernel.remote_descriptors import RemoteDescriptors
from binder.kernel.remote_file import RemoteFile
from generated.android.npumanager import INpuManagerService

from .agent_ports import AgentChannel, as_os_errors
from .ndk import NpuBufferManager
from .process import NdkClient
from .socket_port import SocketPort
from .wrapfd import Mapping as WrapMapping
from .wrapfd import Wrapfd, refusal

FOLDERS = ("/data/local/tmp", "/tmp", "/var/tmp")
"""Where there may be files that the agent's user can make and a driver can load."""

_TEMPORARY = OpenFlag.READ | OpenFlag.WRITE | OpenFlag.TEMPORARY


class Peer(Protocol):
    """A process that an agent is."""

    @property
    def device(self) -> RemoteDevice: ...

    def pass_on(self, fd: int, receiver: Self) -> RemoteFile:
        """Sends one of its descriptors to another process, through the binder driver."""


class AgentMemory:
    """One process's side.

    Args:
        peer: the process.
        socket: the name of the stand-in's socket.
        heap: a heap that the stand-in has.
        service: the npu service as the process sees it.
    """

    def __init__(self, peer: Peer, socket: str, heap: str, service: Callable[[], INpuManagerService]) -> None:
        self.peer = peer
        self._descriptors = RemoteDescriptors(peer.device)
        self._port = SocketPort(AgentChannel(peer.device, socket))
        self._heap = heap
        self._service = service
        self._ndk: NdkClient | None = None
        self._fds: set[int] = set()
        self._files: dict[int, RemoteFile] = {}
        self._mappings: list[WrapMapping] = []
        self.driver = Wrapfd(self._port)

    @property
    def ndk(self) -> NdkClient:
        """The NDK's client, made when it is first needed."""
        if self._ndk is None:
            self._ndk = NdkClient(NpuBufferManager(self._service(), self.driver))
        return self._ndk

    # --- descriptors -------------------------------------------------------------------------------

    def keep(self, fd: int) -> int:
        """A descriptor is the process's own from now on."""
        self._fds.add(fd)
        return fd

    def receive(self, fd: int, giver: AgentMemory) -> int:
        """A copy of another process's descriptor, as binder brings it."""
        file = giver.peer.pass_on(fd, self.peer)
        self._files[file.fileno()] = file
        return file.fileno()

    def close(self, fd: int) -> None:
        """Closes one of its descriptors."""
        self._close(fd)
        self._port.collect()

    def _close(self, fd: int) -> None:
        if (file := self._files.pop(fd, None)) is not None:
            file.close()
        else:
            self._fds.discard(fd)
            self._descriptors.close(fd)

    def end(self) -> None:
        """The process does something else from now on: all that it has mapped and open is given up."""
        for mapping in self._mappings:
            # The agent may have been lost, and the stand-in replaced by another boot's.
            with suppress(OSError, BinderError):
                mapping.close()
        for fd in (*self._fds, *self._files):
            self._close(fd)
        self._port.close()

    def without_descriptors(self) -> AbstractContextManager[None]:
        """Not possible: a stand-in makes descriptors in a process of its own. Raises OSError."""
        raise refusal(ENOTSUP, "an agent's process is not kept from opening descriptors")

    # --- what it opens -----------------------------------------------------------------------------

    def dmabuf(self, size: int) -> int:
        """A dma-buf of the first heap there is."""
        return self.keep(self._port.allocate(self._heap, size))

    def file(self, content: bytes) -> int:
        """A file, open for reading, that has no name."""
        return self._new_file(content, OpenFlag.READ)

    def special(self, kind: str) -> int:
        """A descriptor of a kind that is no file to be loaded; see `SPECIAL`."""
        with as_os_errors():
            if kind == "write-only":
                return self._new_file(bytes(8192), OpenFlag.WRITE)
            if kind == "pipe":
                reading, writing = self._descriptors.pipe()
                self._descriptors.close(writing)
                return self.keep(reading)
            if kind == "memfd":
                return self.keep(self._descriptors.create())
            return self.keep(self._descriptors.open(*SPECIAL[kind]))

    def _new_file(self, content: bytes, flags: OpenFlag) -> int:
        with as_os_errors(), temporary_file(self.peer.device) as file:
            file.write(content)
            return self.keep(self._descriptors.open(f"/proc/self/fd/{file.fileno()}", flags))

    def read(self, fd: int, length: int) -> bytes:
        """What a descriptor yields to somebody who does not ask the driver, b"" if nothing."""
        try:
            with RemoteFile(self._descriptors.copy(fd), self.peer.device) as file:
                return file.read_some(length, 0)
        except AgentError:
            return b""

    def map(self, fd: int, length: int, prot: int, *, shared: bool = True, offset: int = 0) -> WrapMapping:
        """Maps a wrap."""
        mapping = self.driver.map(fd, length, prot, shared=shared, offset=offset)
        self._mappings.append(mapping)
        return mapping


def temporary_file(device: RemoteDevice) -> RemoteFile:
    """A file without a name where a driver can load it. Raises OSError if the agent's user can make none."""
    failures = []
    for folder in FOLDERS:
        try:
            return device.open_file(folder, _TEMPORARY)
        except AgentError as error:
            failures.append(f"{folder}: {error}")
    raise refusal(ENOENT, f"the agent's user can make no file: {'; '.join(failures)}")


SPECIAL: Mapping[str, tuple[str, OpenFlag]] = {
    "path": ("/", OpenFlag.READ | OpenFlag.PATH),
    "directory": ("/", OpenFlag.READ),
    "zero": ("/dev/zero", OpenFlag.READ),
    "proc": ("/proc/self/status", OpenFlag.READ),
}
"""What is opened over there, by kind; the others have no path."""
