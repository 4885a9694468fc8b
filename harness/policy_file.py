"""A policy of the user's own, from `FILE.py:Class`."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path

from .backend import BackendUnusable

_MODULE = "npu_policy_file"


def load_class(spec: str, base: type) -> type:
    """The class that `spec` names.

    Args:
        spec: `FILE.py:Class`.
        base: what it must be derived from.

    Raises:
        BackendUnusable: there is no such file or class, it cannot be imported, or it is no such thing.
    """
    file, colon, name = spec.rpartition(":")
    if not colon or not file or not name:
        raise BackendUnusable(f"a policy is named FILE.py:Class, not {spec!r}")
    members = _members(Path(file))
    found = members.get(name)
    if not isinstance(found, type) or not issubclass(found, base):
        own = [m for m in members.values() if isinstance(m, type) and m.__module__ == _MODULE]
        there = [member.__name__ for member in own if issubclass(member, base)]
        hint = f"; there is: {', '.join(there)}" if there else f"; derive a class from {base.__name__}"
        raise BackendUnusable(f"{file} has no {base.__name__} called {name!r}{hint}")
    if inspect.isabstract(found):
        missing = ", ".join(sorted(getattr(found, "__abstractmethods__", ())))
        raise BackendUnusable(f"{name} in {file} still lacks: {missing}")
    return found


def _members(path: Path) -> dict[str, object]:
    if not path.is_file():
        raise BackendUnusable(f"there is no policy file {path}")
    found = importlib.util.spec_from_file_location(_MODULE, path)
    if found is None or found.loader is None:
        raise BackendUnusable(f"{path} is no Python file: its name should end in .py")
    module = importlib.util.module_from_spec(found)
    # Dataclasses look up the module that they are made in.
    sys.modules[_MODULE] = module
    try:
        found.loader.exec_module(module)
    except SyntaxError as error:
        raise BackendUnusable(f"{path}:{error.lineno}:{error.offset}: {error.msg}") from None
    except Exception as error:
        raise BackendUnusable(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    return dict(vars(module))
