"""The commands of `cmd npu`, as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from binder import RemoteException, calling_uid
from reference_impl.constants import ROOT_UID, PolicyType
from reference_impl.dump import write_info, write_metrics

if TYPE_CHECKING:
    from reference_impl.service import NpuManagerService

EXIT_OK = 0
EXIT_ERROR = -1  # as android.os.ShellCommand; `cmd` turns it into 255


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table: the command's name, its effect in words, and what does it."""

    name: str
    effect: str
    run: Callable[[NpuManagerService, IO[str]], None]
    root_only: bool = False


def _set_policy(policy: PolicyType) -> Callable[[NpuManagerService, IO[str]], None]:
    return lambda service, out: service.setPolicy(policy, None)


COMMANDS = (
    Command("set-status-quo-policy", "let everybody load", _set_policy(PolicyType.STATUS_QUO)),
    Command("set-budget-policy", "share a budget of model sizes", _set_policy(PolicyType.BUDGET)),
    Command("set-turn-taking-policy", "load one model at a time", _set_policy(PolicyType.TURN_TAKING)),
    Command("info", "show policy, requests and priorities", write_info),
    Command("metrics", "show counts and the latest events as JSON", write_metrics),
    Command("disable", "stop sending priorities to the HAL", lambda s, out: s.hal.disable(), root_only=True),
    Command("enable", "send priorities to the HAL again", lambda s, out: s.hal.enable(), root_only=True),
)

HELP_WORDS = ("help", "-h")


def run_command(service: NpuManagerService, args: list[str], out: IO[str], err: IO[str]) -> int:
    """Run one command line on behalf of the calling uid.

    Args:
        service: the service to act on.
        args: the words after `cmd npu`; those after the command are ignored.
        out: takes what the command shows, and usage.
        err: takes one line if it fails.

    Returns:
        0, or -1 if there is no such command or it failed.
    """
    word = args[0] if args else HELP_WORDS[0]
    if word in HELP_WORDS:
        write_usage(out)
        return EXIT_OK
    command = next((command for command in COMMANDS if command.name == word), None)
    if command is None:
        out.write(f"Unknown command: {word}\n")
        write_usage(out)
        return EXIT_ERROR
    if command.root_only and calling_uid() != ROOT_UID:
        err.write(f"Error: {word} is for root only\n")
        return EXIT_ERROR
    try:
        command.run(service, out)
    except RemoteException as error:
        err.write(f"Error: {error}\n")
        return EXIT_ERROR
    return EXIT_OK


def write_usage(out: IO[str]) -> None:
    """Write every command and what it does."""
    width = max(len(command.name) for command in COMMANDS)
    out.write("NPU manager commands:\n")
    out.write(f"  {', '.join(HELP_WORDS):<{width}}  show this text\n")
    for command in COMMANDS:
        note = " (root only)" if command.root_only else ""
        out.write(f"  {command.name:<{width}}  {command.effect}{note}\n")
