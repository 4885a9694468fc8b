"""Our service manager as the context manager of a binder device, in a child process."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

from binder.kernel import DeviceError, KernelProcess, LocalDevice
from reference_impl.constants import HAL_SERVICE
from reference_impl.kernel_processes import NoServiceManager
from service_manager import ServiceManagerServer

_READY = b"+"


class NamesProcess:
    """The child. It ends with `close`, or with this process.

    To be made before this process has threads.

    Raises:
        NoServiceManager: the device has a context manager, or cannot be opened.
    """

    def __init__(self, path: str) -> None:
        answer, say = os.pipe()
        wait, self._held = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(answer)
            os.close(self._held)
            _serve(path, say, wait)
        os.close(say)
        os.close(wait)
        with os.fdopen(answer, "rb") as stream:
            said = stream.read()
        if said != _READY:
            self.close()
            raise NoServiceManager(said.decode() or "the service manager does not start")

    def close(self) -> None:
        os.close(self._held)
        os.waitpid(self._pid, 0)


def _serve(path: str, say: int, wait: int) -> NoReturn:
    """Serves until the other end of `wait` is closed."""
    code = 1
    try:
        # A terminal sends Ctrl-C to all; this process goes when its parent has.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        with KernelProcess(LocalDevice(path)) as process:
            process.become_context_manager(ServiceManagerServer(declared=[HAL_SERVICE]))
            os.write(say, _READY)
            os.close(say)
            os.read(wait, 1)
        code = 0
    except DeviceError as error:
        os.write(say, str(error).encode())
    finally:
        os._exit(code)
