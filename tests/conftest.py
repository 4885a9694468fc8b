"""Tests that need a program that this machine may not have."""

from __future__ import annotations

import os
import shutil

import pytest

PROGRAMS = {
    "adb": ("adb",),
    "aidl": ("aidl",),
    "vm": ("qemu-system-x86_64", "debootstrap"),
    "browser": ("chromium",),
}
"""By marker, what must be there. Without it the test is skipped, or fails if NPUKIT_REQUIRE says so."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    required = os.environ.get("NPUKIT_REQUIRE", "").split(",")
    for marker, programs in PROGRAMS.items():
        if item.get_closest_marker(marker) is None:
            continue
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            reason = f"not on this machine: {', '.join(missing)}"
            if "all" in required or marker in required:
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
