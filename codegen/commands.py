"""The `codegen` commands as their users see them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from . import api_cli, decode_cli  # noqa: F401  # add their commands
from . import wire as wire_layout
from .ast import Document
from .console import app, fail, plain_errors, report, say
from .diagnostics import Diagnostics
from .frontend import compile_files
from .generate import generate as carry_out
from .job import expand, import_roots
from .layout import UNSUPPORTED, Unsupported
from .request import Request
from .rules import RULES

Paths = Annotated[
    list[Path] | None, typer.Argument(metavar="[PATH]...", help="AIDL files, or folders of them.")
]
Roots = Annotated[
    list[Path] | None,
    typer.Option(
        "-I", metavar="DIR", help="Where to look for imports: the folder packages start in. Repeatable."
    ),
]
Output = Annotated[Path, typer.Option("-o", metavar="DIR", help="Where to write, or to compare with.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if anything would change.")]


def run() -> None:
    """Does what the command line says."""
    app()


@app.command(
    epilog="Example: codegen generate -I interfaces -o out interfaces/com/example/IFoo.aidl",
)
def generate(
    paths: Paths = None,
    roots: Roots = None,
    output: Output = Path("generated"),
    check: Check = False,
    stability: Annotated[
        str, typer.Option(help="'vintf' for interfaces that cross the vendor boundary.")
    ] = "local",
    version: Annotated[
        int, typer.Option(min=0, help="What getInterfaceVersion answers; 0 for no answer.")
    ] = 0,
    hash_: Annotated[str, typer.Option("--hash", help="What getInterfaceHash answers.")] = "",
    parcelables: Annotated[
        list[str] | None,
        typer.Option(
            "--parcelable", metavar="TYPE=MODULE:CLASS", help="The class of an unstructured one. Repeatable."
        ),
    ] = None,
    disabled: Annotated[
        list[str] | None,
        typer.Option("--no-warning", metavar="SLUG", help="A warning to leave out, by its slug. Repeatable."),
    ] = None,
    lint: Annotated[bool, typer.Option("--lint", help="Warn of questions of style, too.")] = False,
    jobs: Annotated[
        int, typer.Option("-j", metavar="N", min=1, help="How many processes share the work.")
    ] = 1,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Do it all again, and keep nothing.")] = False,
) -> None:
    """Write a Python module for each AIDL package.

    Without a PATH: everything that aidl/interfaces.toml lists. Imported files are found through -I,
    next to the files themselves, and among the project's packages, and are generated too.

    What has not changed since an earlier run is taken from $NPUKIT_CACHE, which is
    ~/.cache/npukit/codegen if not set.
    """
    if stability not in ("local", "vintf"):
        fail(f"codegen: --stability is 'local' or 'vintf', not {stability!r}", 2)
    if unknown := sorted(set(disabled or []) - set(RULES)):
        fail(f"codegen: --no-warning: there is no diagnostic {unknown[0]!r}", 2)
    request = Request(
        paths=tuple(map(str, paths or [])),
        roots=tuple(map(str, roots or [])),
        output=str(output),
        check=check,
        stability=stability,
        version=version,
        hash=hash_,
        parcelables=tuple(parcelables or []),
        disabled=tuple(disabled or []),
        lint=lint,
        jobs=jobs,
        cache=not no_cache,
    )
    carry_out(request, sys.argv[2:])


@app.command(epilog="Example: codegen wire aidl/android.npumanager/android/npumanager/BufferType.aidl")
def wire(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="AIDL files, or folders of them.")],
    roots: Roots = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show transaction codes, and where what is in requests, replies and parcelables."""
    diagnostics = Diagnostics()
    with plain_errors():
        files = expand(paths)
        program = compile_files(files, import_roots(files, roots or []), vintf=True, diagnostics=diagnostics)
    report(diagnostics)
    tables = [table for document in program.requested for table in _described(document, diagnostics)]
    report(diagnostics)
    if as_json:
        say(json.dumps([wire_layout.as_data(table) for table in tables], indent=2))
    else:
        say("\n\n".join(wire_layout.as_text(table) for table in tables))


def _described(document: Document, diagnostics: Diagnostics) -> list[wire_layout.Table]:
    try:
        return list(wire_layout.describe(document))
    except Unsupported as refusal:
        diagnostics.report(UNSUPPORTED, refusal.span, str(refusal))
        return []
