from __future__ import annotations

import pytest

from harness.on_device.options import DeviceOptions


@pytest.mark.parametrize(
    "options",
    [
        DeviceOptions(),
        DeviceOptions(("lab:5037",), ("a b", "c"), ("album=com.example.one",), False, "12"),
    ],
)
def test_options_travel_as_text(options: DeviceOptions) -> None:
    assert DeviceOptions.parse(options.as_text()) == options


def test_nothing_is_all_defaults() -> None:
    assert DeviceOptions.parse("") == DeviceOptions()
