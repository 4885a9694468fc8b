"""What generated AIDL code runs on: parcels, binders, interfaces, errors.

Layers, lowest first: `protocol` (numbers), `errors`, `flat`, `token`, `values` and `buffer`
(plain data), `parcel` (objects too), `bundle`, `fds`, `reply`, then `ibinder`, `node` and
`interface` (who answers), and `identity` (who asks). None of these does any I/O of a driver's:
that is in `binder.local`, where processes live side by side in this one.
"""

from .buffer import string16_bytes, utf16_unit
from .bundle import BundleType, PersistableBundle
from .console import ShellResult, dump, shell_command
from .errors import (
    BadParcelableException,
    BinderError,
    DeadObjectError,
    IllegalArgumentException,
    IllegalStateException,
    NetworkOnMainThreadException,
    NullPointerException,
    NullValueError,
    ParcelableException,
    ParcelError,
    RemoteException,
    SecurityException,
    ServiceSpecificException,
    StatusError,
    UnsupportedOperationException,
    UsageError,
)
from .fds import ParcelFileDescriptor
from .holder import ParcelableHolder, read_holder
from .ibinder import DeathRecipient, IBinder
from .identity import calling_pid, calling_uid, clear_calling_identity
from .interface import Interface, InterfaceInfo, Method, Permission, Proxy, Stub
from .node import Binder
from .parcel import Parcel, exactly, given, marked_bytes, sized_body
from .protocol import ExceptionCode, SpecialCode, Stability, Status, TransactionFlag
from .token import InterfaceToken
from .values import FixedBody, OpaqueParcelable, OpenEnum, Parcelable, ParcelableInfo, Run, int8, packer

__all__ = [
    "BadParcelableException",
    "Binder",
    "BinderError",
    "BundleType",
    "DeadObjectError",
    "DeathRecipient",
    "ExceptionCode",
    "FixedBody",
    "IBinder",
    "IllegalArgumentException",
    "IllegalStateException",
    "Interface",
    "InterfaceInfo",
    "InterfaceToken",
    "Method",
    "NetworkOnMainThreadException",
    "NullPointerException",
    "NullValueError",
    "OpaqueParcelable",
    "OpenEnum",
    "Parcel",
    "ParcelError",
    "ParcelFileDescriptor",
    "Parcelable",
    "ParcelableException",
    "ParcelableHolder",
    "ParcelableInfo",
    "Permission",
    "PersistableBundle",
    "Proxy",
    "RemoteException",
    "Run",
    "SecurityException",
    "ServiceSpecificException",
    "ShellResult",
    "SpecialCode",
    "Stability",
    "Status",
    "StatusError",
    "Stub",
    "TransactionFlag",
    "UnsupportedOperationException",
    "UsageError",
    "calling_pid",
    "calling_uid",
    "clear_calling_identity",
    "dump",
    "exactly",
    "given",
    "int8",
    "marked_bytes",
    "packer",
    "read_holder",
    "shell_command",
    "sized_body",
    "string16_bytes",
    "utf16_unit",
]
