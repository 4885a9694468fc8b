"""Results of earlier runs, in a folder that is the user's alone.

An entry stands behind a check sum, and one that was damaged is as good as none. So is a folder that
cannot be written, or that others could write: what is in an entry ends up as code. Entries are
replaced in one step, so runs may overlap and may be killed.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import suppress
from importlib.util import find_spec
from threading import get_ident
from typing import Any, NamedTuple
from zlib import crc32

from .places import digest, digest_of

MAX_BYTES = 200_000_000
"""How much is kept. The entry for a tree of 1,500 files takes 5 MB."""

_HEAD = b"npukit codegen "
_TEMPORARY = ".new-"


class Entry(NamedTuple):
    """Data, and texts."""

    data: Any
    texts: list[str]


def default_folder() -> str:
    """Where the cache is, unless `NPUKIT_CACHE` says otherwise."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("NPUKIT_CACHE") or os.path.join(home, "npukit", "codegen")


def compiler_identity() -> str:
    """What changes whenever the same input might give another result."""
    here = os.path.dirname(os.path.abspath(__file__))
    sources = [
        os.path.join(folder, name)
        for folder, _, names in sorted(os.walk(here))
        for name in sorted(names)
        if name.endswith((".py", ".lark", ".j2"))
    ]
    parts = [sys.version, *sources, *map(digest_of, sources)]
    for module in ("lark", "jinja2"):
        spec = find_spec(module)
        if spec and spec.origin:
            found = os.stat(spec.origin)
            parts.append(f"{spec.origin} {found.st_size} {found.st_mtime_ns}")
            beside = os.listdir(os.path.dirname(os.path.dirname(spec.origin)))
            parts += sorted(name for name in beside if name.lower().startswith(f"{module}-"))
    return digest("\0".join(parts).encode())


class Cache:
    """Entries by key. Whatever goes wrong, there is just no entry."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def load(self, key: str) -> Entry | None:
        """The entry of a key, if there is a sound one."""
        data = self.load_bytes(key)
        with suppress(ValueError, KeyError, TypeError):
            return _decode(data)
        return None

    def save(self, key: str, entry: Entry) -> None:
        """Keeps an entry for the next time, and removes old ones if there are too many."""
        self.save_bytes(key, _encode(entry))

    def load_bytes(self, key: str) -> bytes:
        """What was kept under a key; nothing if there is none or it is damaged."""
        path = os.path.join(self._folder, key)
        try:
            if not self._is_private():
                return b""
            with open(path, "rb") as file:
                line, data = file.readline(), file.read()
            os.utime(path)  # the oldest are removed first
        except OSError:
            return b""
        return data if line == _first_line(data) else b""

    def save_bytes(self, key: str, data: bytes) -> None:
        """Keeps bytes, in one step."""
        temporary = os.path.join(self._folder, f"{_TEMPORARY}{os.getpid()}-{get_ident()}-{key}")
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            if not self._is_private():
                return
            try:
                with open(temporary, "wb") as file:
                    file.writelines([_first_line(data), data])
                os.replace(temporary, os.path.join(self._folder, key))
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
            self._shrink()
        except OSError:
            return

    def _is_private(self) -> bool:
        found = os.stat(self._folder)
        mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
        return mine and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

    def _shrink(self) -> None:
        """Removes the entries unused for longest until the rest is small enough."""
        with os.scandir(self._folder) as entries:
            found = [(entry.path, entry.stat()) for entry in entries if entry.is_file()]
        size = sum(each.st_size for _, each in found)
        for path, each in sorted(found, key=lambda item: item[1].st_mtime):
            if size <= MAX_BYTES:
                break
            with suppress(FileNotFoundError):
                os.unlink(path)
            size -= each.st_size


def _first_line(data: bytes) -> bytes:
    """Shows damage. Against malice there is the folder's owner, so that the fastest sum will do."""
    return b"%s%08x %d\n" % (_HEAD, crc32(data), len(data))


def _encode(entry: Entry) -> bytes:
    texts = [text.encode() for text in entry.texts]
    head = json.dumps([entry.data, [len(text) for text in texts]]).encode()
    return head + b"\n" + b"".join(texts)


def _decode(data: bytes) -> Entry:
    """Raises `ValueError` if this is not what `_encode` gives."""
    start = data.index(b"\n") + 1
    found, lengths = json.loads(data[:start])
    texts = []
    for length in lengths:
        texts.append(data[start : start + length].decode())
        start += length
    return Entry(found, texts)
