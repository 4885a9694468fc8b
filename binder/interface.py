"""AIDL interfaces: what generated proxies and stubs share.

A method is a row of data with four functions, which write and read its request and its reply. The
proxy, the stub, and whoever wants to know what went over the wire all use the same row.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar

from .errors import (
    BadParcelableException,
    DeadObjectError,
    NullPointerException,
    NullValueError,
    ParcelError,
    RemoteException,
    SecurityException,
    StatusError,
    UsageError,
)
from .ibinder import IBinder
from .node import Binder, log
from .parcel import Parcel
from .protocol import GET_INTERFACE_HASH, GET_INTERFACE_VERSION, Stability, Status, TransactionFlag
from .reply import read_exception, write_exception, write_no_exception
from .token import enforce_interface

R = TypeVar("R")


def _write_nothing(parcel: Parcel, *values: object) -> None:
    pass


def _read_nothing(parcel: Parcel) -> Any:
    return None


def _read_no_arguments(parcel: Parcel) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Permission:
    """What `@EnforcePermission` demands of a method's caller.

    Attributes:
        all_of, any_of: names of permissions; one of the two is empty.
    """

    all_of: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()

    def check(self, holds: Callable[[str], bool]) -> None:
        """Raises `SecurityException` unless `holds`, asked of one permission at a time, is content."""
        if missing := [name for name in self.all_of if not holds(name)]:
            raise SecurityException(f"Access denied, requires: {', '.join(missing)}")
        if self.any_of and not any(holds(name) for name in self.any_of):
            raise SecurityException(f"Access denied, requires one of: {', '.join(self.any_of)}")


@dataclass(frozen=True, slots=True, eq=False)
class Method(Generic[R]):
    """One method of an interface.

    Attributes:
        name: as in the AIDL.
        code: its transaction code.
        parameters: names of what a request carries, in order.
        attribute: what the method is called in Python, where that differs from `name`.
        permission: what a caller must hold, for the implementation to enforce; None for nothing.
        deprecated: what to use instead, where the AIDL calls the method deprecated.
        write_request, read_request: the arguments to and from a request, token excluded.
        write_reply, read_reply: the result to and from a reply, exception header excluded.
    """

    name: str
    code: int
    parameters: tuple[str, ...] = ()
    oneway: bool = False
    attribute: str = ""
    permission: Permission | None = None
    deprecated: str = ""
    write_request: Callable[..., None] = _write_nothing
    read_request: Callable[[Parcel], tuple[Any, ...]] = _read_no_arguments
    write_reply: Callable[[Parcel, R], None] = _write_nothing
    read_reply: Callable[[Parcel], R] = _read_nothing


@dataclass(frozen=True, eq=False)
class InterfaceInfo:
    """What is known of an interface.

    Attributes:
        descriptor: what its token says.
        methods: in the order of the AIDL.
        version, hash: of a frozen interface; 0 and "" for one that is not.
    """

    descriptor: str
    methods: Sequence[Method[Any]]
    version: int = 0
    hash: str = ""
    stability: Stability = Stability.SYSTEM
    by_code: dict[int, Method[Any]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_code", {method.code: method for method in self.methods})


class Interface(ABC):
    """Base of every generated interface."""

    aidl: ClassVar[InterfaceInfo]
    _proxy: ClassVar[type[Proxy]]

    @abstractmethod
    def as_binder(self) -> IBinder:
        """The binder behind this object."""

    @classmethod
    def from_binder(cls, binder: IBinder) -> Self:
        """This interface on a binder: the object itself if it lives here, else a proxy.

        Raises:
            UsageError: it is no binder; a look-up that found nothing gives None.
        """
        given: object = binder
        if not isinstance(given, IBinder):
            raise UsageError(f"{cls.__name__} needs a binder, not {binder!r}")
        here: object = binder
        if isinstance(here, cls):
            return here
        kind = getattr(cls, "_proxy", None)
        proxy: object = None if kind is None else kind(binder)
        if not isinstance(proxy, cls):
            raise UsageError(f"{cls.__name__} has no proxy")
        return proxy

    @abstractmethod
    def getInterfaceVersion(self) -> int:
        """The version that the serving side implements; 0 if the interface has none."""

    @abstractmethod
    def getInterfaceHash(self) -> str:
        """The hash of that version; "" if the interface has none."""


class Proxy:
    """The calling side of an interface. Generated `Bp...` classes add its methods."""

    aidl: ClassVar[InterfaceInfo]

    def __init__(self, binder: IBinder) -> None:
        self._binder = binder
        self._version: int | None = None
        self._hash: str | None = None

    def __init_subclass__(cls) -> None:
        for base in cls.__bases__:
            if issubclass(base, Interface):
                base._proxy = cls

    def as_binder(self) -> IBinder:
        return self._binder

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proxy) and self._binder is other._binder

    def __hash__(self) -> int:
        return hash(id(self._binder))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._binder!r})"

    def _call(self, method: Method[R], *args: object) -> R:
        if method.deprecated:
            text = f"{self.aidl.descriptor}.{method.name} is deprecated: {method.deprecated}"
            warnings.warn(text, DeprecationWarning, stacklevel=3)
        binder = self._binder
        data = binder.new_parcel()
        data.write_interface_token(self.aidl.descriptor)
        method.write_request(data, *args)
        if method.oneway:
            reply = binder.transact(method.code, data, TransactionFlag.ONE_WAY)
            return method.read_reply(reply)
        with binder.transact(method.code, data, TransactionFlag.ACCEPT_FDS) as reply:
            read_exception(reply)
            return method.read_reply(reply)

    def getInterfaceVersion(self) -> int:
        if self._version is None:
            self._version = self._ask(GET_INTERFACE_VERSION, Parcel.read_int32, 0)
        return self._version

    def getInterfaceHash(self) -> str:
        if self._hash is None:
            self._hash = self._ask(GET_INTERFACE_HASH, _read_text, "")
        return self._hash

    def _ask(self, code: int, read: Callable[[Parcel], R], without: R) -> R:
        """Asks for something only versioned interfaces have; `without` is what others answer."""
        data = self._binder.new_parcel()
        data.write_interface_token(self.aidl.descriptor)
        try:
            reply = self._binder.transact(code, data, TransactionFlag.ACCEPT_FDS)
        except StatusError as error:
            if error.status == Status.UNKNOWN_TRANSACTION:
                return without
            raise
        with reply:
            read_exception(reply)
            return read(reply)


def _read_text(parcel: Parcel) -> str:
    return parcel.non_null(parcel.read_string16())


class Stub(Binder):
    """The serving side of an interface. Subclass a generated `Bn...` and write its methods."""

    aidl: ClassVar[InterfaceInfo]

    def __init_subclass__(cls) -> None:
        info: InterfaceInfo | None = getattr(cls, "aidl", None)
        # A class that states its own level keeps it, and so do its subclasses.
        declared = next(base for base in cls.__mro__ if "stability" in vars(base))
        if info is not None and declared is Binder:
            cls.stability = info.stability

    def as_binder(self) -> IBinder:
        return self

    def own_descriptor(self) -> str:
        return self.aidl.descriptor

    def getInterfaceVersion(self) -> int:
        return self.aidl.version

    def getInterfaceHash(self) -> str:
        return self.aidl.hash

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        method = self.aidl.by_code.get(code)
        if method is not None:
            enforce_interface(data, self.aidl.descriptor)
            self._serve(method, data, reply)
        elif self.aidl.version and code in (GET_INTERFACE_VERSION, GET_INTERFACE_HASH):
            enforce_interface(data, self.aidl.descriptor)
            write_no_exception(reply)
            if code == GET_INTERFACE_VERSION:
                reply.write_int32(self.getInterfaceVersion())
            else:
                reply.write_string16(self.getInterfaceHash())
        else:
            super().on_transact(code, data, reply, flags)

    def _serve(self, method: Method[Any], data: Parcel, reply: Parcel) -> None:
        try:
            args = self._read_request(method, data)
            result = self._invoke(method, args)
        except RemoteException as error:
            if method.oneway:
                log.warning("%s.%s: %s", self.aidl.descriptor, method.name, error)
            else:
                write_exception(reply, error)
            return
        if not method.oneway:
            write_no_exception(reply)
            self._write_reply(method, reply, result)

    def _write_reply(self, method: Method[Any], reply: Parcel, result: Any) -> None:
        try:
            method.write_reply(reply, result)
        except NullValueError as error:
            log.exception("%s.%s returned null", self.aidl.descriptor, method.name)
            raise StatusError(Status.UNEXPECTED_NULL, f"{error} in {method.name}") from error

    def _read_request(self, method: Method[Any], data: Parcel) -> tuple[Any, ...]:
        try:
            args = method.read_request(data)
            if data.remaining:
                raise BadParcelableException(f"Parcel data not fully consumed, unread size: {data.remaining}")
        except BaseException as error:
            data.discard()
            # The one parse error that libbinder's C++ stubs turn into an exception.
            if isinstance(error, ParcelError) and error.status is Status.UNEXPECTED_NULL:
                raise NullPointerException from error
            raise
        return args

    def _invoke(self, method: Method[Any], args: tuple[Any, ...]) -> Any:
        try:
            return getattr(self, method.attribute or method.name)(*args)
        except (DeadObjectError, ParcelError) as error:
            # Said of somebody else whom the implementation called. Passed on, the caller would
            # take it as said of this service.
            log.exception("%s.%s failed", self.aidl.descriptor, method.name)
            raise StatusError(Status.UNKNOWN_ERROR, f"{error} in {method.name}") from error
