"""What may be done to a device through Android's own commands."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ..adb import AdbError
from ..adb.apps import CACHED, FOREGROUND, GONE, App
from ..backend import ScenarioFailure
from .apps import Players
from .hal import Inferences, pause

QUIET_SECONDS = 0.3
"""If so long nothing has been heard, nothing is on its way: nobody tells when a system is done."""

_SETTLE_SECONDS = 20.0


class AndroidStage:
    """Does what `reference_impl/control.py` lists, as far as Android has commands for it.

    Args:
        players: the packages.
        idle_since: when something was last heard, on the monotonic clock.
        inferences: give the NPU work.
    """

    def __init__(
        self, players: Players, idle_since: Callable[[], float], inferences: Inferences | None = None
    ) -> None:
        self._players = players
        self._idle_since = idle_since
        self._apps: dict[int, App] = {}
        self._commands: dict[str, Callable[..., Any]] = {
            "reset": self._reset,
            "events": lambda since: [],
            "importance": self.move,
            "gone": lambda uid: self.move(uid, GONE),
            "mourn": lambda app: None,
            "settle": self._settle,
        }
        if inferences is not None:
            self._commands |= {
                "work": inferences.work,
                "queue": inferences.queue,
                "finished": inferences.finished,
            }

    def __call__(self, command: str, **arguments: Any) -> Any:
        action = self._commands.get(command)
        if action is None:
            raise ScenarioFailure(f"Android has no command for {command!r}")
        try:
            return action(**arguments)
        except AdbError as error:
            raise ScenarioFailure(str(error)) from error

    def watch(self, app: App) -> None:
        """Hears which app is behind a uid."""
        self._apps[app.uid] = app

    def move(self, uid: int, importance: int) -> None:
        """Has ActivityManager see an app at another importance, by what its user would do."""
        app = self._apps[uid]
        if importance == FOREGROUND:
            app.start()
        elif importance == CACHED:
            if app.importance() == GONE:
                app.start()
            if app.importance() != CACHED:
                app.to_background()
        elif importance == GONE:
            app.force_stop()
        else:
            raise ScenarioFailure(f"no command of Android moves an app to importance {importance}")

    def _reset(self) -> float:
        self._apps.clear()
        self._players.begin()
        return time.monotonic()

    def _settle(self) -> None:
        deadline = time.monotonic() + _SETTLE_SECONDS
        while (quiet := time.monotonic() - self._idle_since()) < QUIET_SECONDS:
            if time.monotonic() > deadline:
                raise ScenarioFailure(f"things still happen after {_SETTLE_SECONDS:g} s")
            pause(QUIET_SECONDS - quiet)
