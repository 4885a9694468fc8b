"""A service manager of one's own: for tests, or as the context manager of a binder device."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from binder import (
    Binder,
    BinderError,
    DeathRecipient,
    IBinder,
    IllegalArgumentException,
    IllegalStateException,
    InterfaceInfo,
    Method,
    Parcel,
    ParcelError,
    RemoteException,
    SecurityException,
    Stability,
    Status,
    StatusError,
    TransactionFlag,
    UnsupportedOperationException,
    calling_pid,
    calling_uid,
)
from binder.identity import CallingIdentity, serving_pid
from binder.node import log
from binder.protocol import LATEST_API_LEVEL, TokenHeader
from generated.android.os import (
    BnServiceManager,
    CallerContext,
    ConnectionInfo,
    IClientCallback,
    IServiceCallback,
    Service,
    ServiceDebugInfo,
    ServiceWithMetadata,
)

from .clients import OWN, OWN_AND_OF_CALL, Clients, CountReferences
from .codes import Edition, chosen
from .policy import Policy, is_app, is_isolated
from .registry import Callbacks, Registration, Registrations
from .rows import interface_of
from .tokens import accept_token

OWN_NAME = "manager"

_NAME = re.compile(r"[A-Za-z0-9_\-./]{1,127}")
_ON_REGISTRATION = next(iter(IServiceCallback.aidl.methods))
_ON_CLIENTS = next(iter(IClientCallback.aidl.methods))


class ServiceManagerServer(BnServiceManager):
    """Serves IServiceManager in the form of one API level, whatever carries its calls.

    It has no time of its own: whoever counts references should call `poll_clients` every few seconds.

    Args:
        api_level: decides what codes mean, and the variant of all parcels in and out. The transport
            should be of the same level, or at least (31 and 32, and 29, stand apart) of a like one.
        edition: which of the forms that the API level can have; the newest unless given.
        declared: what the device's manifest promises, as `interface/instance`.
        apexes: by declared service, the APEX that it can be updated through.
        connections: by declared service, where it is if it is on another machine.
        policy: who may do what; by default everybody everything that the rules allow.
        token_headers: of which libbinders calls are accepted; its own calls have the first.
        count_references: how many hold a binder; see `CountReferences`.
        start_service: asked to start a service that somebody wants and that is not there.

    Attributes:
        waiting: the callbacks of those who want to hear of a service.
    """

    def __init__(
        self,
        *,
        api_level: int = LATEST_API_LEVEL,
        edition: Edition | None = None,
        declared: Iterable[str] = (),
        apexes: Mapping[str, str] | None = None,
        connections: Mapping[str, ConnectionInfo] | None = None,
        policy: Policy | None = None,
        token_headers: Sequence[TokenHeader] = (TokenHeader.SYSTEM,),
        count_references: CountReferences | None = None,
        start_service: Callable[[str], None] | None = None,
    ) -> None:
        self.api_level = api_level
        self.edition = chosen(api_level, edition)
        self.declared = frozenset(declared)
        self._apexes = dict(apexes or {})
        self._connections = dict(connections or {})
        self._policy = policy or Policy()
        self._token_headers = tuple(token_headers) or (TokenHeader.SYSTEM,)
        self._start_service = start_service
        self._interface = interface_of(self.edition)
        # Reentrant: a callback that lives in this process may call back.
        self._lock = threading.RLock()
        self._services = Registrations(self._in_turn)
        self.waiting = Callbacks(self._in_turn)
        self._clients = Clients(Callbacks(self._in_turn), count_references, self._tell_of_clients)
        if self.edition is not Edition.API_29:
            self._services.add(Registration(OWN_NAME, self, None))

    def poll_clients(self) -> None:
        """Notices which services have lost their last client. To be called every few seconds."""
        with self._lock:
            for registration in self._services:
                self._clients.update(registration, OWN, in_time=True)

    # --- transactions -------------------------------------------------------------------------------

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        method = self._interface.by_code.get(code)
        if method is None:
            # Not the generated stub's codes, which are those of one edition.
            Binder.on_transact(self, code, data, reply, flags)
            return
        data.api_level = reply.api_level = self.api_level
        with self._lock:
            if self.edition is Edition.API_29:
                self._serve_plainly(method, data, reply)
            else:
                accept_token(data, self.aidl.descriptor, self._token_headers)
                self._serve(method, data, reply)

    def _serve_plainly(self, method: Method[Any], data: Parcel, reply: Parcel) -> None:
        """As the service manager of API level 29, which knew one answer to all that it refused."""
        try:
            accept_token(data, self.aidl.descriptor, self._token_headers)
            result = self._invoke(method, method.read_request(data))
        except (RemoteException, ParcelError, StatusError) as error:
            data.discard()
            raise StatusError(Status.PERMISSION_DENIED, f"{method.name}: {error}") from error
        method.write_reply(reply, result)

    def _in_turn(self, recipient: DeathRecipient) -> DeathRecipient:
        def told() -> None:
            with self._lock:
                recipient()

        return told

    # --- looking up ---------------------------------------------------------------------------------

    def getService(self, name: str) -> IBinder | None:
        found = self._find(name, start=True)
        return None if found is None else found.binder

    def getService2(self, name: str) -> Service:
        return _described(self._find(name, start=True))

    def checkService(self, name: str) -> IBinder | None:
        found = self._find(name)
        return None if found is None else found.binder

    def checkService2(self, name: str) -> Service:
        return _described(self._find(name))

    def _find(self, name: str, *, start: bool = False) -> Registration | None:
        caller = _caller()
        if not self._policy.may_find(caller, name):
            return None
        found = self._services.get(name)
        if found is None:
            if start and self._start_service is not None:
                self._start_service(name)
            return None
        if is_isolated(caller.uid) and not found.allow_isolated:
            return None
        self._clients.promise(found)
        return found

    def listServices(self, dumpPriority: int) -> list[str]:
        self._require(self._policy.may_list(_caller()))
        return [found.name for found in self._services if found.dump_priority & dumpPriority]

    def service_at(self, index: int, dumpPriority: int) -> str:
        """What API level 29 has for `listServices`: one name at a time."""
        names = self.listServices(dumpPriority)
        if not 0 <= index < len(names):
            raise IllegalArgumentException(f"there are {len(names)} services")
        return names[index]

    def getServiceDebugInfo(self) -> list[ServiceDebugInfo]:
        self._require(self._policy.may_list(_caller()))
        return [
            ServiceDebugInfo(found.name, serving_pid() if found.pid is None else found.pid)
            for found in self._services
        ]

    # --- registering --------------------------------------------------------------------------------

    def addService(self, name: str, service: IBinder, allowIsolated: bool, dumpPriority: int) -> None:
        caller = _caller()
        if is_app(caller.uid):
            raise SecurityException("App UIDs cannot add services.")
        self._require(self._policy.may_add(caller, name))
        # Over the wire, a null binder does not come this far.
        if service is None:
            raise IllegalArgumentException("Null binder.")
        _check_name(name)
        if self._must_be_declared(service) and name not in self.declared:
            raise IllegalArgumentException(f"VINTF declaration error: {name} is not in the manifest.")
        registration = Registration(name, service, caller.pid, allowIsolated, dumpPriority)
        self._services.add(registration)
        if waiting := self.waiting.of(name):
            self._clients.promise(registration)
            for callback in waiting:
                self._tell(callback, IServiceCallback.aidl, _ON_REGISTRATION, name, service)

    def _must_be_declared(self, service: IBinder) -> bool:
        # API level 29 has no levels of stability.
        return service.stability == Stability.VINTF and self.edition is not Edition.API_29

    def registerForNotifications(self, name: str, callback: IServiceCallback) -> None:
        self._require(self._policy.may_find(_caller(), name))
        _check_name(name)
        self.waiting.add(name, callback.as_binder())
        if (found := self._services.get(name)) is not None:
            self._clients.promise(found)
            self._tell(callback.as_binder(), IServiceCallback.aidl, _ON_REGISTRATION, name, found.binder)

    def unregisterForNotifications(self, name: str, callback: IServiceCallback) -> None:
        self._require(self._policy.may_find(_caller(), name))
        if not self.waiting.remove(name, callback.as_binder()):
            raise IllegalStateException("Nothing to unregister.")

    def registerClientCallback(self, name: str, service: IBinder, callback: IClientCallback) -> None:
        found = self._own(name, IllegalArgumentException, "Only a server can watch its own clients.")
        if found.binder is not service:
            raise IllegalArgumentException(f"{name} is another object.")
        self._clients.add(found, callback.as_binder())

    def tryUnregisterService(self, name: str, service: IBinder) -> None:
        found = self._own(name, IllegalStateException, "Only a server can unregister itself.")
        if found.binder is not service:
            raise IllegalStateException(f"{name} is another object.")
        if found.promised:
            raise IllegalStateException("Tried to unregister, but there is about to be a client.")
        if self._clients.update(found, OWN_AND_OF_CALL):
            # One that has tried once should not try again before it can succeed.
            found.promised = True
            raise IllegalStateException("Tried to unregister, but there are clients.")
        self._services.remove(name)

    def _own(self, name: str, missing: type[RemoteException], refusal: str) -> Registration:
        """A service that the caller must have registered itself."""
        caller = _caller()
        self._require(self._policy.may_add(caller, name))
        found = self._services.get(name)
        if found is None:
            raise missing(f"There is no service {name}.")
        if found.pid != caller.pid:
            raise UnsupportedOperationException(refusal)
        return found

    # --- what the device promises -------------------------------------------------------------------

    def isDeclared(self, name: str) -> bool:
        self._require(self._policy.may_find(_caller(), name))
        return name in self.declared

    def getDeclaredInstances(self, iface: str) -> list[str]:
        prefix = f"{iface}/"
        declared = sorted(name for name in self.declared if name.startswith(prefix))
        found = self._findable(declared)
        # Some are hidden without a word; to hide all of them would look like a faulty manifest.
        self._require(bool(found) or not declared)
        return [name.removeprefix(prefix) for name in found]

    def updatableViaApex(self, name: str) -> str | None:
        self._require(self._policy.may_find(_caller(), name))
        return self._apexes.get(name)

    def getUpdatableNames(self, apexName: str) -> list[str]:
        updatable = sorted(name for name, apex in self._apexes.items() if apex == apexName)
        found = self._findable(updatable)
        self._require(bool(found) or not updatable)
        return found

    def getConnectionInfo(self, name: str) -> ConnectionInfo | None:
        self._require(self._policy.may_find(_caller(), name))
        return self._connections.get(name)

    def checkServiceAccess(self, caller: CallerContext, name: str, permission: str) -> bool:
        question = self._policy.by_name(permission)
        return question is not None and question(CallingIdentity(caller.debugPid, caller.uid), name)

    def _findable(self, names: list[str]) -> list[str]:
        caller = _caller()
        return [name for name in names if self._policy.may_find(caller, name)]

    @staticmethod
    def _require(allowed: bool) -> None:
        if not allowed:
            raise SecurityException("Denied by policy.")

    # --- callbacks ----------------------------------------------------------------------------------

    def _tell_of_clients(self, callback: IBinder, service: IBinder, has_clients: bool) -> None:
        self._tell(callback, IClientCallback.aidl, _ON_CLIENTS, service, has_clients)

    def _tell(self, callback: IBinder, interface: InterfaceInfo, method: Method[Any], *args: object) -> None:
        """Calls a callback, oneway, so that nobody can hold the service manager up."""
        data = Parcel(api_level=self.api_level, header=self._token_headers[0])
        data.write_interface_token(interface.descriptor)
        method.write_request(data, *args)
        try:
            callback.transact(method.code, data, TransactionFlag.ONE_WAY)
        except BinderError as error:
            # Who is dead is forgotten when that is told; who has no room for a call misses it.
            log.debug("%s.%s: %s", interface.descriptor, method.name, error)


def _caller() -> CallingIdentity:
    return CallingIdentity(calling_pid(), calling_uid())


def _check_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise IllegalArgumentException("Invalid service name.")


def _described(found: Registration | None) -> Service:
    if found is None:
        return Service.serviceWithMetadata(ServiceWithMetadata())
    return Service.serviceWithMetadata(ServiceWithMetadata(found.binder, found.is_lazy))
