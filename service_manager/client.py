"""Looking services up and registering them, whatever the API level of the service manager."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import IntFlag
from functools import cached_property
from typing import TypeAlias, TypeVar

from binder import (
    BinderError,
    DeadObjectError,
    IBinder,
    Interface,
    Method,
    RemoteException,
    Status,
    StatusError,
    TransactionFlag,
)
from generated.android.os import (
    BnServiceCallback,
    BpServiceManager,
    CallerContext,
    ConnectionInfo,
    IClientCallback,
    IServiceCallback,
    IServiceManager,
    Service,
    ServiceDebugInfo,
    ServiceWithMetadata,
)

from .codes import Edition, chosen, editions_of
from .rows import row_of

R = TypeVar("R")

Wait: TypeAlias = Callable[[Callable[[], bool], float], bool]
"""Waits until a condition holds, for so many seconds at most; returns whether it does in the end."""


class DumpPriority(IntFlag):
    """When, in a bug report, a service is asked to dump itself."""

    CRITICAL = IServiceManager.DUMP_FLAG_PRIORITY_CRITICAL
    HIGH = IServiceManager.DUMP_FLAG_PRIORITY_HIGH
    NORMAL = IServiceManager.DUMP_FLAG_PRIORITY_NORMAL
    DEFAULT = IServiceManager.DUMP_FLAG_PRIORITY_DEFAULT
    ALL = IServiceManager.DUMP_FLAG_PRIORITY_ALL
    PROTO = IServiceManager.DUMP_FLAG_PROTO
    LAZY = IServiceManager.FLAG_IS_LAZY_SERVICE
    """No priority, but given with them: the service is started when somebody wants it."""


class AccessorError(BinderError):
    """A service that is reached through a session of RPC binder, which is not supported."""


class EditionProxy(BpServiceManager):
    """The generated proxy, with the codes and replies of an edition."""

    def __init__(self, binder: IBinder, edition: Edition) -> None:
        super().__init__(binder)
        self.edition = edition

    def _call(self, method: Method[R], *args: object) -> R:
        row: Method[R] = row_of(self.edition, method.name)
        if self.edition is not Edition.API_29:
            return super()._call(row, *args)
        binder = self.as_binder()
        data = binder.new_parcel()
        data.write_interface_token(self.aidl.descriptor)
        row.write_request(data, *args)
        with binder.transact(row.code, data, TransactionFlag.ACCEPT_FDS) as reply:
            return row.read_reply(reply)

    def listServices(self, dumpPriority: int) -> list[str]:
        if self.edition is not Edition.API_29:
            return super().listServices(dumpPriority)
        one_by_one: Method[str | None] = row_of(self.edition, "listServices")
        names: list[str] = []
        while True:
            try:
                name = self._call(one_by_one, len(names), dumpPriority)
            except DeadObjectError:
                raise
            except StatusError:
                # Nothing else tells the end of the list.
                return names
            if name is None:
                return names
            names.append(name)


class ServiceManager:
    """A service manager, seen by one of its clients.

    What its release does not have raises `StatusError` UNKNOWN_TRANSACTION. What it refuses raises
    the exception that it answers with.

    Args:
        context_object: the binder that is handle 0.
        api_level: the device's; that of the transport unless given.
        edition: which of the forms that an API level can have, for those who know; else it is found
            out when it first matters.
    """

    def __init__(
        self, context_object: IBinder, api_level: int | None = None, *, edition: Edition | None = None
    ) -> None:
        self._binder = context_object
        self.api_level = context_object.new_parcel().api_level if api_level is None else api_level
        self._editions = (chosen(self.api_level, edition),) if edition else editions_of(self.api_level)
        # Used for getService only, which has been the same since API level 30.
        self._look_up = EditionProxy(context_object, self._editions[0])

    @cached_property
    def edition(self) -> Edition:
        """The form of the interface. Asks the service manager, once, if the API level does not tell."""
        return self._editions[0] if len(self._editions) == 1 else self._probe()

    @cached_property
    def _proxy(self) -> EditionProxy:
        return EditionProxy(self._binder, self.edition)

    def _probe(self) -> Edition:
        """Tells the builds of API level 35 apart: the first ones have nothing at code 15."""
        first, *_, last = self._editions
        try:
            EditionProxy(self._binder, last).getServiceDebugInfo()
        except StatusError as error:
            if error.status != Status.UNKNOWN_TRANSACTION:
                raise
            return first
        except RemoteException:
            # A method that refuses is a method that is there.
            pass
        return last

    # --- looking up ---------------------------------------------------------------------------------

    def get_service(self, name: str) -> IBinder | None:
        """The service of a name, which the device is asked to start if it is not there; None until it is."""
        return self._look_up.getService(name)

    def check_service(self, name: str) -> IBinder | None:
        """The service of a name; None if it is not there."""
        # Within API level 35 this method changed both its code and its result.
        return self.get_service(name) if self.api_level == 35 else self._proxy.checkService(name)

    def find_service(self, name: str) -> ServiceWithMetadata:
        """The service of a name, and what else is known of it; before API level 35, nothing is.

        Raises:
            AccessorError: it is not reached through binder.
        """
        if "getService2" not in self.edition.codes:
            return ServiceWithMetadata(self.get_service(name))
        found = self._proxy.getService2(name)
        if isinstance(found.value, ServiceWithMetadata):
            return found.value
        if found.tag == Service.Tag.accessor and found.value is None:
            return ServiceWithMetadata()
        raise AccessorError(
            f"{name} is reached through an accessor, which leads to a session of RPC binder: "
            "that is not supported; ask for a service on this machine's own binder"
        )

    def wait_for_service(self, name: str, timeout: float, wait: Wait) -> IBinder | None:
        """The service of a name as soon as it is there; None if it is not within `timeout` seconds.

        Args:
            wait: how to wait, such as a scheduler's `wait_until`.
        """
        found = self.get_service(name)
        if found is not None:
            return found
        if "registerForNotifications" not in self.edition.codes:
            wait(lambda: self.get_service(name) is not None, timeout)
            return self.get_service(name)
        arrival = _Arrival(name)
        self.register_for_notifications(name, arrival)
        try:
            wait(lambda: arrival.service is not None, timeout)
        finally:
            # The service manager may be what has died; then there is nothing to take back.
            with suppress(BinderError):
                self.unregister_for_notifications(name, arrival)
        if arrival.service is not None and arrival.service.is_alive():
            return arrival.service
        return self.get_service(name)

    def list_services(self, priority: int = DumpPriority.ALL) -> list[str]:
        """The names of all services, or of those with one of the given priorities."""
        return self._proxy.listServices(priority)

    def get_service_debug_info(self) -> list[ServiceDebugInfo]:
        """All services, and the pid of each."""
        return self._proxy.getServiceDebugInfo()

    # --- registering --------------------------------------------------------------------------------

    def add_service(
        self,
        name: str,
        service: IBinder | Interface,
        allow_isolated: bool = False,
        dump_priority: int = DumpPriority.DEFAULT,
    ) -> None:
        """Registers a service, replacing one of the same name."""
        binder = service.as_binder() if isinstance(service, Interface) else service
        self._proxy.addService(name, binder, allow_isolated, dump_priority)

    def register_for_notifications(self, name: str, callback: IServiceCallback) -> None:
        """Has the callback called whenever the service is registered; now as well, if it is there."""
        self._proxy.registerForNotifications(name, callback)

    def unregister_for_notifications(self, name: str, callback: IServiceCallback) -> None:
        """Takes `register_for_notifications` back."""
        self._proxy.unregisterForNotifications(name, callback)

    def register_client_callback(self, name: str, service: IBinder, callback: IClientCallback) -> None:
        """Has the callback told whether anybody uses one's own service."""
        self._proxy.registerClientCallback(name, service, callback)

    def try_unregister_service(self, name: str, service: IBinder) -> None:
        """Takes one's own service back. Raises `IllegalStateException` if somebody uses it."""
        self._proxy.tryUnregisterService(name, service)

    # --- what the device promises -------------------------------------------------------------------

    def is_declared(self, name: str) -> bool:
        """Whether the device's manifest has a service of that name, such as `a.b.IFoo/default`."""
        return self._proxy.isDeclared(name)

    def get_declared_instances(self, interface: str) -> list[str]:
        """The instances of an interface in the device's manifest, such as `default`."""
        return self._proxy.getDeclaredInstances(interface)

    def updatable_via_apex(self, name: str) -> str | None:
        """The APEX that a declared service can be updated through; None if there is none."""
        return self._proxy.updatableViaApex(name)

    def get_updatable_names(self, apex: str) -> list[str]:
        """The declared services that an APEX can update."""
        return self._proxy.getUpdatableNames(apex)

    def get_connection_info(self, name: str) -> ConnectionInfo | None:
        """Where a declared service listens that is on another machine; None for all others."""
        return self._proxy.getConnectionInfo(name)

    def check_service_access(self, caller: CallerContext, name: str, permission: str) -> bool:
        """Whether somebody else may "find", "add" or "list" a service."""
        return self._proxy.checkServiceAccess(caller, name, permission)


class _Arrival(BnServiceCallback):
    """Keeps the service that it hears of."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.service: IBinder | None = None

    def onRegistration(self, name: str, binder: IBinder) -> None:
        if name == self._name:
            self.service = binder
