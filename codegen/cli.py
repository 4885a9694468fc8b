"""The `codegen` program."""

from __future__ import annotations

import sys

from .generate import generate
from .request import plain_request


def main() -> None:
    """Entry point. Ctrl-C ends it quietly."""
    words = sys.argv[1:]
    try:
        request = plain_request(words[1:]) if words[:1] == ["generate"] else None
        if request is not None:
            generate(request, words[1:])
            return
        from .commands import run

        run()
    except KeyboardInterrupt:
        print("codegen: interrupted", file=sys.stderr)  # noqa: T201  # what this program is for
        sys.exit(130)
