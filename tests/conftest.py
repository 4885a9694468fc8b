"""Tests that need a program that this machine may not have, or may have in too old a version."""

from __future__ import annotations

import shutil
from collections.abc import Generator

import pytest

from .codegen import google
from .requirements import lacking
from .vm.fixtures import (
    machine,
    saved_machine,
    saved_sid_machine,
    saved_virtual_device,
    sid_machine,
    virtual_device,
)
from .vm.machine import Machine

__all__ = [
    "machine",
    "saved_machine",
    "saved_sid_machine",
    "saved_virtual_device",
    "sid_machine",
    "virtual_device",
]

PROGRAMS = {
    "adb": ("adb",),
    "aidl": ("aidl",),
    "vm": ("qemu-system-x86_64", "adb", "debootstrap", "cpio", "xz", "zstd"),
    "browser": ("chromium",),
    "cc": ("gcc",),
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        # Building and booting a machine have limits of their own; this one is for the test.
        if item.get_closest_marker("vm") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(120, func_only=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and item.get_closest_marker("vm"):
        for device in {value for value in item.funcargs.values() if isinstance(value, Machine)}:
            report.sections.append((f"Log of the machine ({device.variant})", device.log()))
    return report
