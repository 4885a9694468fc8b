"""`dumpsys` and `cmd`, through the driver."""

from __future__ import annotations

import os
import tempfile
from typing import IO

import pytest

from binder import (
    Binder,
    IBinder,
    Parcel,
    ParcelFileDescriptor,
    SecurityException,
    ShellResult,
    SpecialCode,
    Status,
    StatusError,
    TransactionFlag,
    calling_uid,
    dump,
    shell_command,
)
from binder.console import RESULT_RECEIVER, SEND_RESULT

from .services import PATIENCE, Manager, World, open_files


class Talkative(Manager):
    """Shows its arguments, and obeys a few commands."""

    def on_dump(self, out: IO[str], args: list[str]) -> None:
        out.write(f"Policy: é {args} for {calling_uid()}\n")

    def on_shell_command(self, stdin: IO[str], out: IO[str], err: IO[str], args: list[str]) -> int:
        match args:
            case ["copy"]:
                out.write(stdin.read())
            case ["forbidden"]:
                raise SecurityException("shell may not")
            case ["broken"]:
                raise ValueError("on purpose")
            case _:
                err.write("usage: copy\n")
                return 64
        return 0


class Receiver(Binder):
    """Hears the exit code of a shell command."""

    def __init__(self) -> None:
        self.heard: list[int] = []

    def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
        assert (code, flags & TransactionFlag.ONE_WAY) == (SEND_RESULT, TransactionFlag.ONE_WAY)
        assert data.read_interface_token().descriptor == RESULT_RECEIVER
        self.heard.append(data.read_int32())
        assert data.read_int32() == 0
        assert data.remaining == 0


def run(world: World, *args: str) -> ShellResult:
    receiver = Receiver()

    def wait() -> int | None:
        world.driver.scheduler.wait_until(lambda: bool(receiver.heard), PATIENCE)
        return receiver.heard[0] if receiver.heard else None

    return shell_command(world.raw(Talkative()), args, receiver, wait)


def test_dump_shows_what_the_service_writes(world: World) -> None:
    before = open_files()
    assert dump(world.raw(Talkative()), ["-a", "é"]) == "Policy: é ['-a', 'é'] for 10001\n"
    assert open_files() == before


def test_dump_of_an_object_in_the_same_process_works_too() -> None:
    before = open_files()
    assert dump(Talkative()) == "Policy: é [] for 0\n"
    assert open_files() == before


def test_a_service_that_says_nothing_dumps_nothing(world: World) -> None:
    assert dump(world.raw(Manager())) == ""


def test_a_command_gives_output_errors_and_an_exit_code_apart(world: World) -> None:
    before = open_files()
    assert run(world, "copy") == ShellResult(0, "", "")
    assert run(world, "?") == ShellResult(64, "", "usage: copy\n")
    world.settle()
    assert open_files() == before


@pytest.mark.parametrize(
    ("command", "said"),
    [("forbidden", "SecurityException: shell may not"), ("broken", "ValueError: on purpose")],
)
def test_a_command_that_raises_says_so_and_exits_with_minus_one(
    world: World, command: str, said: str
) -> None:
    result = run(world, command)
    assert result.exit_code == -1
    assert result.err == f"Exception occurred while executing '{command}': {said}\n"


def test_a_service_without_commands_exits_with_invalid_operation(world: World) -> None:
    receiver = Receiver()
    binder = world.raw(Manager())

    def wait() -> int:
        world.wait(lambda: bool(receiver.heard))
        return receiver.heard[0]

    result = shell_command(binder, ["x"], receiver, wait)
    assert result == ShellResult(Status.INVALID_OPERATION, "", "No shell command implementation.\n")


def test_no_exit_code_in_time_is_a_timeout_naming_the_command(still: World) -> None:
    with pytest.raises(StatusError, match="'copy this'") as caught:
        shell_command(still.raw(Talkative()), ["copy", "this"], Receiver(), lambda: None)
    assert caught.value.status == Status.TIMED_OUT


def command_data(binder: IBinder, fd: int, receiver: IBinder | None) -> Parcel:
    data = binder.new_parcel()
    for _ in range(3):
        data.write_file_descriptor(ParcelFileDescriptor(fd, owned=False))
    data.write_array(["copy"], data.write_string16)
    data.write_strong_binder(None)
    data.write_strong_binder(receiver)
    return data


def test_a_command_reads_its_input(world: World) -> None:
    binder = world.raw(Talkative())
    with tempfile.TemporaryFile() as file:
        file.write(b"input ")
        file.flush()
        file.seek(0)
        binder.transact(SpecialCode.SHELL_COMMAND, command_data(binder, file.fileno(), None))
        file.seek(0)
        assert file.read() == b"input input "


def test_a_command_whose_receiver_has_died_is_carried_out_all_the_same(still: World) -> None:
    binder = still.raw(Talkative())
    receiver = Receiver()
    third = still.driver.new_process("third", uid=2000)
    third.add_service("receiver", receiver)
    there = still.client.get_service("receiver")
    third.kill()
    with tempfile.TemporaryFile() as file:
        binder.transact(SpecialCode.SHELL_COMMAND, command_data(binder, file.fileno(), there))
    assert receiver.heard == []


@pytest.mark.parametrize("code", [SpecialCode.DUMP, SpecialCode.SHELL_COMMAND])
def test_a_request_cut_short_leaves_no_descriptor_open(world: World, code: SpecialCode) -> None:
    binder = world.raw(Talkative())
    before = open_files()
    for count in range(4):
        data = binder.new_parcel()
        for _ in range(count):
            data.write_file_descriptor(ParcelFileDescriptor(0, owned=False))
        with pytest.raises(StatusError) as caught:
            binder.transact(code, data)
        assert caught.value.status in (Status.NOT_ENOUGH_DATA, Status.PERMISSION_DENIED)
    assert open_files() == before


def test_a_descriptor_that_is_no_file_to_write_to_is_a_bad_value(world: World) -> None:
    binder = world.raw(Talkative())
    folder = os.open("/", os.O_RDONLY)
    before = open_files()
    data = binder.new_parcel()
    data.write_file_descriptor(ParcelFileDescriptor(folder, owned=False))
    data.write_array([], data.write_string16)
    with pytest.raises(StatusError) as caught:
        binder.transact(SpecialCode.DUMP, data)
    assert caught.value.status == Status.BAD_VALUE
    assert open_files() == before
    os.close(folder)


def test_a_reader_that_has_seen_enough_harms_nothing(world: World) -> None:
    binder = world.raw(Talkative())
    receiver = Receiver()
    reading, writing = os.pipe()
    os.close(reading)
    before = open_files()
    data = binder.new_parcel()
    data.write_file_descriptor(ParcelFileDescriptor(writing, owned=False))
    data.write_array([], data.write_string16)
    binder.transact(SpecialCode.DUMP, data)
    data = command_data(binder, writing, receiver)
    binder.transact(SpecialCode.SHELL_COMMAND, data)
    world.wait(lambda: bool(receiver.heard))
    assert receiver.heard != [0]
    world.settle()
    assert open_files() == before
    os.close(writing)
