"""`cmd npu` and `dumpsys npu`."""

from __future__ import annotations

import pytest

from harness.vocabulary import (
    BUDGET,
    LESS_THAN_1GB,
    NOT_PRIORITIZED,
    STATUS_QUO,
    TURN_TAKING,
    WAIT_FOR_UNLOAD,
    Npu,
    check,
    covers,
    needs,
)


@covers("shell: the three commands that set a policy")
@needs("service", "shell")
@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("set-budget-policy", "budget"),
        ("set-turn-taking-policy", "turntaking"),
        ("set-status-quo-policy", "statusquo"),
    ],
    ids=["budget", "turn-taking", "status-quo"],
)
def test_sets_a_policy(npu: Npu, command: str, name: str) -> None:
    result = npu.cmd(command)
    check(result.exit_code == 0, f"{command} exits 0, not {result.exit_code}: {result.err}")
    check(f"Policy: {name}" in npu.dump(), f"the policy is {name} now")


@covers("shell: info prints what dumpsys prints")
@needs("service", "shell")
def test_info_is_the_dump(npu: Npu) -> None:
    npu.policy(BUDGET)
    result = npu.cmd("info")
    check(result.exit_code == 0, "info exits 0")
    check(result.out.strip() == npu.dump().strip(), "info and dumpsys say the same")


@covers("shell: no arguments, help and -h print the usage")
@needs("service", "shell")
@pytest.mark.parametrize("args", [(), ("help",), ("-h",)], ids=["none", "help", "-h"])
def test_help(npu: Npu, args: tuple[str, ...]) -> None:
    result = npu.cmd(*args)
    check(result.exit_code == 0 or args == (), f"help exits 0, not {result.exit_code}")
    check("set-budget-policy" in result.out + result.err, "the usage names the commands")


@covers("shell: an unknown command is named and fails, and the usage is shown")
@needs("service", "shell")
def test_unknown_command(npu: Npu) -> None:
    result = npu.cmd("fly")
    check(result.exit_code != 0, "an unknown command fails")
    check("Unknown command: fly" in result.out + result.err, "the message names the command")
    check("set-budget-policy" in result.out + result.err, "the usage names the commands that there are")


@covers("shell: disable and enable are for root only")
@needs("service", "shell")
@pytest.mark.parametrize("command", ["disable", "enable"])
def test_shell_may_not_stop_updates(npu: Npu, command: str) -> None:
    result = npu.cmd(command)
    check(result.exit_code != 0 and bool(result.err.strip()), f"{command} is refused with a message")


@covers("shell: disable stops the updates to the HAL, enable pushes the table")
@needs("service", "shell", "root", "hal", "many-uids")
def test_root_stops_and_resumes_updates(npu: Npu) -> None:
    album = npu.app("album").in_background()
    check(npu.cmd("disable", as_root=True).exit_code == 0, "root may disable")
    album.in_foreground()
    npu.session.settle()
    check(npu.session.hal_table()[album.uid][0] == 400, "the HAL hears of no change while disabled")
    check(npu.cmd("enable", as_root=True).exit_code == 0, "root may enable")
    npu.session.settle()
    check(npu.session.hal_table()[album.uid][0] == 100, "enable pushes the current table")


@covers("dump: policy, cap, requests with their states, priorities")
@needs("service", "shell", "callbacks", "many-uids", "graded-importance")
def test_dump_lists_requests(npu: Npu) -> None:
    npu.policy(BUDGET)
    album = npu.app("album").at("foreground service")
    camera = npu.app("camera").in_background()
    for _ in range(4):
        album.request(LESS_THAN_1GB).load()
    camera.request(LESS_THAN_1GB).expect(NOT_PRIORITIZED)
    requests, _, priorities = npu.dump().partition("Priorities:")
    check("Policy: budget" in requests and "Max: 4" in requests, "the dump has policy and cap")
    check(requests.count(f"{album.uid} [") == 4 and "LOADED" in requests, "it lists the loaded models")
    check("NOT_PRIORITIZED" in requests, "it lists the request that lost")
    check(f"{album.uid} [" in priorities and " 125" in priorities, "it lists the priorities")


@covers("dump: status quo shows neither cap nor requests")
@needs("service", "shell", "callbacks")
def test_dump_of_status_quo(npu: Npu) -> None:
    npu.policy(STATUS_QUO)
    npu.app("album").request().load()
    check("Max:" not in npu.dump() and "Requests:" not in npu.dump(), "status quo has no cap and no requests")


@covers("dump: needs the DUMP permission")
@needs("service", "shell", "many-uids")
def test_dump_needs_a_permission(npu: Npu) -> None:
    text = npu.dump(npu.app("album"))
    check("Permission Denial" in text and "Policy:" not in text, "an app is denied the dump")


@covers("shell: setting a policy takes its default parameters and forgets open requests")
@needs("service", "shell", "callbacks")
def test_set_policy_takes_defaults(npu: Npu) -> None:
    npu.policy(BUDGET, maxBudget=9)
    held = npu.app("album").request(LESS_THAN_1GB).load()
    check(npu.cmd("set-budget-policy").exit_code == 0, "the command exits 0")
    check(
        "Max: 4" in npu.dump() and "LOADED" not in npu.dump(), "the cap is the default one, nothing is open"
    )
    held.expect_nothing()


@covers("shell: while updates to the HAL are disabled, policies still follow importance")
@needs("service", "shell", "root", "callbacks", "many-uids")
def test_policies_go_on_while_disabled(npu: Npu) -> None:
    npu.policy(TURN_TAKING)
    held = npu.app("album").in_background().request().load()
    assistant = npu.app("assistant").in_background()
    wanted = assistant.request().expect(NOT_PRIORITIZED)
    check(npu.cmd("disable", as_root=True).exit_code == 0, "root may disable")
    assistant.in_foreground()
    wanted.expect(WAIT_FOR_UNLOAD)
    held.give_way()
    wanted.load()
    check(npu.cmd("enable", as_root=True).exit_code == 0, "root may enable")


@covers("shell: enable pushes the whole table at once")
@needs("service", "shell", "root", "hal", "many-uids")
def test_enable_pushes_one_table(npu: Npu) -> None:
    album = npu.app("album").in_background()
    npu.cmd("disable", as_root=True)
    album.in_foreground()
    before = len(npu.hal.heard())
    npu.cmd("enable", as_root=True)
    methods = [call.method for call in npu.hal.heard()[before:]]
    check(methods == ["IScheduling.setSchedulingConfigs"], f"one call, not {methods}")


@covers("shell: a command that is refused changes nothing")
@needs("service", "shell", "hal", "many-uids")
def test_refused_disable_changes_nothing(npu: Npu) -> None:
    album = npu.app("album").in_background()
    check(npu.cmd("disable").exit_code != 0, "the shell may not disable")
    album.in_foreground()
    check(npu.hal.entry(album.uid).priority == 100, "the HAL still hears of importance")
