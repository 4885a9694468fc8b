"""Tests that need a program that this machine may not have, or may have in too old a version."""

from __future__ import annotations

import shutil

import pytest

from .codegen import google
from .requirements import lacking

PROGRAMS = {
    "adb": ("adb",),
    "aidl": ("aidl",),
    "vm": ("qemu-system-x86_64", "debootstrap"),
    "browser": ("chromium",),
}
"""By marker, what must be there. Without it the test is skipped, or fails if NPUKIT_REQUIRE says so."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, programs in PROGRAMS.items():
        if item.get_closest_marker(marker) is None:
            continue
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            lacking(marker, f"not on this machine: {', '.join(missing)}")
    aidl = item.get_closest_marker("aidl")
    if aidl is not None and aidl.kwargs.get("newest") and not google.is_new():
        lacking("aidl", f"the aidl on this machine is older than Android 14's; {google.HOW_TO_GET_IT}")
