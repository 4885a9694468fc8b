"""Statuses and exceptions as errnos."""

from __future__ import annotations

from errno import EACCES, EBADF, EBADMSG, ECONNRESET, EINVAL, ENOMEM, ENOSYS, EPIPE

import pytest

from binder import (
    BinderError,
    DeadObjectError,
    ParcelableException,
    ServiceSpecificException,
    Status,
    StatusError,
)
from binder.errors import REMOTE_EXCEPTIONS
from binder.protocol import ExceptionCode
from reference_impl.buffers.ndk_errors import errno_of

CASES = [
    (ExceptionCode.SECURITY, EACCES),
    (ExceptionCode.BAD_PARCELABLE, EBADMSG),
    (ExceptionCode.ILLEGAL_ARGUMENT, EINVAL),
    (ExceptionCode.NULL_POINTER, EINVAL),
    (ExceptionCode.ILLEGAL_STATE, EINVAL),
    (ExceptionCode.NETWORK_MAIN_THREAD, ECONNRESET),
    (ExceptionCode.UNSUPPORTED_OPERATION, ENOSYS),
]


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_exceptions(code: ExceptionCode, expected: int) -> None:
    assert errno_of(REMOTE_EXCEPTIONS[code]("x")) == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ServiceSpecificException(7), 7),
        (ServiceSpecificException(0), ECONNRESET),
        (ParcelableException("x"), ECONNRESET),
        (DeadObjectError(), EPIPE),
        (StatusError(Status.NO_MEMORY), ENOMEM),
        (StatusError(Status.BAD_TYPE), EINVAL),
        (StatusError(Status.UNEXPECTED_NULL), EINVAL),
        (StatusError(Status.FDS_NOT_ALLOWED), EBADF),
        (StatusError(Status.FAILED_TRANSACTION), ECONNRESET),
        (StatusError(Status.UNKNOWN_ERROR), ECONNRESET),
        (StatusError(-9999), ECONNRESET),
        (StatusError(5), ECONNRESET),
        (BinderError("x"), ECONNRESET),
    ],
)
def test_others(error: BinderError, expected: int) -> None:
    assert errno_of(error) == expected
