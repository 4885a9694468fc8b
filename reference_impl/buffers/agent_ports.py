"""Ways to a wrapfd driver for a process that an agent is: the machine's own driver, or a stand-in's socket.

Descriptors are numbers of the agent's. Everything raises OSError as the system calls do over there.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from binder.kernel.framing import OpenFlag
from binder.kernel.link import AgentError, NoAnswerError
from binder.kernel.remote import RemoteDevice
from binder.kernel.remote_descriptors import RemoteDescriptors, RemoteMapping, RemoteView
from binder.kernel.remote_file import RemoteFile

from .kernel import KernelMapping, driver_lines
from .wrapfd import DEVICE_PATH, Request

_READ_WRITE: Final = OpenFlag.READ | OpenFlag.WRITE


@contextmanager
def as_os_errors() -> Iterator[None]:
    """What the agent's machine refuses becomes the OSError that it is there."""
    try:
        yield
    except NoAnswerError as error:
        raise OSError(errno.ETIMEDOUT, str(error)) from error
    except AgentError as error:
        raise OSError(error.number or errno.EIO, str(error)) from error


class AgentPages:
    """A mapping of the agent's."""

    def __init__(self, mapping: RemoteMapping) -> None:
        self._mapping = mapping
        self.length = mapping.length

    @property
    def view(self) -> RemoteView:
        """The memory. Whether a part can be read or written shows when that is tried."""
        return RemoteView(self)

    @property
    def prot(self) -> int:
        return self._mapping.prot

    def read(self, offset: int, size: int) -> bytes:
        with as_os_errors():
            return self._mapping.read(offset, size)

    def write(self, offset: int, data: bytes) -> None:
        with as_os_errors():
            self._mapping.write(offset, data)

    def remove(self, offset: int, length: int) -> None:
        with as_os_errors():
            self._mapping.remove(offset, length)

    def protect(self, offset: int, length: int, prot: int) -> None:
        with as_os_errors():
            self._mapping.protect(offset, length, prot)

    def close(self) -> None:
        with as_os_errors():
            self._mapping.close()


class AgentChannel:
    """An agent's connection to a stand-in.

    Args:
        device: to the agent.
        name: of the socket, one of the kernel's.

    Raises:
        OSError: nobody serves there.
    """

    def __init__(self, device: RemoteDevice, name: str) -> None:
        self.name = name
        self._descriptors = RemoteDescriptors(device)
        with as_os_errors():
            self._socket = self._descriptors.connect(b"\0" + name.encode())

    def exchange(self, data: bytes, fds: list[int]) -> tuple[bytes, list[int]]:
        with as_os_errors():
            return self._descriptors.exchange(self._socket, data, fds)

    def is_open(self, fd: int) -> bool:
        if not 0 <= fd < 1 << 31:
            return False
        try:
            self._descriptors.check(fd)
        except AgentError:
            return False
        return True

    def map(self, fd: int, length: int, prot: int, *, shared: bool, offset: int) -> AgentPages:
        with as_os_errors():
            return AgentPages(self._descriptors.map(fd, length, prot, shared=shared, offset=offset))

    def close_fd(self, fd: int) -> None:
        self._descriptors.close(fd)

    def close(self) -> None:
        self._descriptors.close(self._socket)


class AgentKernelPort:
    """An agent's way to its machine's driver: one request to the agent for each system call.

    Args:
        device: to the agent.
        path: of the driver's device.

    Raises:
        OSError: it is not there, or the agent's user may not open it.
    """

    def __init__(self, device: RemoteDevice, path: str = DEVICE_PATH) -> None:
        self._path = path
        self._device = device
        self._descriptors = RemoteDescriptors(device)
        with as_os_errors():
            self._driver = self._descriptors.open(path, _READ_WRITE)

    @property
    def name(self) -> str:
        return self._path

    def wrap(self, argument: bytes) -> int:
        with as_os_errors():
            return self._descriptors.control(self._driver, Request.WRAP, argument)[0]

    def ioctl(self, fd: int, request: int, argument: bytes) -> tuple[int, bytes]:
        with as_os_errors():
            return self._descriptors.control(fd, request, argument or 0)

    def mmap(
        self, fd: int, length: int, prot: int, *, shared: bool, offset: int
    ) -> KernelMapping[RemoteView]:
        with as_os_errors():
            return KernelMapping(
                AgentPages(self._descriptors.map(fd, length, prot, shared=shared, offset=offset))
            )

    def lseek(self, fd: int, offset: int, whence: int) -> int:
        with as_os_errors():
            return self._descriptors.seek(fd, offset, whence)

    def fdinfo(self, fd: int) -> dict[str, str]:
        with as_os_errors():
            number = self._descriptors.open(f"/proc/self/fdinfo/{fd}")
            with RemoteFile(number, self._device) as file:
                return driver_lines(file.read().decode(errors="replace"))

    def collect(self) -> None:
        """The kernel sees descriptors being closed."""

    def close(self) -> None:
        self._descriptors.close(self._driver)
