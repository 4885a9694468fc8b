"""A stand-in for the parts of Android that the NPU Manager asks.

Those are packages, importance, permissions, flags and heat. It is plain state with listeners that run inside
the call that changes it, so a test decides every order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from reference_impl.constants import (
    CINNAMON_BUN,
    FEATURE_NEURAL_PROCESSING_UNIT,
    FLAG_BLOCK_MISSING_FEATURE,
    FLAG_NPUMANAGER_ENABLED,
    PERMISSION_ACCESS_NPU_MODEL_MANAGER_API,
    PERMISSION_DUMP,
    ROOT_UID,
    SHELL_UID,
    SYSTEM_UID,
    Importance,
    ThermalStatus,
)


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package. Packages that share a uid share its permissions, as on Android."""

    name: str
    uid: int
    target_sdk: int = CINNAMON_BUN
    features: frozenset[str] = frozenset({FEATURE_NEURAL_PROCESSING_UNIT})
    permissions: frozenset[str] = frozenset()


class PackageEvent(Enum):
    """What happened to a package; PackageMonitor's added, removed and modified."""

    ADDED = "added"
    REMOVED = "removed"
    MODIFIED = "modified"


ImportanceListener = Callable[[int, int], None]
"""Called with a uid and its new importance."""

PackageListener = Callable[[PackageEvent, Package], None]
"""Called with what happened and the package as it is now, or as it was when removed."""

ThermalListener = Callable[[int], None]
"""Called with the new thermal status."""

# The shell holds the permission because the module's own tests adopt the shell's permissions to set a policy.
SYSTEM_PACKAGES = (
    Package("android", SYSTEM_UID, features=frozenset()),
    Package(
        "com.android.shell",
        SHELL_UID,
        features=frozenset(),
        permissions=frozenset({PERMISSION_DUMP, PERMISSION_ACCESS_NPU_MODEL_MANAGER_API}),
    ),
)

# ActivityManager grants these uids every permission without asking the package manager.
SUPER_UIDS = frozenset({ROOT_UID, SYSTEM_UID})

DEFAULT_FLAGS: Mapping[str, bool] = {FLAG_NPUMANAGER_ENABLED: True, FLAG_BLOCK_MISSING_FEATURE: False}


class Platform:
    """Packages, importance by uid, permissions, aconfig flags and thermal status of one pretended device."""

    # What the device itself declares to have.
    features = frozenset({FEATURE_NEURAL_PROCESSING_UNIT})

    def __init__(self, packages: Iterable[Package] = (), flags: Mapping[str, bool] | None = None) -> None:
        """Start with the system's own packages and `packages`; `flags` override DEFAULT_FLAGS."""
        self._packages: dict[str, Package] = {}
        self._by_uid: dict[int, dict[str, Package]] = {}
        self._importance: dict[int, int] = {}
        self._flags = {**DEFAULT_FLAGS, **(flags or {})}
        self._importance_listeners: list[ImportanceListener] = []
        self._package_listeners: list[PackageListener] = []
        self._thermal_listeners: list[ThermalListener] = []
        self._thermal_status: int = ThermalStatus.NONE
        for package in (*SYSTEM_PACKAGES, *packages):
            self.install(package)

    def install(self, package: Package) -> None:
        """Install or update a package.

        Raises:
            ValueError: an update would move an installed package to another uid.
        """
        before = self._packages.get(package.name)
        if before is not None and before.uid != package.uid:
            raise ValueError(f"{package.name} is installed with uid {before.uid}, not {package.uid}")
        self._packages[package.name] = package
        self._by_uid.setdefault(package.uid, {})[package.name] = package
        self._tell_package(PackageEvent.ADDED if before is None else PackageEvent.MODIFIED, package)

    def remove(self, name: str) -> None:
        """Remove the package called `name`. Raises KeyError if it is not installed."""
        package = self._packages.pop(name)
        del self._by_uid[package.uid][name]
        if not self.packages_of(package.uid):
            self._importance.pop(package.uid, None)
        self._tell_package(PackageEvent.REMOVED, package)

    def packages(self) -> tuple[Package, ...]:
        """Every installed package, in the order of installation."""
        return tuple(self._packages.values())

    def packages_of(self, uid: int) -> tuple[Package, ...]:
        """The packages that run as `uid`, in the order of installation."""
        return tuple(self._by_uid.get(uid, {}).values())

    def holds_permission(self, uid: int, permission: str) -> bool:
        """Whether `uid` was granted `permission`, through any of its packages."""
        return uid in SUPER_UIDS or any(
            permission in package.permissions for package in self.packages_of(uid)
        )

    def importance_of(self, uid: int) -> int:
        """The importance of `uid`; GONE if it was never set."""
        return self._importance.get(uid, Importance.GONE)

    def set_importance(self, uid: int, importance: int) -> None:
        """Set the importance of `uid` and, if that is a change, tell the listeners."""
        if self.importance_of(uid) == importance:
            return
        self._importance[uid] = importance
        for listener in tuple(self._importance_listeners):
            listener(uid, importance)

    def flags(self) -> dict[str, bool]:
        """All flags that were ever set, and what they are."""
        return dict(self._flags)

    def flag(self, name: str) -> bool:
        """Whether the aconfig flag `name` of the module is on; a flag nobody set is off."""
        return self._flags.get(name, False)

    def set_flag(self, name: str, value: bool) -> None:
        """Turn a flag on or off. Who has read it already does not look again by itself."""
        self._flags[name] = value

    def add_importance_listener(self, listener: ImportanceListener) -> None:
        """Call `listener` on every later change of a uid's importance."""
        self._importance_listeners.append(listener)

    def add_package_listener(self, listener: PackageListener) -> None:
        """Call `listener` when a package is added, removed or modified."""
        self._package_listeners.append(listener)

    @property
    def thermal_status(self) -> int:
        """How hot the device is: a ThermalStatus."""
        return self._thermal_status

    def set_thermal_status(self, status: int) -> None:
        """Set the thermal status and, if that is a change, tell the listeners."""
        if self._thermal_status == status:
            return
        self._thermal_status = status
        for listener in tuple(self._thermal_listeners):
            listener(status)

    def add_thermal_listener(self, listener: ThermalListener) -> None:
        """Call `listener` on every later change of the thermal status."""
        self._thermal_listeners.append(listener)

    def _tell_package(self, event: PackageEvent, package: Package) -> None:
        for listener in tuple(self._package_listeners):
            listener(event, package)
