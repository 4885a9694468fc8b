from __future__ import annotations

import re

import pytest

from harness.adb.filenames import file_name

SERIALS = [
    "39180DLJG0017F",
    "10.0.0.2:5555",
    "10.0.0.2_5555",
    "adb-ABC-x (2)._adb-tls-connect._tcp",
    "-s",
    "..",
    ".",
    "",
    "a/../../etc",
    "NUL",
    "com1.txt",
    "trailing.",
    "é",
    "; rm -rf $HOME",
    "a" * 300,
    "a" * 301,
    "127.0.0.1:5037/emulator-5554",
]


@pytest.mark.parametrize("serial", SERIALS)
def test_a_name_is_valid_everywhere(serial: str) -> None:
    name = file_name(serial)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*[A-Za-z0-9_-]", name)
    assert len(name) < 100
    assert name.partition(".")[0].upper() not in {"NUL", "COM1"}


def test_names_are_as_different_as_serials() -> None:
    assert len({file_name(serial) for serial in SERIALS}) == len(SERIALS)


def test_a_plain_serial_stays_as_it_is() -> None:
    assert file_name("39180DLJG0017F") == "39180DLJG0017F"
    assert file_name("emulator-5554") == "emulator-5554"
