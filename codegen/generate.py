"""`codegen generate`: from a request to files, by way of the compiler or of an earlier run."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .cache import Cache, compiler_identity, default_folder
from .inputs import Inputs
from .outcome import Outcome, from_entry, to_entry
from .output import find_drift, lost_types, mend
from .places import digest
from .request import Request
from .speech import complain, fail, say


def generate(request: Request, words: Sequence[str]) -> None:
    """Does what is asked for; ends the program unless all is well.

    Args:
        request: what is asked for.
        words: how the user said it.
    """
    with _no_collection():
        if request.cache:
            outcome = _cached(request, Cache(default_folder()))
        else:
            outcome = _compile(request, Inputs.begin())
        _deliver(request, outcome, words)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keeps Python from looking for garbage again and again: nearly all that is made stays in use."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _cached(request: Request, store: Cache) -> Outcome:
    """What an earlier run gave, if this one would find all as that one did; else what this one gives."""
    key = digest(json.dumps([os.getcwd(), request.meaning, compiler_identity()]).encode())
    entry = store.load(key)
    if entry is not None:
        inputs, earlier = from_entry(entry)
        changed = inputs.changed_files()
        if changed is not None:
            outcome = _compile_changed(request, inputs, earlier, changed) if changed else earlier
            if outcome is not None:
                for warning in outcome.warnings:
                    complain(warning.text)
                if changed:
                    store.save(key, to_entry(inputs, outcome))
                return outcome
    inputs = Inputs.begin()
    outcome = _compile(request, inputs)
    store.save(key, to_entry(inputs, outcome))
    return outcome


def _compile(request: Request, inputs: Inputs) -> Outcome:
    from .runs import compile_all

    return compile_all(request, inputs)


def _compile_changed(request: Request, inputs: Inputs, earlier: Outcome, changed: set[str]) -> Outcome | None:
    from .runs import compile_changed

    return compile_changed(request, inputs, earlier, changed)


def _deliver(request: Request, outcome: Outcome, words: Sequence[str]) -> None:
    output, modules = request.output, outcome.modules
    if request.check:
        mending = [word for word in words if word != "--check"] if request.paths else []
        command = " ".join(["codegen generate", *mending])
        _check(output, modules, whole=not request.paths, command=command)
        return
    drifts = find_drift(output, modules, whole=not request.paths)
    for path, types in (lost_types(drifts, modules) if request.paths else {}).items():
        advice = "name all files of a package, or its folder, to have them all"
        complain(f"codegen: {path} has {', '.join(types)} no longer; {advice}")
    try:
        mend(drifts, modules)
    except OSError as error:
        fail(f"{error.filename}: cannot be written: {error.strerror}", 1)
    files = "1 file" if len(modules) == 1 else f"{len(modules)} files"
    complain(f"codegen: {files} in {output}, {len(drifts)} changed")


def _check(output: str, modules: dict[str, str], *, whole: bool, command: str) -> None:
    drifts = find_drift(output, modules, whole=whole)
    if not drifts:
        complain(f"codegen: {len(modules)} files in {output} are up to date")
        return
    for drift in drifts:
        say(str(drift))
    fail(f"codegen: {len(drifts)} of {len(modules)} files are not up to date; run: {command}", 1)
