"""A stand-in for ActivityManager: which app is in front, and what that makes of the uids."""

from __future__ import annotations

from collections.abc import Callable

from reference_impl.constants import Importance
from reference_impl.platform import Package, Platform

PROCESS_STATES: dict[int, tuple[int, str]] = {
    Importance.FOREGROUND: (2, "TOP"),
    Importance.FOREGROUND_SERVICE: (4, "FOREGROUND_SERVICE"),
    Importance.VISIBLE: (6, "IMPORTANT_FOREGROUND"),
    Importance.PERCEPTIBLE: (8, "TRANSIENT_BACKGROUND"),
    Importance.SERVICE: (10, "SERVICE"),
    Importance.TOP_SLEEPING: (12, "TOP_SLEEPING"),
    Importance.CANT_SAVE_STATE: (13, "HEAVY_WEIGHT"),
    Importance.CACHED: (16, "CACHED_ACTIVITY"),
    Importance.GONE: (20, "NONEXISTENT"),
}
"""By importance, the number and name of ActivityManager.PROCESS_STATE_* that stands for it."""

MAIN_ACTIVITY = "MainActivity"
"""What every pretended app calls its only activity."""


class Activities:
    """Moves apps as a person does who opens and closes them.

    Args:
        platform: knows the packages.
        set_importance: tells ActivityManager's listeners of a uid's new importance.
    """

    def __init__(self, platform: Platform, set_importance: Callable[[int, int], None]) -> None:
        self.platform = platform
        self._set_importance = set_importance
        self._front: Package | None = None

    def start(self, package: Package) -> bool:
        """Brings an app to the front, where only one can be. Returns whether it was not running before."""
        was_gone = self.platform.importance_of(package.uid) == Importance.GONE
        if self._front is not None and self._front.uid != package.uid:
            self._leave_front()
        self._front = package
        self._set_importance(package.uid, Importance.FOREGROUND)
        return was_gone

    def home(self) -> None:
        """Shows the launcher: the app in front goes to the background."""
        self._leave_front()

    def stop(self, package: Package) -> None:
        """Ends an app."""
        if self._front is not None and self._front.uid == package.uid:
            self._front = None
        self._set_importance(package.uid, Importance.GONE)

    def stop_in_background(self, package: Package) -> None:
        """Ends an app unless a person would notice."""
        if self.platform.importance_of(package.uid) >= Importance.CACHED:
            self.stop(package)

    def process_state(self, uid: int) -> tuple[int, str]:
        """Number and name of the state that a uid is in."""
        return PROCESS_STATES.get(self.platform.importance_of(uid), PROCESS_STATES[Importance.CACHED])

    def _leave_front(self) -> None:
        if self._front is not None:
            package, self._front = self._front, None
            self._set_importance(package.uid, Importance.CACHED)
