"""What a command line asks for: which files, where their imports are, and which modules come of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from .ast import Declaration, Document
from .diagnostics import Diagnostics
from .frontend import compile_files
from .inputs import Inputs
from .interface_model import Release
from .interfaces import Interfaces, load_interfaces
from .places import RealPaths, aidl_below, find_project
from .program import Program
from .progress import Progress
from .registry import BUILT_IN, PythonClass
from .render import module_path, package_markers, render_module
from .resolve import read


class NothingToDo(Exception):
    """There are no sources where there should be some. The message says where."""


def project_file() -> Path | None:
    """The nearest `aidl/interfaces.toml`, from here upwards, as a path relative to here if it is."""
    found = find_project()
    return Path(found) if found else None


def project() -> Interfaces:
    """What the nearest project says of itself; nothing where there is none. Raises `InterfacesError`."""
    found = project_file()
    return Interfaces() if found is None else load_interfaces(found)


def expand(paths: Sequence[Path]) -> list[Path]:
    """Files as they are, folders as the AIDL files below them but for frozen versions.

    Raises:
        NothingToDo: a folder has none.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = list(map(Path, aidl_below(str(path))))
            if not inside:
                raise NothingToDo(f"there are no .aidl files in {path}")
            found += inside
        else:
            found.append(path)
    return found


_PACKAGE = re.compile(r"^\s*package\s+([A-Za-z_][\w.]*)\s*;", re.MULTILINE)


def _package(path: Path) -> str | None:
    """What a file says its package is; None if it cannot be read."""
    try:
        match = _PACKAGE.search(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    return match[1] if match else ""


def _own_root(folder: Path, package: str | None) -> Path | None:
    """The folder that a package starts in, if its files are where it says."""
    if package is None:
        return None
    parts = package.split(".") if package else []
    folders = folder.absolute().parts
    if parts and list(folders[-len(parts) :]) != parts:
        return None
    root = folder
    for _ in parts:
        root = root.parent if root.name else Path("..") / root
    return root


def import_roots(paths: Sequence[Path], given: Iterable[Path], real: RealPaths | None = None) -> list[Path]:
    """Where imports may be: the given folders, the files' own roots, the project's packages.

    Raises:
        InterfacesError: the project's file makes no sense.
    """
    real = real or RealPaths()
    own = dict.fromkeys((path.parent, _package(path)) for path in paths)
    candidates = [*given, *filter(None, (_own_root(*each) for each in own))]
    candidates += [package.root for package in project().packages]
    roots: dict[str, Path] = {}
    for root in candidates:
        roots.setdefault(real(str(root)), root)
    return list(roots.values())


class Job:
    """Modules to be rendered: declarations gathered by package.

    Args:
        classes: by AIDL name, the classes that stand for unstructured parcelables, beside the built-in ones.
        inputs: hears of all that is read or looked for.
        progress: hears how far the work is.
        diagnostics: hears of all that is wrong.
        lint: whether questions of style are, too.
    """

    def __init__(
        self,
        classes: Mapping[str, PythonClass],
        inputs: Inputs | None = None,
        progress: Progress | None = None,
        *,
        diagnostics: Diagnostics | None = None,
        lint: bool = False,
    ) -> None:
        self.diagnostics = diagnostics or Diagnostics()
        self._lint = lint
        self._inputs = inputs or Inputs.begin()
        self.programs: list[Program] = []
        self._progress = progress or Progress()
        self._classes = {**BUILT_IN, **classes}
        self._reading = 0, 0  # so many of so many
        self._packages: dict[str, dict[str, Declaration]] = {}
        self._releases: dict[str, Release] = {}

    def add(
        self, paths: Sequence[Path], roots: Sequence[Path], *, vintf: bool, release: Release, own: str = ""
    ) -> None:
        """Compiles files; those they import are rendered too. `own` limits `release` to one package."""
        self._reading = self._reading[0], self._reading[1] + len(paths)
        program = compile_files(
            paths,
            roots,
            vintf=vintf,
            # What crosses the vendor boundary has to be stable all through.
            structured=vintf,
            lint=self._lint,
            diagnostics=self.diagnostics,
            reader=self._read,
        )
        self._inputs.add(program)
        self.programs.append(program)
        requested = {document.package for document in program.requested}
        for document in program.documents.values():
            types = self._packages.setdefault(document.package, {})
            types.update((declaration.name, declaration) for declaration in document.declarations)
            if document.package in requested and own in ("", document.package):
                self._releases[document.package] = release

    def add_project(
        self, interfaces: Interfaces, given: Iterable[Path], only: Collection[str] | None = None
    ) -> None:
        """Compiles the packages of a project, or some of them. Raises `NothingToDo`."""
        roots = [*given, *dict.fromkeys(package.root for package in interfaces.packages)]
        for package in interfaces.packages:
            if only is not None and package.name not in only:
                continue
            sources = package.sources()
            self._inputs.sources[str(package.folder)] = [path.name for path in sources]
            if not sources:
                raise NothingToDo(f"there are no .aidl files of {package.name} in {package.folder}")
            self.add(sources, roots, vintf=package.vintf, release=package.release, own=package.name)

    def modules(self, only: Collection[str] | None = None) -> dict[str, str]:
        """The text of all modules, or those of some packages; not to be used if `diagnostics` has failed."""
        if self.diagnostics.failed:
            return {}
        packages = [package for package in self._packages if only is None or package in only]
        modules = {}
        for number, package in enumerate(packages, start=1):
            modules[module_path(package)] = render_module(
                package,
                self._packages[package].values(),
                self._releases.get(package, Release()),
                self.diagnostics,
                self._classes,
            )
            self._progress.show("packages written", number, len(packages))
        return modules | package_markers(modules)

    def _read(self, path: Path, name: str, diagnostics: Diagnostics) -> Document | None:
        done, expected = self._reading
        self._reading = done + 1, expected
        self._progress.show("files parsed", done + 1, expected)
        return read(path, name, diagnostics)
