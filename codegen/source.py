"""Source text and places in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple


@dataclass(eq=False)
class SourceFile:
    """The text of one `.aidl` file. `name` is the path as the user gave it, for messages.

    `digest` is that of the bytes, "" where there are none.
    """

    path: Path
    text: str
    name: str = ""
    digest: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or str(self.path)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(i + 1 for i, char in enumerate(self.text) if char == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both counted from 1, of a character offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line counted from 1, without its ending."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


class Span(NamedTuple):
    """A stretch of source text: character offsets, the end not included."""

    source: SourceFile
    start: int
    end: int

    def __repr__(self) -> str:
        return f"<Span {self}, {self.end - self.start} characters>"

    @property
    def line(self) -> int:
        """The line of the start, counted from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the start, counted from 1."""
        return self.source.position(self.start)[1]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"
