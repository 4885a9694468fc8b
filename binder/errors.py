"""What can go wrong, in four branches.

- `UsageError`: this program misused the library; nothing was sent.
- `ParcelError`: bytes from a peer could not be read; says where and what was wanted.
- `StatusError`: a transaction failed below AIDL (dead process, unknown code, ...).
- `RemoteException`: the other side's implementation answered with an AIDL exception.
"""

from __future__ import annotations

from typing import ClassVar

from .protocol import ExceptionCode, Status

_LONGEST_SHOWN = 80


def shown(value: object) -> str:
    """A value for a message: its repr, not too long, whatever the value may be."""
    try:
        text = repr(value)
    except Exception:
        # Some values have none: an int of thousands of digits, for one.
        return f"{type(value).__name__} without a repr"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


class BinderError(Exception):
    """The root of everything this library raises."""


class UsageError(BinderError, ValueError):
    """A value that cannot be written, or a call that makes no sense. The message says which."""


class NullValueError(UsageError):
    """None was to be written where the AIDL says that there is no null."""


class ParcelError(BinderError):
    """A parcel that cannot be read as what it should be.

    Attributes:
        status: what libbinder answers to such a parcel.
        message: what is wrong.
        offset: where in the parcel, in bytes.
        wanted, available: bytes needed at `offset` and bytes there, where that was the trouble.
    """

    def __init__(
        self,
        status: Status,
        message: str,
        *,
        offset: int = 0,
        wanted: int | None = None,
        available: int | None = None,
    ) -> None:
        self.status = status
        self.message = message
        self.offset = offset
        self.wanted = wanted
        self.available = available
        super().__init__(status, message)

    def __str__(self) -> str:
        return f"{self.message} at offset {self.offset} ({self.status.name})"


class StatusError(BinderError):
    """A transaction that ended with a status instead of a reply.

    Attributes:
        status: its number; see `Status`.
        message: what else is known, for people; it does not travel.
    """

    def __init__(self, status: int, message: str = "") -> None:
        self.status = status
        self.message = message
        name = Status(status).name if status in Status.__members__.values() else f"status {status}"
        super().__init__(f"{name}: {message}" if message else name)


class DeadObjectError(StatusError):
    """The process behind the binder is gone. Get the service again, or give up."""

    def __init__(self, message: str = "") -> None:
        super().__init__(Status.DEAD_OBJECT, message)


def status_error(status: int, message: str = "") -> StatusError:
    """The error for a status other than OK, as its most specific class."""
    return DeadObjectError(message) if status == Status.DEAD_OBJECT else StatusError(status, message)


class RemoteException(BinderError):
    """An AIDL exception: raised by an implementation, it travels, and is raised at the caller.

    Attributes:
        code: its number on the wire.
        message: what the implementation said; may be None where the peer is Java.
    """

    code: ClassVar[ExceptionCode]

    def __init__(self, message: str | None = "") -> None:
        self.message = message
        super().__init__(message or "")


class SecurityException(RemoteException):
    """The caller may not do this."""

    code = ExceptionCode.SECURITY


class BadParcelableException(RemoteException):
    """The request, or a value in it, could not be read, or had more in it than was wanted."""

    code = ExceptionCode.BAD_PARCELABLE


class IllegalArgumentException(RemoteException):
    """An argument is out of its range, or makes no sense here."""

    code = ExceptionCode.ILLEGAL_ARGUMENT


class NullPointerException(RemoteException):
    """An argument is null that must not be."""

    code = ExceptionCode.NULL_POINTER


class IllegalStateException(RemoteException):
    """This cannot be done now."""

    code = ExceptionCode.ILLEGAL_STATE


class NetworkOnMainThreadException(RemoteException):
    """A Java service refused to use the network on its main thread."""

    code = ExceptionCode.NETWORK_MAIN_THREAD


class UnsupportedOperationException(RemoteException):
    """The service does not do this, at least not on this device."""

    code = ExceptionCode.UNSUPPORTED_OPERATION


class ServiceSpecificException(RemoteException):
    """An error number that the service defines, with a message."""

    code = ExceptionCode.SERVICE_SPECIFIC

    def __init__(self, error: int, message: str | None = "") -> None:
        super().__init__(message)
        self.error = error

    def __str__(self) -> str:
        return f"error {self.error}: {self.message}" if self.message else f"error {self.error}"


class ParcelableException(RemoteException):
    """A Java exception that is itself a parcelable. Its class name is all that is kept."""

    code = ExceptionCode.PARCELABLE

    def __init__(self, message: str | None = "", class_name: str = "") -> None:
        super().__init__(message)
        self.class_name = class_name


REMOTE_EXCEPTIONS: dict[int, type[RemoteException]] = {
    cls.code: cls
    for cls in (
        SecurityException,
        BadParcelableException,
        IllegalArgumentException,
        NullPointerException,
        IllegalStateException,
        NetworkOnMainThreadException,
        UnsupportedOperationException,
        ServiceSpecificException,
        ParcelableException,
    )
}
