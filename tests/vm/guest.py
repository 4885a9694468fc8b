"""Programs for the machine's Python that use the binder driver with nothing but the standard library."""

from __future__ import annotations

VERSION = """
import fcntl, os, struct, sys
device = os.open(sys.argv[1], os.O_RDWR | os.O_CLOEXEC)
print(*struct.unpack("i", fcntl.ioctl(device, 0xC0046209, bytes(4))))
"""

BECOME_CONTEXT_MANAGER = """
import errno, fcntl, os, sys, time
device = os.open(sys.argv[1], os.O_RDWR | os.O_CLOEXEC)
said = errno.EBUSY
deadline = time.monotonic() + 10
# The driver lets go of a manager whose process has ended some time after that end.
while said == errno.EBUSY and time.monotonic() < deadline:
    try:
        fcntl.ioctl(device, 0x40046207, 0)
        said = 0
    except OSError as error:
        said = error.errno
print(errno.errorcode.get(said, "claimed"))
"""
