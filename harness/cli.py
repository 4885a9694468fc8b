"""The `harness` command's way in and out: however it ends, it ends with the right exit code and no traceback.

Imports the rest only once it is ready to be interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

INTERRUPTED = 130


def main() -> None:
    """Entry point."""
    try:
        _provide_streams()
        from .commands import run_command_line

        code = run_command_line()
    except KeyboardInterrupt:
        code = INTERRUPTED
        with suppress(OSError):
            print("harness: interrupted", file=sys.stderr)  # noqa: T201
    # Nothing is left to interrupt, and an interpreter that winds up would complain.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def _provide_streams() -> None:
    """Replaces streams that were closed before the start, and has none refuse a character."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # for as long as we run
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
