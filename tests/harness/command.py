"""Runs npukit's commands as a user does, in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str


def run_command(module: str, *args: str, cwd: Path = ROOT, before: str = "") -> Outcome:
    """Runs `module.cli` with arguments; `before` is Python to be run first in the same process."""
    lines = [
        "import sys",
        f"sys.path.insert(0, {str(ROOT)!r})",
        f"sys.argv[0] = {module!r}",
        before,
        f"from {module}.cli import main",
        "main()",
    ]
    program = "\n".join(lines)
    done = subprocess.run(
        [sys.executable, "-c", program, *args],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
