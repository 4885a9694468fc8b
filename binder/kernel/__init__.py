"""Binder through the kernel's driver.

`commands` (the driver's language) and `call` (what a thread waits for) do no I/O; `device` does; `thread`
holds the conversation; `process` knows the objects and starts the threads; `deaths` knows who is to be
told of a death.
"""

from .commands import ProtocolError
from .device import Device, DeviceError, LocalDevice
from .process import KernelProcess
from .proxy import KernelProxy

__all__ = ["Device", "DeviceError", "KernelProcess", "KernelProxy", "LocalDevice", "ProtocolError"]
