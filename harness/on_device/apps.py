"""Which installed packages play the apps of a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from ..adb import Device
from ..adb.apps import App, candidates

LEGACY_SDK = 36
"""Apps for this and earlier ones see the NPU as before Android 17."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an app of a scenario has to be like."""

    target_sdk: int
    declares_feature: bool
    permissions: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"for SDK {self.target_sdk}" + (" or before" if self.target_sdk <= LEGACY_SDK else "")]
        parts.append("that declares the NPU feature" if self.declares_feature else "without the NPU feature")
        parts += [f"with {permission}" for permission in self.permissions]
        return ", ".join(parts)


@dataclass(slots=True)
class Player:
    """An installed package that can play an app, and what it is like."""

    app: App
    target_sdk: int
    declares_feature: bool | None
    permissions: frozenset[str]

    def suits(self, wanted: Wanted) -> bool:
        """Whether it is like that, as far as the device tells."""
        is_legacy = self.target_sdk <= LEGACY_SDK
        return (
            is_legacy == (wanted.target_sdk <= LEGACY_SDK)
            and self.declares_feature in (None, wanted.declares_feature)
            and set(wanted.permissions) <= self.permissions
        )


class Players:
    """The packages that may be played as.

    Args:
        players: all of them.
        labels: by what a scenario calls an app, the package that plays it.
    """

    def __init__(self, players: Sequence[Player], labels: Mapping[str, str] = {}) -> None:
        self._players = list(players)
        self._labels = dict(labels)
        self._free: list[Player] = []

    @classmethod
    def on(cls, device: Device, named: Sequence[str] = ()) -> Players:
        """Those that a device has.

        Args:
            named: packages by name, each perhaps with "LABEL=" in front; empty for all that can be played as.

        Raises:
            AdbError: one is not installed.
        """
        labels = dict(_pairs(named))
        packages = list(labels.values()) or [each.package for each in candidates(device)]
        return cls([_player(App(device, package)) for package in packages], labels)

    def begin(self) -> None:
        """Everybody is free again."""
        self._free = list(self._players)

    def take(self, label: str, wanted: Wanted) -> Player:
        """One that nobody plays as yet; the scenario is skipped if there is none."""
        named = self._labels.get(label)
        suited = [
            player for player in self._free if player.suits(wanted) and named in (None, player.app.package)
        ]
        # Who has no right to attribute work, say, is taken before who has.
        chosen = min(suited, key=lambda player: len(player.permissions), default=None)
        if chosen is None:
            advice = "install one, or name more with --app"
            pytest.skip(f"no installed app {wanted} is left for {label!r}: {advice}")
        self._free.remove(chosen)
        return chosen


def _pairs(named: Sequence[str]) -> Iterable[tuple[str, str]]:
    for text in named:
        label, _, package = text.rpartition("=")
        yield label or package, package


def _player(app: App) -> Player:
    dump = app.describe()
    return Player(app, dump.target_sdk or LEGACY_SDK + 1, dump.declares_npu, dump.granted)
