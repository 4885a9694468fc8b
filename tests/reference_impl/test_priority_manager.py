"""The table of scheduling configs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from threading import RLock

import pytest

from generated.android.hardware.npu import SchedulingConfig, WorkInfo
from reference_impl.constants import (
    FLAG_BLOCK_MISSING_FEATURE,
    PERMISSION_ATTRIBUTE_WORK_TO_OTHER_APPS,
    ROOT_UID,
    SHELL_UID,
    SYSTEM_UID,
    Importance,
)
from reference_impl.platform import Package, Platform
from reference_impl.priority_manager import PriorityManager, clamp_importance, original_uid

ALBUM = Package("com.example.album", 10123)
LEGACY = Package("com.example.legacy", 10200, target_sdk=36, features=frozenset())
SILENT = Package("com.example.silent", 10300, target_sdk=37, features=frozenset())


class Table:
    """A HalSink that is the HAL's table, and remembers how it came about."""

    def __init__(self) -> None:
        self.configs: dict[int, SchedulingConfig] = {}
        self.calls: list[str] = []

    def set_all(self, configs: Sequence[SchedulingConfig]) -> None:
        self.configs = {config.uid: config for config in configs}
        self.calls.append("set_all")

    def update(self, configs: Sequence[SchedulingConfig]) -> None:
        self.configs |= {config.uid: config for config in configs}
        self.calls.append("update " + " ".join(f"{c.uid}={c.priority}" for c in configs))


class Setting:
    """A platform and a connected PriorityManager."""

    def __init__(self, *packages: Package, block: bool = False) -> None:
        self.platform = Platform(packages, {FLAG_BLOCK_MISSING_FEATURE: block})
        self.manager = PriorityManager(self.platform, RLock())
        self.changed: list[int] = []
        self.manager.add_listener(self.changed.append)
        self.table = Table()

    def connect(self) -> Setting:
        self.manager.hal_connected(self.table)
        self.table.calls.clear()
        return self


def work(uid: int, original: int = -1) -> WorkInfo:
    return WorkInfo(uid=uid, originalUid=original)


@pytest.mark.parametrize(
    ("importance", "priority"), [(-5, 0), (0, 0), (100, 100), (1000, 1000), (1001, 1000), (2**31 - 1, 1000)]
)
def test_importance_is_clamped_to_the_scale(importance: int, priority: int) -> None:
    assert clamp_importance(importance) == priority


@pytest.mark.parametrize(("original", "expected"), [(-1, 10), (0, 0), (11, 11), (10, 10)])
def test_a_negative_original_uid_means_the_submitter(original: int, expected: int) -> None:
    assert original_uid(work(10, original)) == expected


def test_system_and_root_are_static_and_everybody_else_comes_last() -> None:
    manager = Setting(ALBUM).manager
    assert [manager.priority_of(uid) for uid in (SYSTEM_UID, ROOT_UID, ALBUM.uid, 99999)] == [
        100,
        100,
        1000,
        1000,
    ]
    assert all(config.hasDirectAccess and config.canAttributeOtherUid for config in manager.table())


def test_connection_sends_packages_that_declare_the_feature_at_their_importance() -> None:
    setting = Setting(ALBUM, LEGACY, SILENT)
    setting.platform.set_importance(ALBUM.uid, Importance.VISIBLE)
    setting.manager.hal_connected(setting.table)
    assert setting.table.calls == ["set_all"]
    assert {uid: config.priority for uid, config in setting.table.configs.items()} == {
        SYSTEM_UID: 100,
        ROOT_UID: 100,
        ALBUM.uid: 200,
    }
    assert setting.changed == [ALBUM.uid]


def test_a_second_connection_sends_everything_again_and_listens_once() -> None:
    setting = Setting(ALBUM).connect()
    setting.manager.handle_work_requested(work(LEGACY.uid))
    setting.connect()
    assert set(setting.table.configs) == {SYSTEM_UID, ROOT_UID, ALBUM.uid, LEGACY.uid}
    setting.platform.set_importance(ALBUM.uid, Importance.FOREGROUND)
    assert setting.table.calls == [f"update {ALBUM.uid}=100"]


def test_a_change_of_importance_reaches_the_hal_before_the_listeners() -> None:
    setting = Setting(ALBUM).connect()
    setting.manager.add_listener(lambda uid: setting.table.calls.append(f"listener {uid}"))
    setting.platform.set_importance(ALBUM.uid, Importance.FOREGROUND_SERVICE)
    assert setting.table.calls == [f"update {ALBUM.uid}=125", f"listener {ALBUM.uid}"]
    assert setting.manager.priority_of(ALBUM.uid) == 125


def test_importance_of_unknown_and_static_uids_is_not_followed() -> None:
    setting = Setting(ALBUM).connect()
    setting.platform.set_importance(LEGACY.uid, Importance.FOREGROUND)
    setting.platform.set_importance(SYSTEM_UID, Importance.CACHED)
    assert setting.table.calls == []
    assert setting.manager.priority_of(SYSTEM_UID) == 100


def test_an_importance_beyond_the_scale_is_no_change_of_priority() -> None:
    setting = Setting(ALBUM).connect()
    setting.platform.set_importance(ALBUM.uid, Importance.GONE + 1)
    assert (setting.table.calls, setting.changed) == ([], [])


def test_work_of_an_unknown_uid_adds_it_at_its_importance() -> None:
    setting = Setting(LEGACY).connect()
    setting.platform.set_importance(LEGACY.uid, Importance.SERVICE)
    setting.manager.handle_work_requested(work(SYSTEM_UID, LEGACY.uid))
    setting.manager.handle_work_requested(work(LEGACY.uid))
    assert setting.table.calls == [f"update {LEGACY.uid}=300"]
    setting.platform.set_importance(LEGACY.uid, Importance.FOREGROUND)
    assert setting.table.configs[LEGACY.uid].priority == 100
    assert setting.changed == [LEGACY.uid, LEGACY.uid]


def test_an_added_package_comes_last_until_its_importance_is_known() -> None:
    setting = Setting().connect()
    setting.platform.set_importance(ALBUM.uid, Importance.FOREGROUND)
    setting.platform.install(ALBUM)
    setting.platform.install(SILENT)
    assert setting.table.calls == [f"update {ALBUM.uid}=1000"]
    setting.platform.set_importance(ALBUM.uid, Importance.VISIBLE)
    assert setting.table.configs[ALBUM.uid].priority == 200


def test_a_removed_package_leaves_the_table_and_the_hal() -> None:
    setting = Setting(ALBUM).connect()
    setting.platform.set_importance(ALBUM.uid, Importance.VISIBLE)
    setting.platform.remove(ALBUM.name)
    assert ALBUM.uid not in setting.table.configs
    assert setting.table.calls[-1] == "set_all"
    assert setting.manager.priority_of(ALBUM.uid) == 1000
    assert setting.changed == [ALBUM.uid, ALBUM.uid]


def test_a_uid_stays_while_one_of_its_packages_is_installed() -> None:
    lens = Package("com.example.lens", ALBUM.uid, features=frozenset())
    setting = Setting(ALBUM, lens, block=True).connect()
    setting.platform.remove(ALBUM.name)
    assert not setting.table.configs[ALBUM.uid].hasDirectAccess
    setting.platform.remove(lens.name)
    assert ALBUM.uid not in setting.table.configs


def test_a_modified_package_keeps_its_priority() -> None:
    setting = Setting(ALBUM).connect()
    setting.platform.set_importance(ALBUM.uid, Importance.VISIBLE)
    attribution = frozenset({PERMISSION_ATTRIBUTE_WORK_TO_OTHER_APPS})
    setting.platform.install(Package(ALBUM.name, ALBUM.uid, permissions=attribution))
    assert setting.table.configs[ALBUM.uid] == SchedulingConfig(ALBUM.uid, 200, True, True)


def test_static_entries_never_change() -> None:
    setting = Setting().connect()
    setting.platform.install(Package("android.extra", SYSTEM_UID))
    setting.platform.remove("android.extra")
    assert setting.table.calls == []


@pytest.mark.parametrize(
    ("package", "block", "expected"),
    [
        (ALBUM, True, True),
        (LEGACY, True, True),
        (SILENT, True, False),
        (SILENT, False, True),
        (Package("com.android.tool", SHELL_UID, features=frozenset()), True, True),
    ],
    ids=["declared", "older-target", "missing-and-blocked", "missing-and-warned", "no-app"],
)
def test_the_feature_gate(package: Package, block: bool, expected: bool) -> None:
    setting = Setting(package, block=block).connect()
    setting.manager.handle_work_requested(work(package.uid))
    assert setting.table.configs[package.uid].hasDirectAccess is expected


def test_a_missing_feature_that_is_not_blocked_yet_is_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    setting = Setting(SILENT).connect()
    with caplog.at_level(logging.WARNING):
        setting.manager.handle_work_requested(work(SILENT.uid))
    assert setting.manager.warnings == caplog.messages
    assert "com.example.silent" in caplog.messages[0]
    assert "will soon be blocked" in caplog.messages[0]


def test_the_table_handed_out_is_a_copy() -> None:
    manager = Setting(ALBUM).connect().manager
    manager.table()[0].priority = 7
    assert manager.table()[0].priority == 100
