"""The HAL as a program of its own, which can be killed, and the side of it that is told what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import IO, Any

from reference_impl.hal_commands import HalCommands
from reference_impl.hal_process import HalProcess
from reference_impl.kernel_processes import KernelDriver
from reference_impl.lines import CommandError, answer, write

END_SECONDS = 10.0


class HalApart:
    """A child that serves the HAL on a binder device.

    Args:
        path: the binder device.
        arguments: further arguments of `reference_impl.serving`, such as `--hal-kind`.

    Raises:
        CommandError: it does not start.
    """

    def __init__(self, path: str, arguments: Sequence[str] = ()) -> None:
        program = [sys.executable, "-m", "reference_impl.serving", "--part", "hal", "--control"]
        self._process = subprocess.Popen(
            [*program, "--binder", path, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._numbers = count(1)
        greeting = self._read()
        if "pid" not in greeting:
            raise CommandError(f"the HAL says {greeting}")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def __call__(self, name: str, **arguments: Any) -> Any:
        """Has it carry out a command. Raises `CommandError` if it cannot."""
        stream = self._process.stdin
        if stream is None:
            raise CommandError("the HAL takes no commands")
        try:
            write(stream, {"id": next(self._numbers), "do": name, **arguments})
        except OSError:
            raise CommandError("the HAL's process has ended") from None
        said = self._read()
        if "error" in said:
            raise CommandError(said["error"])
        return said["result"]

    def kill(self) -> None:
        """Ends it as SIGKILL does."""
        self._process.kill()
        self._process.wait(END_SECONDS)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _read(self) -> dict[str, Any]:
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        if not line:
            raise CommandError("the HAL's process has ended")
        said: dict[str, Any] = json.loads(line)
        return said


def serve_hal_controlled(driver: KernelDriver, commands: IO[str], answers: IO[str], **traits: Any) -> None:
    """Serves a HAL and does what it is told, until the commands end."""
    hal = HalProcess(driver, **traits)
    table = HalCommands(hal.hal, driver.scheduler).table()
    write(answers, {"pid": os.getpid()})
    for line in commands:
        write(answers, answer(table, line))
