"""The `codegen` command."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, NoReturn

import typer

from . import wire as wire_layout
from .ast import Declaration, Document
from .diagnostics import Diagnostics, Severity
from .frontend import compile_files
from .interface_model import Release
from .interfaces import FILE_NAME, InterfacePackage, InterfacesError, load_interfaces
from .layout import UNSUPPORTED, Unsupported
from .output import find_drift, write_modules
from .render import module_path, package_markers, render_module

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


# --- finding sources ------------------------------------------------------------------------------


def _project_file() -> Path | None:
    """The nearest `aidl/interfaces.toml`, from here upwards, as a path relative to here if it is."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        found = folder / "aidl" / FILE_NAME
        if found.is_file():
            return found.relative_to(here) if folder == here else found
    return None


def _project_packages() -> list[InterfacePackage]:
    found = _project_file()
    if found is None:
        return []
    try:
        return load_interfaces(found)
    except InterfacesError as error:
        _fail(str(error), 1)


def _expand(paths: Sequence[Path]) -> list[Path]:
    """Files as they are, folders as the AIDL files below them."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.aidl"))
            if not inside:
                _fail(f"codegen: there are no .aidl files in {path}", 1)
            found += inside
        else:
            found.append(path)
    return found


_PACKAGE = re.compile(r"^\s*package\s+([A-Za-z_][\w.]*)\s*;", re.MULTILINE)


def _own_root(path: Path) -> Path | None:
    """The folder that a file's package starts in, if it is where its package says."""
    try:
        match = _PACKAGE.search(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    parts = match[1].split(".") if match else []
    folders = path.absolute().parent.parts
    if parts and list(folders[-len(parts) :]) != parts:
        return None
    root = path.parent
    for _ in parts:
        root = root.parent if root.name else Path("..") / root
    return root


def _roots(paths: Sequence[Path], given: Sequence[Path] | None) -> list[Path]:
    """Where imports may be: what `-I` says, the files' own roots, the project's packages."""
    candidates = [*(given or []), *filter(None, map(_own_root, paths))]
    candidates += [package.root for package in _project_packages()]
    roots: dict[Path, Path] = {}
    for root in candidates:
        roots.setdefault(root.resolve(), root)
    return list(roots.values())


# --- running the compiler -------------------------------------------------------------------------


def _report(diagnostics: Diagnostics) -> None:
    for item in diagnostics.sorted():
        _complain(item.render())
    if diagnostics.failed:
        count = sum(item.rule.severity is Severity.ERROR for item in diagnostics.items)
        _fail(f"codegen: {count} error{'s' if count > 1 else ''}; nothing was written", 1)


class _Job:
    """Modules to be rendered: declarations gathered by package."""

    def __init__(self, disabled: Iterable[str] = ()) -> None:
        self.diagnostics = Diagnostics(frozenset(disabled))
        self._packages: dict[str, dict[str, Declaration]] = {}
        self._releases: dict[str, Release] = {}

    def add(
        self, paths: Sequence[Path], roots: Sequence[Path], *, vintf: bool, release: Release, own: str = ""
    ) -> None:
        """Compiles files; those they import are rendered too. `own` limits `release` to one package."""
        program = compile_files(paths, roots, vintf=vintf, diagnostics=self.diagnostics)
        requested = {document.package for document in program.requested}
        for document in program.documents.values():
            types = self._packages.setdefault(document.package, {})
            types.update((declaration.name, declaration) for declaration in document.declarations)
            if document.package in requested and own in ("", document.package):
                self._releases[document.package] = release

    def modules(self) -> dict[PurePosixPath, str]:
        """The text of all modules; complains and ends the program if there are errors."""
        if self.diagnostics.failed:
            _report(self.diagnostics)
        modules = {
            module_path(package): render_module(
                package, types.values(), self._releases.get(package, Release()), self.diagnostics
            )
            for package, types in self._packages.items()
        }
        _report(self.diagnostics)
        return modules | package_markers(modules)


@app.command(
    epilog="Example: codegen generate -I interfaces -o out interfaces/com/example/IFoo.aidl",
)
def generate(
    paths: Paths = None,
    roots: Roots = None,
    output: Output = Path("generated"),
    check: Check = False,
    jobs: Annotated[int, typer.Option("-j", min=1, metavar="N", help="Processes to parse with.")] = 1,
    stability: Annotated[
        str, typer.Option(help="'vintf' for interfaces that cross the vendor boundary.")
    ] = "local",
    version: Annotated[
        int, typer.Option(min=0, help="What getInterfaceVersion answers; 0 for no answer.")
    ] = 0,
    hash_: Annotated[str, typer.Option("--hash", help="What getInterfaceHash answers.")] = "",
) -> None:
    """Write a Python module for each AIDL package.

    Without a PATH: everything that aidl/interfaces.toml lists. Imported files are found through -I,
    next to the files themselves, and among the project's packages, and are generated too.
    """
    if stability not in ("local", "vintf"):
        _fail(f"codegen: --stability is 'local' or 'vintf', not {stability!r}", 2)
    job = _Job()
    if paths:
        files = _expand(paths)
        job.add(files, _roots(files, roots), vintf=stability == "vintf", release=Release(version, hash_))
    else:
        _add_project(job, roots)
    modules = job.modules()
    command = " ".join(["codegen generate", *(sys.argv[2:] if paths else [])]).replace(" --check", "")
    if check:
        _check(output, modules, whole=not paths, command=command)
    else:
        try:
            changed = write_modules(output, modules, whole=not paths)
        except OSError as error:
            _fail(f"{error.filename}: cannot be written: {error.strerror}", 1)
        _complain(f"codegen: {len(modules)} files in {output}, {changed} changed")


def _add_project(job: _Job, roots: Sequence[Path] | None) -> None:
    packages = _project_packages()
    if not packages:
        _fail(
            f"codegen: no aidl/{FILE_NAME} here or above; name .aidl files, or run it where the project is", 2
        )
    everything = [*(roots or []), *dict.fromkeys(package.root for package in packages)]
    for package in packages:
        sources = package.sources()
        if not sources:
            job_folder = package.root.joinpath(*package.name.split("."))
            _fail(f"codegen: there are no .aidl files of {package.name} in {job_folder}", 1)
        job.add(sources, everything, vintf=package.vintf, release=package.release, own=package.name)


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
    files = _expand(paths)
    diagnostics = Diagnostics()
    program = compile_files(files, _roots(files, roots), vintf=True, diagnostics=diagnostics)
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
