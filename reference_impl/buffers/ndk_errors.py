"""What the NDK makes of a failed call: an errno. The table is that of the NDK client in the buffer facts."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Final

from binder import BinderError, ExceptionCode, RemoteException, ServiceSpecificException, Status, StatusError

OTHERWISE: Final = errno.ECONNRESET

EXCEPTION_ERRNOS: Final[Mapping[ExceptionCode, int]] = {
    ExceptionCode.SECURITY: errno.EACCES,
    ExceptionCode.BAD_PARCELABLE: errno.EBADMSG,
    ExceptionCode.ILLEGAL_ARGUMENT: errno.EINVAL,
    ExceptionCode.NULL_POINTER: errno.EINVAL,
    ExceptionCode.ILLEGAL_STATE: errno.EINVAL,
    ExceptionCode.NETWORK_MAIN_THREAD: errno.ECONNRESET,
    ExceptionCode.UNSUPPORTED_OPERATION: errno.ENOSYS,
}

STATUS_ERRNOS: Final[Mapping[int, int]] = {
    Status.BAD_TYPE: errno.EINVAL,
    Status.UNEXPECTED_NULL: errno.EINVAL,
    Status.FDS_NOT_ALLOWED: errno.EBADF,
}
"""Statuses that are no negated errno."""


def errno_of(error: BinderError) -> int:
    """The errno for how a call failed."""
    if isinstance(error, ServiceSpecificException):
        return error.error or OTHERWISE
    if isinstance(error, RemoteException):
        return EXCEPTION_ERRNOS.get(error.code, OTHERWISE)
    if isinstance(error, StatusError):
        negated = -error.status if -error.status in errno.errorcode else OTHERWISE
        return STATUS_ERRNOS.get(error.status, negated)
    return OTHERWISE
