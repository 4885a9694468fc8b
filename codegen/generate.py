"""`codegen generate`: from a request to files, by way of the compiler or of an earlier run."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from .cache import Cache, Entry, compiler_identity, default_folder
from .inputs import Inputs
from .output import find_drift, write_modules
from .places import aidl_below, digest
from .request import Request
from .speech import complain, fail, say


class Outcome(NamedTuple):
    """What a run without errors gives."""

    warnings: list[str]
    modules: dict[PurePosixPath, str]


def generate(request: Request, words: Sequence[str]) -> None:
    """Does what is asked for; ends the program unless all is well.

    Args:
        request: what is asked for.
        words: how the user said it.
    """
    store = Cache(default_folder()) if request.cache else None
    outcome = None
    if store:
        key = digest(json.dumps([os.getcwd(), request.meaning, compiler_identity()]).encode())
        outcome = _earlier(store.load(key))
    if outcome is None:
        inputs = Inputs.begin()
        outcome = _compile(request, inputs)
        if store:
            modules = outcome.modules
            data = [inputs, outcome.warnings, list(map(str, modules))]
            store.save(key, Entry(data, list(modules.values())))
    else:
        for warning in outcome.warnings:
            complain(warning)
    _deliver(request, outcome, words)


def _earlier(entry: Entry | None) -> Outcome | None:
    """What an earlier run gave, if this one would find all as that one did."""
    if entry is None:
        return None
    inputs, warnings, names = entry.data
    if Inputs(*inputs).changed_files() != set():
        return None
    return Outcome(warnings, dict(zip(map(PurePosixPath, names), entry.texts, strict=True)))


def _compile(request: Request, inputs: Inputs) -> Outcome:
    from contextlib import closing

    from .interface_model import Release
    from .interfaces import FILE_NAME
    from .job import Job, expand, import_roots, project
    from .parallel import no_collection
    from .places import RealPaths
    from .progress import Progress
    from .registry import PythonClass
    from .reports import plain_errors, report

    with plain_errors(), no_collection(), closing(Progress()) as progress:
        interfaces = project()
        inputs.folders.extend(str(package.root) for package in interfaces.packages)
        options = (text.partition("=") for text in request.parcelables)
        classes = {name: PythonClass.parse(text) for name, _, text in options}
        job = Job({**interfaces.parcelables, **classes}, request.jobs, inputs, progress)
        roots = list(map(Path, request.roots))
        if request.paths:
            given = list(map(Path, request.paths))
            inputs.listings.update({str(path): aidl_below(str(path)) for path in given if path.is_dir()})
            real = RealPaths()
            files = expand(given)
            roots = import_roots(files, roots, real)
            inputs.real.update(real.known)
            release = Release(request.version, request.hash)
            job.add(files, roots, vintf=request.stability == "vintf", release=release)
        elif interfaces.packages:
            job.add_project(interfaces, roots)
        else:
            fail(f"codegen: no aidl/{FILE_NAME} here or above; name .aidl files, or run it in a project", 2)
        modules = job.modules()
    report(job.diagnostics)
    return Outcome([item.render() for item in job.diagnostics.sorted()], modules)


def _deliver(request: Request, outcome: Outcome, words: Sequence[str]) -> None:
    output, modules = Path(request.output), outcome.modules
    if request.check:
        mending = [word for word in words if word != "--check"] if request.paths else []
        command = " ".join(["codegen generate", *mending])
        _check(output, modules, whole=not request.paths, command=command)
        return
    try:
        changed = write_modules(output, modules, whole=not request.paths)
    except OSError as error:
        fail(f"{error.filename}: cannot be written: {error.strerror}", 1)
    complain(f"codegen: {len(modules)} files in {output}, {changed} changed")


def _check(output: Path, modules: dict[PurePosixPath, str], *, whole: bool, command: str) -> None:
    drifts = find_drift(output, modules, whole=whole)
    if not drifts:
        complain(f"codegen: {len(modules)} files in {output} are up to date")
        return
    for drift in drifts:
        say(str(drift))
    fail(f"codegen: {len(drifts)} of {len(modules)} files are not up to date; run: {command}", 1)
