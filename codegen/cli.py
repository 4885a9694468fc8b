"""The `codegen` command."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Annotated, NoReturn

import typer

from . import wire as wire_layout
from .ast import Document
from .diagnostics import Diagnostics, Severity
from .frontend import compile_files
from .interface_model import Release
from .interfaces import FILE_NAME, InterfacesError
from .job import Job, NothingToDo, expand, import_roots, project
from .layout import UNSUPPORTED, Unsupported
from .output import find_drift, write_modules
from .registry import PythonClass, RegistryError

app = typer.Typer(
    name="codegen",
    help="Compile AIDL to typed Python.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

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


def _complain(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201  # what this program is for


def _say(text: str) -> None:
    print(text)  # noqa: T201  # what this program is for


def _fail(message: str, code: int) -> NoReturn:
    _complain(message)
    raise typer.Exit(code)


def _report(diagnostics: Diagnostics) -> None:
    for item in diagnostics.sorted():
        _complain(item.render())
    if diagnostics.failed:
        count = sum(item.rule.severity is Severity.ERROR for item in diagnostics.items)
        _fail(f"codegen: {count} error{'s' if count > 1 else ''}; nothing was written", 1)


@contextmanager
def _plain_errors() -> Iterator[None]:
    """A user's mistake is one sentence."""
    try:
        yield
    except InterfacesError as error:
        _fail(str(error), 1)
    except NothingToDo as error:
        _fail(f"codegen: {error}", 1)
    except RegistryError as error:
        _fail(f"codegen: --parcelable: {error}", 2)


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
) -> None:
    """Write a Python module for each AIDL package.

    Without a PATH: everything that aidl/interfaces.toml lists. Imported files are found through -I,
    next to the files themselves, and among the project's packages, and are generated too.
    """
    if stability not in ("local", "vintf"):
        _fail(f"codegen: --stability is 'local' or 'vintf', not {stability!r}", 2)
    with _plain_errors():
        interfaces = project()
        job = Job({**interfaces.parcelables, **_classes(parcelables or [])})
        if paths:
            files = expand(paths)
            release = Release(version, hash_)
            job.add(files, import_roots(files, roots or []), vintf=stability == "vintf", release=release)
        elif interfaces.packages:
            job.add_project(interfaces, roots or [])
        else:
            _fail(f"codegen: no aidl/{FILE_NAME} here or above; name .aidl files, or run it in a project", 2)
    modules = job.modules()
    _report(job.diagnostics)
    if check:
        words = [word for word in sys.argv[2:] if word != "--check"] if paths else []
        _check(output, modules, whole=not paths, command=" ".join(["codegen generate", *words]))
        return
    try:
        changed = write_modules(output, modules, whole=not paths)
    except OSError as error:
        _fail(f"{error.filename}: cannot be written: {error.strerror}", 1)
    _complain(f"codegen: {len(modules)} files in {output}, {changed} changed")


def _classes(options: Sequence[str]) -> dict[str, PythonClass]:
    """What `--parcelable` says. Raises `RegistryError`."""
    return {name: PythonClass.parse(text) for name, _, text in (option.partition("=") for option in options)}


def _check(output: Path, modules: dict[PurePosixPath, str], *, whole: bool, command: str) -> None:
    drifts = find_drift(output, modules, whole=whole)
    if not drifts:
        _complain(f"codegen: {len(modules)} files in {output} are up to date")
        return
    for drift in drifts:
        _say(str(drift))
    _fail(f"codegen: {len(drifts)} of {len(modules)} files are not up to date; run: {command}", 1)


@app.command(epilog="Example: codegen wire aidl/android.npumanager/android/npumanager/BufferType.aidl")
def wire(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="AIDL files, or folders of them.")],
    roots: Roots = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show transaction codes, and where what is in requests, replies and parcelables."""
    diagnostics = Diagnostics()
    with _plain_errors():
        files = expand(paths)
        program = compile_files(files, import_roots(files, roots or []), vintf=True, diagnostics=diagnostics)
    _report(diagnostics)
    tables = [table for document in program.requested for table in _described(document, diagnostics)]
    _report(diagnostics)
    if as_json:
        _say(json.dumps([wire_layout.as_data(table) for table in tables], indent=2))
    else:
        _say("\n\n".join(wire_layout.as_text(table) for table in tables))


def _described(document: Document, diagnostics: Diagnostics) -> list[wire_layout.Table]:
    try:
        return list(wire_layout.describe(document))
    except Unsupported as refusal:
        diagnostics.report(UNSUPPORTED, refusal.span, str(refusal))
        return []
