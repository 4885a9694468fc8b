"""Where and with what scenarios were played."""

from __future__ import annotations

import platform

from harness.environment import Environment


def test_names_versions_and_the_frozen_interfaces() -> None:
    here = Environment.here("own.py:Own", {"serial": "build"})
    assert here.python == platform.python_version()
    assert here.npukit
    assert set(here.interfaces) == {
        "android.hardware.npu.IScheduling",
        "android.hardware.npu.ISchedulingCallback",
    }
    assert here.interfaces["android.hardware.npu.IScheduling"] == (
        "version 1, hash c4013f72b7544f246c5d1607f068562f3ee7f2b6"
    )
    assert (here.policy, here.devices) == ("own.py:Own", {"serial": "build"})
