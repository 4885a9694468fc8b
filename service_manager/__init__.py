"""The service manager, by which processes find each other: its client and a server.

Both are made of the stubs that `codegen` made of its AIDL, and speak the dialect of any API level
from 29 to 37. They run on whatever carries their calls.
"""

from .client import AccessorError, DumpPriority, ServiceManager, Wait
from .clients import CountReferences
from .codes import Edition, editions_of
from .policy import Policy
from .server import ServiceManagerServer

__all__ = [
    "AccessorError",
    "CountReferences",
    "DumpPriority",
    "Edition",
    "Policy",
    "ServiceManager",
    "ServiceManagerServer",
    "Wait",
    "editions_of",
]
