"""The pretended platform."""

from __future__ import annotations

import pytest

from reference_impl.constants import (
    FLAG_BLOCK_MISSING_FEATURE,
    FLAG_NPUMANAGER_ENABLED,
    PERMISSION_ACCESS_NPU_MODEL_MANAGER_API,
    PERMISSION_DUMP,
    ROOT_UID,
    SHELL_UID,
    SYSTEM_UID,
    Importance,
)
from reference_impl.platform import Package, PackageEvent, Platform

CAMERA = Package("com.example.camera", 10050)


@pytest.mark.parametrize(
    ("uid", "permission", "expected"),
    [
        (ROOT_UID, PERMISSION_ACCESS_NPU_MODEL_MANAGER_API, True),
        (SYSTEM_UID, PERMISSION_DUMP, True),
        (SHELL_UID, PERMISSION_DUMP, True),
        (SHELL_UID, PERMISSION_ACCESS_NPU_MODEL_MANAGER_API, True),
        (SHELL_UID, "android.permission.CAMERA", False),
        (CAMERA.uid, PERMISSION_DUMP, False),
        (99999, PERMISSION_DUMP, False),
    ],
)
def test_permissions_at_boot(uid: int, permission: str, expected: bool) -> None:
    assert Platform([CAMERA]).holds_permission(uid, permission) is expected


def test_packages_that_share_a_uid_share_permissions() -> None:
    platform = Platform([CAMERA, Package("com.example.lens", 10050, permissions=frozenset({"p"}))])
    assert platform.holds_permission(10050, "p")
    assert [package.name for package in platform.packages_of(10050)] == [CAMERA.name, "com.example.lens"]


def test_package_listeners_hear_added_modified_and_removed() -> None:
    platform = Platform()
    heard: list[tuple[PackageEvent, Package]] = []
    platform.add_package_listener(lambda event, package: heard.append((event, package)))
    older = Package(CAMERA.name, CAMERA.uid, target_sdk=36)
    platform.install(older)
    platform.install(CAMERA)
    platform.remove(CAMERA.name)
    assert heard == [
        (PackageEvent.ADDED, older),
        (PackageEvent.MODIFIED, CAMERA),
        (PackageEvent.REMOVED, CAMERA),
    ]


def test_an_update_cannot_change_the_uid() -> None:
    with pytest.raises(ValueError, match="installed with uid 10050"):
        Platform([CAMERA]).install(Package(CAMERA.name, 10051))


def test_removing_what_is_not_installed_fails() -> None:
    with pytest.raises(KeyError):
        Platform().remove("com.example.nothing")


def test_importance_is_gone_until_it_is_set_and_again_after_removal() -> None:
    platform = Platform([CAMERA])
    assert platform.importance_of(CAMERA.uid) == Importance.GONE
    platform.set_importance(CAMERA.uid, Importance.VISIBLE)
    assert platform.importance_of(CAMERA.uid) == Importance.VISIBLE
    platform.remove(CAMERA.name)
    assert platform.importance_of(CAMERA.uid) == Importance.GONE


def test_importance_listeners_hear_changes_only() -> None:
    platform = Platform([CAMERA])
    heard: list[tuple[int, int]] = []
    platform.add_importance_listener(lambda uid, importance: heard.append((uid, importance)))
    for importance in (Importance.GONE, Importance.CACHED, Importance.CACHED, Importance.FOREGROUND):
        platform.set_importance(CAMERA.uid, importance)
    assert heard == [(CAMERA.uid, Importance.CACHED), (CAMERA.uid, Importance.FOREGROUND)]


def test_flags_have_defaults_and_can_be_set() -> None:
    platform = Platform(flags={FLAG_BLOCK_MISSING_FEATURE: True})
    assert platform.flag(FLAG_NPUMANAGER_ENABLED)
    assert platform.flag(FLAG_BLOCK_MISSING_FEATURE)
    assert not platform.flag("opportunistic_priority")
    platform.set_flag("opportunistic_priority", True)
    assert platform.flag("opportunistic_priority")
