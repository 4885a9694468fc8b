"""The `codegen` command."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer

from . import api_cli, decode_cli  # noqa: F401  # add their commands
from . import wire as wire_layout
from .ast import Document
from .console import app, complain, fail, plain_errors, report, say
from .diagnostics import Diagnostics
from .frontend import compile_files
from .interface_model import Release
from .interfaces import FILE_NAME
from .job import Job, expand, import_roots, project
from .layout import UNSUPPORTED, Unsupported
from .output import find_drift, write_modules
from .registry import PythonClass

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


def main() -> None:
    """Entry point: like `app`, but Ctrl-C ends quietly."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


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
    jobs: Annotated[
        int, typer.Option("-j", metavar="N", min=1, help="How many processes share the work.")
    ] = 1,
) -> None:
    """Write a Python module for each AIDL package.

    Without a PATH: everything that aidl/interfaces.toml lists. Imported files are found through -I,
    next to the files themselves, and among the project's packages, and are generated too.
    """
    if stability not in ("local", "vintf"):
        fail(f"codegen: --stability is 'local' or 'vintf', not {stability!r}", 2)
    with plain_errors():
        interfaces = project()
        job = Job({**interfaces.parcelables, **_classes(parcelables or [])}, jobs)
        if paths:
            files = expand(paths)
            release = Release(version, hash_)
            job.add(files, import_roots(files, roots or []), vintf=stability == "vintf", release=release)
        elif interfaces.packages:
            job.add_project(interfaces, roots or [])
        else:
            fail(f"codegen: no aidl/{FILE_NAME} here or above; name .aidl files, or run it in a project", 2)
    modules = job.modules()
    report(job.diagnostics)
    if check:
        words = [word for word in sys.argv[2:] if word != "--check"] if paths else []
        _check(output, modules, whole=not paths, command=" ".join(["codegen generate", *words]))
        return
    try:
        changed = write_modules(output, modules, whole=not paths)
    except OSError as error:
        fail(f"{error.filename}: cannot be written: {error.strerror}", 1)
    complain(f"codegen: {len(modules)} files in {output}, {changed} changed")


def _classes(options: Sequence[str]) -> dict[str, PythonClass]:
    """What `--parcelable` says. Raises `RegistryError`."""
    return {name: PythonClass.parse(text) for name, _, text in (option.partition("=") for option in options)}


def _check(output: Path, modules: dict[PurePosixPath, str], *, whole: bool, command: str) -> None:
    drifts = find_drift(output, modules, whole=whole)
    if not drifts:
        complain(f"codegen: {len(modules)} files in {output} are up to date")
        return
    for drift in drifts:
        say(str(drift))
    fail(f"codegen: {len(drifts)} of {len(modules)} files are not up to date; run: {command}", 1)


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
