"""Binder through the kernel's driver.

`commands` (the driver's language) and `call` (what a thread waits for) do no I/O; `device` does; `thread`
holds the conversation; `process` knows the objects and starts the threads; `deaths` knows who is to be
told of a death. `remote` is a device that an agent has open on another machine: `framing` has the bytes of
what is said, `link` says it over one of the `streams`.
"""

from .commands import ProtocolError
from .device import Device, DeviceError, LocalDevice
from .process import KernelProcess
from .proxy import KernelProxy

__all__ = ["Device", "DeviceError", "KernelProcess", "KernelProxy", "LocalDevice", "ProtocolError"]
