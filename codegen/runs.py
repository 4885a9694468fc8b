"""The compiler's share of a run: everything, by one process or more, or what a few changed files concern."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from . import walk
from .cache import Cache, default_folder
from .diagnostics import Diagnostic, Diagnostics
from .inputs import Inputs
from .interface_model import Release
from .interfaces import FILE_NAME, Interfaces
from .job import Job, expand, import_roots, project
from .outcome import Known, Outcome, Warned
from .parallel import share
from .parser import keep_tables_in, machine
from .parts import FEWEST_FILES, Part, cut, join
from .places import RealPaths, aidl_below
from .program import Program
from .progress import Progress
from .registry import PythonClass
from .reports import plain_errors, report
from .request import Request
from .speech import complain, fail


def compile_all(request: Request, inputs: Inputs) -> Outcome:
    """Ends the program if there are errors. Warnings have been shown then."""
    if request.jobs > 1 and (outcome := _compile_shared(request, inputs)) is not None:
        for warning in outcome.warnings:
            complain(warning.text)
        return outcome
    with _job(request, inputs) as job:
        if request.paths:
            files, roots = _locate(request, inputs)
            _add(job, request, files, roots)
        else:
            interfaces = project()
            if not interfaces.packages:
                advice = "name .aidl files, or run it in a project"
                fail(f"codegen: no aidl/{FILE_NAME} here or above; {advice}", 2)
            job.add_project(interfaces, list(map(Path, request.roots)))
        modules = job.modules()
    report(job.diagnostics)
    return _outcome(request, job, modules)


class _Task(NamedTuple):
    """A part to be compiled: some of the files asked for, or some packages of the project."""

    request: Request
    files: list[Path]
    roots: list[Path]
    packages: list[str]
    parent: int


def _compile_shared(request: Request, inputs: Inputs) -> Outcome | None:
    """What several processes make of it; None if one has to do it."""
    with plain_errors():
        interfaces, _ = _known_classes(request)
        roots: list[Path] = []
        if request.paths:
            files, roots = _locate(request, inputs)
            folders: dict[str, list[Path]] = {}
            for file in files:
                folders.setdefault(str(file.parent), []).append(file)
        else:
            folders = {package.name: package.sources() for package in interfaces.packages}
    sizes = {folder: sum(map(_size, inside)) for folder, inside in folders.items()}
    if sum(map(len, folders.values())) < FEWEST_FILES or len(folders) < 2:
        return None
    _keep_tables(request)
    machine()  # so that helpers need not make their own
    tasks = [
        _Task(request, [file for key in keys for file in folders[key]], roots, keys, os.getpid())
        for keys in cut(sizes, request.jobs)
    ]
    return join(share(_compile_part, tasks, request.jobs), inputs)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _compile_part(task: _Task) -> Part | None:
    inputs = Inputs.begin()
    request = task.request
    with _job(request, inputs, shown=os.getpid() == task.parent) as job:
        if request.paths:
            _add(job, request, task.files, task.roots)
        else:
            job.add_project(project(), list(map(Path, request.roots)), task.packages)
        modules = job.modules()
    if job.diagnostics.failed:
        return None
    packages: dict[str, set[str]] = {}
    for program in job.programs:
        for path, document in program.documents.items():
            packages.setdefault(document.package, set()).add(path)
    return Part(inputs, _outcome(request, job, modules), packages)


def _outcome(request: Request, job: Job, modules: dict[str, str]) -> Outcome:
    (*_, program) = job.programs
    # The packages of a project are compiled one by one, and are few.
    files = _known(program) if request.paths else {}
    return Outcome(_warned(job.diagnostics.sorted()), modules, files, list(map(str, program.roots)))


def compile_changed(request: Request, inputs: Inputs, earlier: Outcome, changed: set[str]) -> Outcome | None:
    """The outcome if only files changed, from the packages that they concern.

    None if the change reaches further than can be told from these, or there are errors: what is to be
    said of them depends on everything. `inputs` are those of the earlier run, and become those of this one.
    """
    packages = earlier.packages_to_compile(changed)
    if not packages:
        return None
    before = dict(inputs.digests)
    with _job(request, inputs) as job:
        named = [Path(known.name) for known in earlier.files.values() if known.package in packages]
        _add(job, request, named, list(map(Path, earlier.roots)))
        modules = job.modules(packages)
    if job.diagnostics.failed:
        return None
    (program,) = job.programs
    found = _known(program)
    inside = {path: known for path, known in found.items() if known.package in packages}
    files = earlier.files | inside
    warnings = [each for each in earlier.warnings if earlier.files[each.path].package not in packages]
    warnings += [each for each in _warned(job.diagnostics.items) if each.path in inside]
    outcome = Outcome(
        sorted(warnings, key=lambda each: each[:3]), earlier.modules | modules, files, earlier.roots
    )
    is_as_before = (
        found.keys() <= earlier.files.keys()
        and all(known.declares == earlier.files[path].declares for path, known in found.items())
        and all(known.package == earlier.files[path].package for path, known in found.items())
        and all(inputs.digests[path] == before[path] for path in found.keys() - inside.keys())
        and list(map(str, program.roots)) == earlier.roots
        and outcome.reaches_all_files()
    )
    return outcome if is_as_before else None


def _keep_tables(request: Request) -> None:
    if request.cache:
        keep_tables_in(Cache(default_folder()))


def _known_classes(request: Request) -> tuple[Interfaces, dict[str, PythonClass]]:
    """What the project says, and the classes of unstructured parcelables from there and the command line."""
    interfaces = project()
    options = (text.partition("=") for text in request.parcelables)
    classes = {name: PythonClass.parse(text) for name, _, text in options}
    return interfaces, {**interfaces.parcelables, **classes}


@contextmanager
def _job(request: Request, inputs: Inputs, *, shown: bool = True) -> Iterator[Job]:
    _keep_tables(request)
    with plain_errors(), closing(Progress(shown=shown)) as progress:
        interfaces, classes = _known_classes(request)
        inputs.folders[:] = [str(package.root) for package in interfaces.packages]
        diagnostics = Diagnostics(frozenset(request.disabled))
        yield Job(
            classes,
            inputs,
            progress,
            diagnostics=diagnostics,
            lint=request.lint,
        )


def _locate(request: Request, inputs: Inputs) -> tuple[list[Path], list[Path]]:
    """The files asked for, and where their imports may be."""
    given = list(map(Path, request.paths))
    inputs.listings.update({str(path): aidl_below(str(path)) for path in given if path.is_dir()})
    real = RealPaths()
    files = expand(given)
    roots = import_roots(files, map(Path, request.roots), real)
    inputs.real.update(real.known)
    return files, roots


def _add(job: Job, request: Request, files: list[Path], roots: list[Path]) -> None:
    job.add(files, roots, vintf=request.stability == "vintf", release=Release(request.version, request.hash))


def _known(program: Program) -> dict[str, Known]:
    requested = set(map(id, program.requested))
    return {
        path: Known(
            document.source.name,
            document.package,
            id(document) in requested,
            [declaration.qualified_name for declaration in walk.declarations(document)],
            sorted({str(source.path) for source in program.uses.get(document.source, ())}),
        )
        for path, document in program.documents.items()
    }


def _warned(items: list[Diagnostic]) -> list[Warned]:
    return [
        Warned(
            item.span.source.name,
            item.span.start,
            item.rule.slug,
            str(item.span.source.path),
            item.render(),
        )
        for item in items
    ]
