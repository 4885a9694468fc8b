"""Where things are in the file system, found without loading the compiler.

What is unchanged since an earlier run must be known sooner than the compiler's modules are loaded, so
this module, like all that `replay` uses, imports little.
"""

from __future__ import annotations

import hashlib
import os

PROJECT_FILE = os.path.join("aidl", "interfaces.toml")
FROZEN = "aidl_api"
"""Folders of this name hold versions of an API, which are no sources."""


_MOST_AT_ONCE = 1 << 16
"""Most files are shorter, and are read without a file object: there are thousands of them."""


def digest(data: bytes) -> str:
    """What tells contents apart."""
    return hashlib.sha256(data).hexdigest()


def digest_of(path: str) -> str:
    """The digest of a file; "" if it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return ""
    try:
        data = os.read(handle, _MOST_AT_ONCE)
        if len(data) == _MOST_AT_ONCE:
            with open(handle, "rb", closefd=False) as rest:
                data += rest.read()
        return digest(data)
    except OSError:
        return ""
    finally:
        os.close(handle)


def find_project() -> str:
    """The nearest project's file, from here upwards, relative to here if it is below; "" if none."""
    if os.path.isfile(PROJECT_FILE):
        return PROJECT_FILE
    folder = os.getcwd()
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if os.path.isfile(found := os.path.join(folder, PROJECT_FILE)):
            return found
    return ""


def aidl_below(folder: str) -> list[str]:
    """The AIDL files in a folder and below it, frozen versions left out, in order of their parts."""
    found = []
    for where, below, names in os.walk(folder):
        below[:] = [name for name in below if name != FROZEN]
        start = os.path.join(where, "")
        found += [start + name for name in names if name.endswith(".aidl")]
    return sorted(found, key=lambda path: path.split("/"))


def aidl_in(folder: str) -> list[str]:
    """The names of the AIDL files in a folder, sorted."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".aidl"))
    except OSError:
        return []


class RealPaths:
    """Paths with all links followed; what is known of a folder holds for all in it.

    `known` has all that was asked for.
    """

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def __call__(self, path: str) -> str:
        if path not in self.known:
            self.known[path] = self._follow(path)
        return self.known[path]

    def _follow(self, path: str) -> str:
        folder, name = os.path.split(path)
        if name in ("", ".", "..") or os.path.islink(path):
            return os.path.realpath(path)
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = os.path.realpath(folder)
        return os.path.join(real, name)
