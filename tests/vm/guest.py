"""Programs for the machine's Python that use the binder driver with nothing but the standard library."""

from __future__ import annotations

VERSION = """
import fcntl, os, struct, sys
device = os.open(sys.argv[1], os.O_RDWR | os.O_CLOEXEC)
print(*struct.unpack("i", fcntl.ioctl(device, 0xC0046209, bytes(4))))
"""

BECOME_CONTEXT_MANAGER = """
import errno, fcntl, os, sys
device = os.open(sys.argv[1], os.O_RDWR | os.O_CLOEXEC)
try:
    fcntl.ioctl(device, 0x40046207, 0)
except OSError as error:
    print(errno.errorcode[error.errno])
else:
    print("claimed")
    sys.stdin.read()  # for as long as the input is open
"""
