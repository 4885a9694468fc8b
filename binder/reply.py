"""The header of a reply: success, or the exception that travels instead of results."""

from __future__ import annotations

from .errors import REMOTE_EXCEPTIONS, ParcelableException, RemoteException, ServiceSpecificException
from .parcel import Parcel
from .protocol import ExceptionCode, Status


def write_no_exception(reply: Parcel) -> None:
    """The header of a reply whose results follow."""
    reply.write_int32(ExceptionCode.NONE)


def write_exception(reply: Parcel, error: RemoteException) -> None:
    """The whole of a reply that carries an exception. No stack trace is sent."""
    reply.write_int32(error.code)
    reply.write_string16(error.message or "")
    reply.write_int32(0)
    if isinstance(error, ServiceSpecificException):
        reply.write_int32(error.error)
    elif isinstance(error, ParcelableException):
        reply.write_int32(0)


def read_exception(reply: Parcel) -> None:
    """Reads a reply's header. Raises what it carries; returns if results follow."""
    code = reply.read_int32()
    if code == ExceptionCode.HAS_NOTED_APPOPS_REPLY_HEADER:
        _skip_sized(reply)
        code = reply.read_int32()
    if code == ExceptionCode.HAS_STRICTMODE_REPLY_HEADER:
        _skip_sized(reply)
        code = ExceptionCode.NONE
    if code == ExceptionCode.NONE:
        return
    message = reply.read_string16()
    _skip_sized(reply, optional=True)
    if code == ExceptionCode.SERVICE_SPECIFIC:
        raise ServiceSpecificException(reply.read_int32(), message)
    if code == ExceptionCode.PARCELABLE:
        size = reply.read_int32()
        raise ParcelableException(message, (reply.read_string16() or "") if size > 4 else "")
    kind = REMOTE_EXCEPTIONS.get(code)
    if kind is None:
        raise reply.error(Status.UNKNOWN_ERROR, f"a reply with unknown exception code {code}")
    raise kind(message)


def _skip_sized(reply: Parcel, *, optional: bool = False) -> None:
    """Skips a block that opens with its own size; 0 stands for no block where it is optional."""
    start = reply.position
    size = reply.read_int32()
    if optional and size == 0:
        return
    if not 4 <= size <= 4 + reply.remaining or size % 4:
        reply.position = start
        raise reply.error(Status.UNKNOWN_ERROR, f"a reply header block of {size} bytes")
    reply.position = start + size
