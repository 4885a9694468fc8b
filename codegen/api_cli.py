"""The `codegen` commands about versions of APIs: `dump-api`, `check-api` and `freeze`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .api_check import Change, compare, load_api
from .api_dump import dump
from .console import app, complain, fail, plain_errors, report, say
from .diagnostics import Diagnostics
from .freeze import FreezeError, freeze_package
from .frontend import compile_files
from .job import expand, import_roots, project, project_file
from .output import write_modules

Roots = Annotated[
    list[Path] | None, typer.Option("-I", metavar="DIR", help="Where to look for imports. Repeatable.")
]


@app.command("dump-api", epilog="Example: codegen dump-api -o snapshot aidl/android.npumanager")
def dump_api(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="AIDL files, or folders of them.")],
    output: Annotated[Path, typer.Option("-o", metavar="DIR", help="Where to write.")],
    roots: Roots = None,
) -> None:
    """Write what callers of an interface rely on, one file per type: DIR/package/path/Type.aidl."""
    diagnostics = Diagnostics()
    with plain_errors():
        files = expand(paths)
        program = compile_files(files, import_roots(files, roots or []), vintf=True, diagnostics=diagnostics)
    report(diagnostics)
    snapshots = dump(program)
    for path in snapshots:
        if str((output / path).resolve()) in program.documents:
            fail(f"codegen: {output / path} is a source; give another folder with -o", 2)
    try:
        changed = write_modules(output, snapshots, whole=False)
    except OSError as error:
        fail(f"{error.filename}: cannot be written: {error.strerror}", 1)
    for path in snapshots:
        say(str(output / path))
    complain(f"codegen: {len(snapshots)} files in {output}, {changed} changed")


@app.command(
    "check-api",
    epilog="Example: codegen check-api aidl/android.hardware.npu/aidl_api/android.hardware.npu/1 new",
)
def check_api(
    old: Annotated[
        Path, typer.Argument(metavar="OLD_DIR", help="The version that others were built against.")
    ],
    new: Annotated[Path, typer.Argument(metavar="NEW_DIR", help="The version to take its place.")],
    roots: Roots = None,
    equal: Annotated[
        bool, typer.Option("--equal", help="Nothing may have changed, not even compatibly.")
    ] = False,
) -> None:
    """Exit 1, with a line for each reason, if a new version of an API breaks users of the old one.

    Both are folders of .aidl files, below the folder that packages start in: what dump-api wrote, or sources.
    """
    diagnostics = Diagnostics()
    for folder in (old, new):
        if not folder.is_dir():
            fail(f"codegen: there is no folder {folder}", 2)
    with plain_errors():
        interfaces = project()
        programs = [load_api(folder, roots or [], interfaces, diagnostics) for folder in (old, new)]
    report(diagnostics, "nothing was compared")
    changes = compare(*programs, equal=equal)
    _report_changes(changes, "difference" if equal else "incompatible change")
    complain(f"codegen: {new} is {'equal to' if equal else 'compatible with'} {old}")


def _report_changes(changes: list[Change], noun: str) -> None:
    """Results to standard output, advice to standard error; ends the program if there are any."""
    if not changes:
        return
    for change in changes:
        say(str(change))
    for rule in dict.fromkeys(change.rule for change in changes):
        complain(f"{rule.slug}: {rule.help}")
    count = f"1 {noun}" if len(changes) == 1 else f"{len(changes)} {noun}s"
    fail(f"codegen: {count}; undo them, or do what is said above", 1)


@app.command(epilog="Example: codegen freeze android.npumanager --version 1")
def freeze(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A package of aidl/interfaces.toml.")],
    version: Annotated[int, typer.Option("--version", min=1, metavar="N", help="The version to freeze.")],
    hash_: Annotated[
        str, typer.Option("--hash", help="Record this hash, not the one computed: that of a shipped device.")
    ] = "",
) -> None:
    """Keep the API of a package as version N, with its hash, in aidl/NAME/aidl_api/NAME/N.

    A version never changes once it is frozen, follows the one before it, and is compatible with it.
    """
    diagnostics = Diagnostics()
    with plain_errors():
        found = project_file()
        if found is None:
            fail("codegen: there is no aidl/interfaces.toml here or above; run it in a project", 2)
        try:
            frozen = freeze_package(found.parent, name, version, hash_, diagnostics)
        except FreezeError as error:
            report(diagnostics)
            _report_changes(error.changes, "incompatible change")
            fail(f"codegen: {error}", error.code)
        except OSError as error:
            fail(f"{error.filename}: cannot be written: {error.strerror}", 1)
    report(diagnostics)
    say(frozen.toml)
    complain(
        f"codegen: version {version} is {'now' if frozen.is_new else 'already'} frozen in {frozen.folder}"
    )
    complain("codegen: put the lines above into the package's table in aidl/interfaces.toml")
