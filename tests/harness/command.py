"""Runs npukit's commands as a user does, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str


def run_command(
    module: str,
    *args: str,
    cwd: Path = ROOT,
    before: str = "",
    env: Mapping[str, str] | None = None,
    stdout: int = subprocess.PIPE,
) -> Outcome:
    """Runs `module.cli` with arguments; `before` is Python to be run first in the same process."""
    done = subprocess.run(
        command_line(module, *args, before=before),
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=100,
        check=False,
    )
    return Outcome(done.returncode, done.stdout or "", done.stderr)


def command_line(module: str, *args: str, before: str = "") -> list[str]:
    """What to start a process with."""
    lines = [
        "import sys",
        f"sys.path.insert(0, {str(ROOT)!r})",
        f"sys.argv[0] = {module!r}",
        before,
        f"from {module}.cli import main",
        "main()",
    ]
    return [sys.executable, "-c", "\n".join(lines), *args]
