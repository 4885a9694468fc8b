"""Which heap serves which buffers: a TOML file.

    [[heap]]
    path = "/dev/dma_heap/npu-weights"

    [[heap.npu]]
    device_numbers = [0, 1]
    buffer_types = ["MODEL_EXECUTABLE", "MODEL_WEIGHTS"]

The first entry, in the file's order, that has both the device number and the buffer type decides. The shape
(for each heap path a list of NPU entries) is that of the buffer facts; the file format is ours.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generated.android.npumanager import BufferType

from .dmabuf import HEAP_FOLDER

log = logging.getLogger(__name__)

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")
_HEADER = re.compile(r"\[\[\s*(heap(?:\s*\.\s*npu)?)\s*\]\]")
_KEY = re.compile(r"([A-Za-z_]+)\s*=")
_HIGHEST_DEVICE = 2**31 - 1


class HeapConfigError(ValueError):
    """A heap configuration is invalid. Its text has a `file:line: error: ...` for each fault."""


@dataclass(frozen=True, slots=True)
class NpuEntry:
    """Buffers that a heap serves: these types for these NPUs."""

    device_numbers: frozenset[int]
    buffer_types: frozenset[BufferType]


@dataclass(frozen=True, slots=True)
class HeapConfig:
    """What a configuration says: heaps by name, in order, with the entries of each."""

    heaps: tuple[tuple[str, tuple[NpuEntry, ...]], ...] = ()

    def heap_for(self, device_number: int, buffer_type: int) -> str | None:
        """The name of the heap for a buffer, None if no heap serves it."""
        for name, entries in self.heaps:
            for entry in entries:
                if device_number in entry.device_numbers and buffer_type in entry.buffer_types:
                    return name
        return None

    def names(self) -> list[str]:
        """The heaps it names, each once."""
        return list(dict.fromkeys(name for name, _ in self.heaps))


def read_heap_config(path: Path) -> HeapConfig:
    """Reads a file. Raises HeapConfigError if it is invalid or cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise HeapConfigError(f"{path}: error: cannot read the heap configuration: {reason}") from None
    return parse_heap_config(text, str(path))


def parse_heap_config(text: str, name: str = "heaps.toml") -> HeapConfig:
    """Reads a configuration.

    Args:
        text: TOML.
        name: what messages call the file.

    Raises:
        HeapConfigError: it is invalid. All its faults are named, each with its line.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        where = f":{place[1]}:{place[2]}" if place else ""
        raise HeapConfigError(f"{name}{where}: error: {_PLACE.sub('', str(error)).strip()}") from None
    reader = _Reader(_Lines(text), name)
    heaps = list(reader.heaps(content))
    if reader.faults:
        raise HeapConfigError("\n".join(reader.faults))
    return HeapConfig(tuple(heaps))


class _Lines:
    """Where keys are: the TOML library does not say, but tables begin with a header on a line of its own."""

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[int, int, str], int] = {}
        heap, npu = -1, -1
        for number, line in enumerate(text.splitlines(), 1):
            if header := _HEADER.match(line.strip()):
                heap, npu = (heap, npu + 1) if "npu" in header[1] else (heap + 1, -1)
                self._lines[heap, npu, ""] = number
            elif key := _KEY.match(line.strip()):
                self._lines.setdefault((heap, npu, key[1]), number)

    def find(self, heap: int, npu: int, key: str) -> int:
        """The line of a key, or else of its table, or else the first."""
        places = [(heap, npu, key), (heap, npu, ""), (heap, -1, "")]
        return next((self._lines[place] for place in places if place in self._lines), 1)


class _Reader:
    """Checks what the TOML library made of a file, and remembers all that is wrong."""

    def __init__(self, lines: _Lines, name: str) -> None:
        self._lines = lines
        self._name = name
        self.faults: list[str] = []

    def heaps(self, content: dict[str, Any]) -> Iterator[tuple[str, tuple[NpuEntry, ...]]]:
        self._unknown(content, {"heap"}, (-1, -1))
        for index, heap in enumerate(self._tables(content.get("heap", []), "heap", (-1, -1))):
            place = (index, -1)
            self._unknown(heap, {"path", "npu"}, place)
            path = heap.get("path")
            tables = self._tables(heap.get("npu", []), "npu", place)
            entries = tuple(self._entry(table, (index, number)) for number, table in enumerate(tables))
            if not isinstance(path, str):
                self._fault(place, "path", "a heap needs a path, such as '/dev/dma_heap/system'")
            elif not path.startswith(HEAP_FOLDER) or path == HEAP_FOLDER:
                line = self._lines.find(index, -1, "path")
                log.warning("%s:%d: %s is not in %s and is skipped", self._name, line, path, HEAP_FOLDER)
            else:
                yield path.removeprefix(HEAP_FOLDER), entries

    def _entry(self, table: dict[str, Any], place: tuple[int, int]) -> NpuEntry:
        self._unknown(table, {"device_numbers", "buffer_types"}, place)
        numbers = [
            number
            for number in self._list(table, "device_numbers", place)
            if self._is_device_number(number, place)
        ]
        types = [
            BufferType[name]
            for name in self._list(table, "buffer_types", place)
            if self._is_buffer_type(name, place)
        ]
        return NpuEntry(frozenset(numbers), frozenset(types))

    def _is_device_number(self, value: object, place: tuple[int, int]) -> bool:
        good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _HIGHEST_DEVICE
        if not good:
            self._fault(place, "device_numbers", f"{value!r} is no device number, which is 0 or more")
        return good

    def _is_buffer_type(self, value: object, place: tuple[int, int]) -> bool:
        good = isinstance(value, str) and value in BufferType.__members__
        if not good:
            known = ", ".join(BufferType.__members__)
            self._fault(place, "buffer_types", f"{value!r} is no buffer type; there is: {known}")
        return good

    def _list(self, table: dict[str, Any], key: str, place: tuple[int, int]) -> list[Any]:
        value = table.get(key)
        if isinstance(value, list) and value:
            return value
        self._fault(place, key, f"an entry needs {key}, a list that is not empty")
        return []

    def _tables(self, value: Any, key: str, place: tuple[int, int]) -> list[dict[str, Any]]:
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return value
        self._fault(place, key, f"{key} must be a list of tables, each under a header of its own")
        return []

    def _unknown(self, table: dict[str, Any], known: set[str], place: tuple[int, int]) -> None:
        for key in table.keys() - known:
            self._fault(place, key, f"there is no key {key!r} here; there is: {', '.join(sorted(known))}")

    def _fault(self, place: tuple[int, int], key: str, message: str) -> None:
        self.faults.append(f"{self._name}:{self._lines.find(*place, key)}: error: {message}")
