"""The `npu` service: one policy, and everything that reaches it or that it wants done."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import RLock
from typing import IO, assert_never

from binder import (
    DeathRecipient,
    IllegalArgumentException,
    PersistableBundle,
    SecurityException,
    StatusError,
    UnsupportedOperationException,
    calling_pid,
    calling_uid,
)
from generated.android.hardware.npu import EndReason, StartReason, WorkInfo
from generated.android.npumanager import (
    BnNpuManagerService,
    IModelLoadCallback,
    INpuAllocator,
    INpuAllocatorCallback,
    ModelLoadRequestParcelable,
)
from reference_impl import dump, shell
from reference_impl.buffers.allocator import Allocators
from reference_impl.constants import (
    FLAG_NPUMANAGER_ENABLED,
    PERMISSION_ACCESS_NPU_MODEL_MANAGER_API,
    PolicyType,
    RequestStatus,
)
from reference_impl.hal_bridge import HalBridge, WaitForService
from reference_impl.metrics import Metrics
from reference_impl.platform import Platform
from reference_impl.policies import POLICY_TYPES, Policy, PolicyFactory
from reference_impl.policies.events import (
    Action,
    AnswerCanLoad,
    Cancel,
    CanLoad,
    ClientDied,
    Complete,
    Forget,
    ImportanceChanged,
    Loaded,
    PolicyArgumentError,
    PolicyEvent,
    Replaced,
    RequestKey,
    RequestUnload,
    ThermalChanged,
    Unloaded,
    WorkEnded,
)
from reference_impl.policies.state import LoadRequest, PolicyState
from reference_impl.priority_manager import PriorityManager, original_uid

log = logging.getLogger(__name__)

Call = Callable[[], None]


@dataclass(eq=False, slots=True)
class _Client:
    """Who hears of a request, and how its death is heard of."""

    callback: IModelLoadCallback
    on_death: DeathRecipient

    def unlink(self) -> None:
        self.callback.as_binder().unlink_to_death(self.on_death)


class NpuManagerService(BnNpuManagerService):
    """The service object.

    Calls become events of the policy, and its actions become callbacks, under one lock. Callbacks are oneway,
    so a client cannot hold it up.
    """

    def __init__(
        self,
        platform: Platform,
        wait_for_service: WaitForService,
        policy_types: Mapping[int, PolicyFactory] = POLICY_TYPES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make a service with the StatusQuo policy that knows no HAL yet.

        Args:
            platform: whom to ask about apps, permissions and flags.
            wait_for_service: finds the HAL.
            policy_types: what makes a policy, by its number; put another one in to try it.
            now: the clock of the metrics, in seconds.
        """
        self._lock = RLock()
        self._platform = platform
        self._policy_types = policy_types
        self._policy = policy_types[PolicyType.STATUS_QUO](None)
        self._state = PolicyState(thermal=platform.thermal_status)
        self._clients: dict[RequestKey, _Client] = {}
        self._calls: deque[Call] = deque()
        self._calling = False
        # What hands out buffers; None on a device without wrapfd. Whoever puts the device together sets it.
        self.allocators: Allocators | None = None
        self.priorities = PriorityManager(platform, self._lock)
        self.metrics = Metrics(now)
        self.hal: HalBridge = HalBridge(self.priorities, wait_for_service, self, self._lock)
        self.priorities.add_listener(lambda uid: self._submit(ImportanceChanged(uid)))
        platform.add_thermal_listener(self._thermal_changed)

    def start(self) -> None:
        """Wait for the HAL, unless the flag npumanager_enabled is off."""
        if self._platform.flag(FLAG_NPUMANAGER_ENABLED):
            self.hal.start()

    # --- INpuManagerService ---

    def canLoadModel(self, request: ModelLoadRequestParcelable, callback: IModelLoadCallback) -> None:
        key = RequestKey(calling_uid(), request.id)
        event = CanLoad(key, request.size, request.priority)
        with self._lock:
            try:
                self._policy.check(event)
            except PolicyArgumentError as error:
                raise IllegalArgumentException(str(error)) from error
            client = _Client(callback, lambda: self._client_died(key, client))
            try:
                callback.as_binder().link_to_death(client.on_death)
            except StatusError:
                return  # dead already: there is nobody to answer
            self._submit(event, client)

    def cancelModelLoad(self, request: ModelLoadRequestParcelable) -> None:
        self._submit(Cancel(RequestKey(calling_uid(), request.id)))

    def notifyModelLoaded(self, request: ModelLoadRequestParcelable) -> None:
        self._submit(Loaded(RequestKey(calling_uid(), request.id)))

    def notifyModelUnloaded(self, request: ModelLoadRequestParcelable) -> None:
        self._submit(Unloaded(RequestKey(calling_uid(), request.id)))

    def setPolicy(self, policy: int, policyParams: PersistableBundle | None) -> None:
        # The only call with a check on this side (NpuManagerServiceImpl.enforceModelManagerPermissions).
        if not self._platform.holds_permission(calling_uid(), PERMISSION_ACCESS_NPU_MODEL_MANAGER_API):
            raise SecurityException("Model Manager permission denied")
        if policy not in self._policy_types:
            raise IllegalArgumentException(f"Unknown policy: {policy}")
        try:
            new = self._policy_types[policy](policyParams)
        except PolicyArgumentError as error:
            raise IllegalArgumentException(str(error)) from error
        with self._lock:
            for client in self._clients.values():
                client.unlink()
            self._clients.clear()
            self._policy = new
            self._state = PolicyState(thermal=self._platform.thermal_status)
            self.metrics.note("policy", detail=new.dump_name)

    def createAllocator(self, callback: INpuAllocatorCallback) -> INpuAllocator:
        if self.allocators is None:
            raise UnsupportedOperationException("this device has no /dev/wrapfd")
        return self.allocators.create(callback, calling_pid(), calling_uid())

    # --- for people ---

    def on_dump(self, out: IO[str], args: list[str]) -> None:
        dump.dump(self, args, out)

    def on_shell_command(self, stdin: IO[str], out: IO[str], err: IO[str], args: list[str]) -> int:
        return shell.run_command(self, args, out, err)

    @property
    def platform(self) -> Platform:
        """Whom the service asks about apps."""
        return self._platform

    def policy_and_requests(self) -> tuple[Policy, tuple[LoadRequest, ...]]:
        """The policy and its open requests, in the order of arrival, at one moment."""
        with self._lock:
            return self._policy, tuple(sorted(self._state.requests.values(), key=lambda r: r.arrival))

    # --- what the HAL and the platform tell ---

    def work_requested(self, info: WorkInfo) -> None:
        self.metrics.note("work_requested", original_uid(info))

    def work_started(self, info: WorkInfo, reason: StartReason) -> None:
        self.metrics.note("work_started", original_uid(info), detail=_name(reason))

    def work_ended(self, info: WorkInfo, reason: EndReason) -> None:
        uid = original_uid(info)
        self.metrics.note("work_ended", uid, detail=_name(reason))
        self._submit(WorkEnded(uid, completed=reason == EndReason.COMPLETED))

    def hal_changed(self, text: str) -> None:
        self.metrics.note("hal", detail=text)

    def _thermal_changed(self, status: int) -> None:
        self.metrics.note("thermal", detail=str(status))
        self._submit(ThermalChanged(status))

    # --- events and actions ---

    def _client_died(self, key: RequestKey, client: _Client) -> None:
        with self._lock:
            # One process may hold many callbacks; the first death takes all requests of the uid.
            if self._clients.get(key) is client:
                self._submit(ClientDied(key.uid))

    def _submit(self, event: PolicyEvent, newcomer: _Client | None = None) -> None:
        with self._lock:
            self._state, actions = self._policy.step(self._state, event, self.priorities.priority_of)
            replaced: _Client | None = None
            if isinstance(event, CanLoad) and newcomer is not None:
                replaced = self._clients.get(event.key)
                self._clients[event.key] = newcomer
            for action in actions:
                self.metrics.note_action(action)
                call = self._carry_out(action, replaced)
                if call is not None:
                    self._calls.append(call)
            self._make_calls()

    def _carry_out(self, action: Action, replaced: _Client | None) -> Call | None:
        """Bring the books up to date and return the call that is due, if any."""
        client = self._clients[action.key]
        match action:
            case AnswerCanLoad(_, status):
                return lambda: client.callback.onCanLoadModel(status)
            case RequestUnload():
                return client.callback.onRequestUnloadModel
            case Complete(key, status):
                self._clients.pop(key).unlink()
                return lambda: client.callback.onModelLoadRequestComplete(status)
            case Forget(key):
                self._clients.pop(key).unlink()
                return None
            case Replaced():
                return self._end_replaced(replaced, client)
            case _:
                assert_never(action)

    def _end_replaced(self, old: _Client | None, new: _Client) -> Call | None:
        """The last call of a request that another one replaced.

        A client that passed the same callback again goes on listening to it, and must not hear of an end.
        """
        if old is None:
            return None
        old.unlink()
        if old.callback.as_binder() is new.callback.as_binder():
            return None
        return lambda: old.callback.onModelLoadRequestComplete(RequestStatus.CANCELLED)

    def _make_calls(self) -> None:
        """Make the calls that are due, in order, even if one of them leads back here.

        That happens with a callback that lives in this process, which is called without a driver in between.
        """
        if self._calling:
            return
        self._calling = True
        try:
            while self._calls:
                call = self._calls.popleft()
                try:
                    call()
                except StatusError as error:
                    log.info("a callback was not delivered: %s", error)
        finally:
            self._calling = False


def _name(reason: EndReason | StartReason) -> str:
    """What a reason is called; a newer HAL may have one without a name."""
    return str(getattr(reason, "name", None) or int(reason))
