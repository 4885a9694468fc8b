"""`interfaces.toml`: which AIDL packages a project has, and what is known of each.

The table `[parcelables]` names, by AIDL name, the Python class (`module:Class`) that stands for an
unstructured parcelable; every other table is a package.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .interface_model import Release
from .places import aidl_in
from .registry import PythonClass, RegistryError

FILE_NAME = "interfaces.toml"


class InterfacesError(Exception):
    """The file is missing or says something that makes no sense. The message names it."""


@dataclass(frozen=True, slots=True)
class InterfacePackage:
    """One AIDL package of the project."""

    name: str
    root: Path
    vintf: bool
    release: Release

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.root.joinpath(*self.name.split("."))

    def sources(self) -> list[Path]:
        """Its files, sorted."""
        return [self.folder / name for name in aidl_in(str(self.folder))]


_KEYS = {"root": str, "imports": list, "stability": str, "version": int, "hash": str}


@dataclass(frozen=True, slots=True)
class Interfaces:
    """What a file says: the packages in its order, and the classes of unstructured parcelables."""

    packages: list[InterfacePackage] = field(default_factory=list)
    parcelables: Mapping[str, PythonClass] = field(default_factory=dict)


def load_interfaces(path: Path) -> Interfaces:
    """Reads a file. Raises `InterfacesError`."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InterfacesError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InterfacesError(f"{path}: error: {error}") from None
    classes = _parcelables(path, data.pop("parcelables", {}))
    return Interfaces([_package(path, name, entry) for name, entry in data.items()], classes)


def _parcelables(path: Path, table: Any) -> dict[str, PythonClass]:
    where = f"{path}: error: [parcelables]"
    if not isinstance(table, dict):
        raise InterfacesError(f'{where} is a table of "package.Type" = "module:Class"')
    try:
        return {name: PythonClass.parse(str(text)) for name, text in table.items()}
    except RegistryError as error:
        raise InterfacesError(f"{where} {error}") from None


def _package(path: Path, name: str, entry: Any) -> InterfacePackage:
    where = f"{path}: error: [{name}]"
    if not isinstance(entry, dict) or not isinstance(entry.get("root"), str):
        raise InterfacesError(f"{where} needs a root, the folder its sources are in")
    for key, value in entry.items():
        if key not in _KEYS or not isinstance(value, _KEYS[key]):
            raise InterfacesError(f"{where} has {key} = {value!r}, which is not understood")
    stability = entry.get("stability", "local")
    if stability not in ("local", "vintf"):
        raise InterfacesError(f'{where} has stability = {stability!r}; it is "local" or "vintf"')
    root = path.parent / entry["root"]
    if not root.is_dir():
        raise InterfacesError(f"{where}: there is no folder {root}")
    release = Release(entry.get("version", 0), entry.get("hash", ""))
    return InterfacePackage(name, root, stability == "vintf", release)
