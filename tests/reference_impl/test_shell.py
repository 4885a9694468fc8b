"""`cmd npu ...`"""

from __future__ import annotations

import io

import pytest

from reference_impl.constants import ROOT_UID, SHELL_UID, Importance
from reference_impl.device import ReferenceDevice
from reference_impl.shell import COMMANDS, run_command
from tests.reference_impl.device_kit import ALBUM


def run(device: ReferenceDevice, line: str, uid: int = SHELL_UID) -> tuple[int, str, str]:
    """What `cmd npu LINE` would answer to `uid`."""
    out, err = io.StringIO(), io.StringIO()
    with device.driver.new_process("cmd", uid=uid).running():
        code = run_command(device.service, line.split(), out, err)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("set-status-quo-policy", "statusquo"),
        ("set-budget-policy", "budget"),
        ("set-turn-taking-policy", "turntaking"),
    ],
)
def test_a_policy_command_sets_its_policy(device: ReferenceDevice, command: str, name: str) -> None:
    assert run(device, command) == (0, "", "")
    assert device.service.policy_and_requests()[0].dump_name == name


def test_a_policy_command_needs_the_permission(device: ReferenceDevice) -> None:
    code, out, err = run(device, "set-budget-policy", uid=ALBUM)
    assert (code != 0, out, err) == (True, "", "Error: Model Manager permission denied\n")


def test_info_shows_what_a_dump_shows(device: ReferenceDevice) -> None:
    code, out, _ = run(device, "info")
    assert code == 0
    assert "Policy: " in out
    assert "Priorities:" in out


@pytest.mark.parametrize("line", ["", "help", "-h"])
def test_help_lists_every_command(device: ReferenceDevice, line: str) -> None:
    code, out, err = run(device, line)
    assert (code, err) == (0, "")
    assert all(command.name in out for command in COMMANDS)


def test_an_unknown_command_is_named_and_followed_by_usage(device: ReferenceDevice) -> None:
    code, out, _ = run(device, "frobnicate")
    assert code != 0
    assert out.startswith("Unknown command: frobnicate\n")
    assert "set-budget-policy" in out


@pytest.mark.parametrize("word", ["disable", "enable"])
@pytest.mark.parametrize("uid", [SHELL_UID, ALBUM])
def test_only_root_may_disable_and_enable(device: ReferenceDevice, word: str, uid: int) -> None:
    code, out, err = run(device, word, uid=uid)
    assert (code != 0, out) == (True, "")
    assert err == f"Error: {word} is for root only\n"


def test_root_disables_and_enables_priorities(device: ReferenceDevice) -> None:
    assert device.hal is not None
    assert run(device, "disable", uid=ROOT_UID) == (0, "", "")
    device.set_importance(ALBUM, Importance.FOREGROUND)
    assert device.hal.config_of(ALBUM).priority == 1000
    assert run(device, "enable", uid=ROOT_UID) == (0, "", "")
    assert device.hal.config_of(ALBUM).priority == 100
