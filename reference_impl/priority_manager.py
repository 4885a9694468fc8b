"""PriorityManager: one scheduling config per uid, from what the platform says of its apps.

The table starts with the static uids. It is filled when a HAL connects and kept up to date from then on;
whatever changes goes to the HAL first and then to the listeners, which is how a policy hears of importance.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import RLock
from types import MappingProxyType
from typing import Protocol

from generated.android.hardware.npu import SchedulingConfig, WorkInfo
from reference_impl.constants import (
    CINNAMON_BUN,
    FEATURE_NEURAL_PROCESSING_UNIT,
    FIRST_APPLICATION_UID,
    FLAG_BLOCK_MISSING_FEATURE,
    PERMISSION_ATTRIBUTE_WORK_TO_OTHER_APPS,
    ROOT_UID,
    SYSTEM_UID,
    Importance,
)
from reference_impl.platform import Package, PackageEvent, Platform

log = logging.getLogger(__name__)

MOST_IMPORTANT = SchedulingConfig.MIN_PRIORITY
LEAST_IMPORTANT = SchedulingConfig.MAX_PRIORITY

# PriorityManager pins these: the system is as important as what the user looks at, whatever it is doing.
STATIC_CONFIGS: Mapping[int, SchedulingConfig] = MappingProxyType(
    {
        uid: SchedulingConfig(
            uid=uid, priority=Importance.FOREGROUND, hasDirectAccess=True, canAttributeOtherUid=True
        )
        for uid in (SYSTEM_UID, ROOT_UID)
    }
)


class HalSink(Protocol):
    """Where the table goes."""

    def set_all(self, configs: Sequence[SchedulingConfig]) -> None:
        """Replace the HAL's table."""

    def update(self, configs: Sequence[SchedulingConfig]) -> None:
        """Add or replace entries of the HAL's table."""


PriorityListener = Callable[[int], None]
"""Called with a uid whose priority has changed."""


def clamp_importance(importance: int) -> int:
    """The priority, from 0 to 1000, that stands for an ActivityManager importance."""
    return min(max(importance, MOST_IMPORTANT), LEAST_IMPORTANT)


def original_uid(info: WorkInfo) -> int:
    """In whose name a job runs; a HAL may send a negative number when none was given."""
    return info.originalUid if info.originalUid >= 0 else info.uid


class PriorityManager:
    """Keeps the table of scheduling configs."""

    def __init__(self, platform: Platform, lock: RLock) -> None:
        """Start with the static uids alone.

        Args:
            platform: whom to ask about packages and importance.
            lock: held while the table is used; shared with the listeners, so that nobody waits in a circle.
        """
        self._platform = platform
        self._lock = lock
        self._sink: HalSink | None = None
        self._configs: dict[int, SchedulingConfig] = dict(STATIC_CONFIGS)
        self._listeners: list[PriorityListener] = []
        self.warnings: list[str] = []

    def add_listener(self, listener: PriorityListener) -> None:
        """Call `listener` after every change of a uid's priority."""
        self._listeners.append(listener)

    def priority_of(self, uid: int) -> int:
        """The priority of `uid`, from 0, the most important, to 1000; an unknown uid has 1000."""
        with self._lock:
            config = self._configs.get(uid)
            return LEAST_IMPORTANT if config is None else config.priority

    def table(self) -> list[SchedulingConfig]:
        """A copy of the table, in the order in which uids came to be known."""
        with self._lock:
            return [replace(config) for config in self._configs.values()]

    def hal_connected(self, sink: HalSink) -> None:
        """Fill the table, give all of it to the HAL, and follow the platform from now on."""
        with self._lock:
            first = self._sink is None
            self._sink = sink
            before = {uid: self.priority_of(uid) for uid in self._declaring_uids()}
            for uid in before:
                self._enter(uid, self._platform.importance_of(uid))
            if first:
                self._platform.add_importance_listener(self._importance_changed)
                self._platform.add_package_listener(self._package_changed)
            sink.set_all(self.table())
            for uid, priority in before.items():
                self._tell_if_changed(uid, priority)

    def handle_work_requested(self, info: WorkInfo) -> None:
        """Give a uid that is seen for the first time a priority."""
        uid = original_uid(info)
        with self._lock:
            if uid not in self._configs:
                self._enter(uid, self._platform.importance_of(uid))
                self._send(uid)
                self._tell_if_changed(uid, LEAST_IMPORTANT)

    def _importance_changed(self, uid: int, importance: int) -> None:
        with self._lock:
            config = self._configs.get(uid)
            priority = clamp_importance(importance)
            if config is None or uid in STATIC_CONFIGS or config.priority == priority:
                return
            self._configs[uid] = replace(config, priority=priority)
            self._send(uid)
            self._tell_if_changed(uid, config.priority)

    def _package_changed(self, event: PackageEvent, package: Package) -> None:
        uid = package.uid
        with self._lock:
            if uid in STATIC_CONFIGS:
                return
            config = self._configs.get(uid)
            if event is PackageEvent.REMOVED and not self._platform.packages_of(uid):
                if config is not None:
                    self._remove(config)
            elif config is not None or FEATURE_NEURAL_PROCESSING_UNIT in package.features:
                # A new package has no process yet; its importance is not asked for but waited for.
                self._enter(uid, LEAST_IMPORTANT if config is None else config.priority)
                self._send(uid)

    def _declaring_uids(self) -> list[int]:
        declaring = [
            package.uid
            for package in self._platform.packages()
            if FEATURE_NEURAL_PROCESSING_UNIT in package.features and package.uid not in STATIC_CONFIGS
        ]
        return list(dict.fromkeys(declaring))

    def _enter(self, uid: int, importance: int) -> None:
        self._configs[uid] = SchedulingConfig(
            uid=uid,
            priority=clamp_importance(importance),
            hasDirectAccess=self._has_direct_access(uid),
            canAttributeOtherUid=self._platform.holds_permission(
                uid, PERMISSION_ATTRIBUTE_WORK_TO_OTHER_APPS
            ),
        )

    def _remove(self, config: SchedulingConfig) -> None:
        del self._configs[config.uid]
        if self._sink is not None:
            # The HAL has no call that takes one entry away.
            self._sink.set_all(self.table())
        self._tell_if_changed(config.uid, config.priority)

    def _send(self, uid: int) -> None:
        if self._sink is not None:
            self._sink.update([replace(self._configs[uid])])

    def _has_direct_access(self, uid: int) -> bool:
        """The feature gate, which concerns apps. One package with access is enough for its uid."""
        packages = self._platform.packages_of(uid)
        if uid < FIRST_APPLICATION_UID or not packages:
            return True
        if any(
            FEATURE_NEURAL_PROCESSING_UNIT in package.features or package.target_sdk < CINNAMON_BUN
            for package in packages
        ):
            return True
        if self._platform.flag(FLAG_BLOCK_MISSING_FEATURE):
            return False
        self._warn(
            f"{packages[0].name} does not declare {FEATURE_NEURAL_PROCESSING_UNIT}: "
            "its direct access to the NPU will soon be blocked"
        )
        return True

    def _warn(self, message: str) -> None:
        log.warning("%s", message)
        self.warnings.append(message)

    def _tell_if_changed(self, uid: int, before: int) -> None:
        if self.priority_of(uid) != before:
            for listener in self._listeners:
                listener(uid)
