"""Freezing: the API of a package as it is now becomes a version that never changes again.

A version is a folder with a snapshot per type and a file `.hash`.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .api_check import Change, compare, load_api
from .api_dump import dump
from .diagnostics import Diagnostics
from .frontend import compile_files
from .interfaces import FILE_NAME, InterfacePackage, Interfaces, load_interfaces
from .program import Program

HASH_FILE = ".hash"
_HASH = re.compile(r"[0-9a-f]{40}")


class FreezeError(Exception):
    """Nothing was frozen. `changes` says what is incompatible, if that is why."""

    def __init__(self, message: str, code: int = 1, changes: Iterable[Change] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.changes = list(changes)


@dataclass(frozen=True, slots=True)
class Frozen:
    """A version as it is on disk. `is_new` is false if it was there before, and equal."""

    folder: Path
    version: int
    hash: str
    is_new: bool

    @property
    def toml(self) -> str:
        """What interfaces.toml has to say of the package."""
        return f'version = {self.version}\nhash = "{self.hash}"'


def versions_folder(project: Path, name: str) -> Path:
    """Where the versions of a package are; `project` is the folder of interfaces.toml."""
    return project / name / "aidl_api" / name


def frozen_versions(project: Path, name: str) -> list[int]:
    """The numbers of the versions that there are, in order."""
    folders = versions_folder(project, name).glob("*/")
    return sorted(int(folder.name) for folder in folders if folder.name.isdecimal())


def api_hash(snapshots: Mapping[str, str], version: int) -> str:
    """The hash of a version, as Android's build computes it.

    Comments count, so of the same API a snapshot of Google's compiler has another hash than one of ours.
    """
    return hash_of_digests({path: _sha1(text) for path, text in snapshots.items()}, version)


def hash_of_digests(digests: Mapping[str, str], version: int) -> str:
    """The hash of a version, from the SHA-1 of each of its files.

    It is the SHA-1 of what `sha1sum` prints for the files, each named `./` and its path, in the order of
    the names' bytes, and of one more line: the version before, or `latest-version` if this is the first.
    """
    files = sorted((f"./{path}".encode(), digest) for path, digest in digests.items())
    lines = [f"{digest}  {name.decode()}\n" for name, digest in files]
    return _sha1("".join(lines) + (f"{version - 1}\n" if version > 1 else "latest-version\n"))


def _sha1(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def freeze_package(
    project: Path, name: str, version: int, given_hash: str, diagnostics: Diagnostics
) -> Frozen:
    """Freezes a version, or finds that it is frozen already.

    Args:
        project: the folder of interfaces.toml.
        given_hash: is recorded instead of what `api_hash` computes, unless it is "".

    Raises:
        FreezeError: it cannot be done; all is as it was. Look at `diagnostics` too.
        InterfacesError: interfaces.toml makes no sense.
        OSError: it cannot be written; all is as it was.
    """
    if given_hash and not _HASH.fullmatch(given_hash):
        raise FreezeError(f"--hash is 40 lower-case hexadecimal digits, not {given_hash!r}", 2)
    interfaces = load_interfaces(project / FILE_NAME)
    package = _package(interfaces, name)
    _check_next(project, name, version)
    program = _compile(package, interfaces, diagnostics)
    snapshots = dump(program)
    folder = versions_folder(project, name) / str(version)
    if folder.exists():
        return Frozen(folder, version, _check_same(folder, snapshots, given_hash), is_new=False)
    if version > 1:
        _check_changed(folder.with_name(str(version - 1)), snapshots)
        _check_compatible(folder.with_name(str(version - 1)), program, interfaces, diagnostics)
    hash_ = given_hash or api_hash(snapshots, version)
    _write(folder, project, snapshots, hash_)
    return Frozen(folder, version, hash_, is_new=True)


def _check_changed(previous: Path, snapshots: Mapping[str, str]) -> None:
    """Refuses a version in which nothing is new: nobody could tell it from the one before."""
    before = {path.relative_to(previous) for path in previous.rglob("*.aidl")}
    same = before == {Path(path) for path in snapshots} and all(
        (previous / path).read_text(encoding="utf-8") == text for path, text in snapshots.items()
    )
    if same:
        raise FreezeError(f"nothing has changed since version {previous.name}; nothing was frozen")


def _package(interfaces: Interfaces, name: str) -> InterfacePackage:
    for package in interfaces.packages:
        if package.name == name:
            return package
    known = ", ".join(package.name for package in interfaces.packages)
    raise FreezeError(f"there is no package {name} in aidl/interfaces.toml; it has {known or 'none'}", 2)


def _check_next(project: Path, name: str, version: int) -> None:
    versions = frozen_versions(project, name)
    latest = max(versions, default=0)
    if version not in versions and version != latest + 1:
        raise FreezeError(f"the next version of {name} is {latest + 1}, not {version}")


def _compile(package: InterfacePackage, interfaces: Interfaces, diagnostics: Diagnostics) -> Program:
    sources = package.sources()
    if not sources:
        raise FreezeError(f"there are no .aidl files of {package.name} in {package.root}")
    roots = list(dict.fromkeys(each.root for each in interfaces.packages))
    program = compile_files(sources, roots, vintf=package.vintf, diagnostics=diagnostics)
    if diagnostics.failed:
        raise FreezeError("the sources have errors")
    return program


def _check_same(folder: Path, snapshots: Mapping[str, str], given_hash: str) -> str:
    """The recorded hash of a version that is frozen already."""
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.aidl")}
    different = sorted(
        name
        for name in there.keys() | snapshots.keys()
        if name not in there or there[name].read_bytes() != snapshots.get(name, "").encode()
    )
    if different:
        names = ", ".join(different)
        raise FreezeError(
            f"{folder} is frozen and differs from the sources in {names}; freeze the next version"
        )
    try:
        recorded = (folder / HASH_FILE).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        raise FreezeError(f"{folder / HASH_FILE} is missing; restore it") from None
    if given_hash and given_hash != recorded:
        raise FreezeError(f"{folder} is frozen with the hash {recorded}")
    return recorded


def _check_compatible(
    before: Path, program: Program, interfaces: Interfaces, diagnostics: Diagnostics
) -> None:
    old = load_api(before, [], interfaces, diagnostics)
    if diagnostics.failed:
        raise FreezeError(f"{before} has errors")
    changes = compare(old, program)
    if changes:
        raise FreezeError(f"incompatible with version {before.name}", changes=changes)


def _write(folder: Path, project: Path, snapshots: Mapping[str, str], hash_: str) -> None:
    """Writes a version in one step: beside its place first, then moved there."""
    temporary = Path(tempfile.mkdtemp(dir=project, prefix=".freeze-"))
    missing = [each for each in list(folder.parents)[:3] if not each.exists()]
    try:
        for name, text in snapshots.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        (temporary / HASH_FILE).write_text(f"{hash_}\n", encoding="ascii")
        temporary.chmod(0o755)
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        for each in missing:
            if each.exists():
                each.rmdir()
        raise
