"""A comparison as one HTML file that needs nothing else: differences first, stories side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from importlib.resources import files as resources
from pathlib import Path

from ..record import Event
from ..story import line
from .report import NAMES, about, remarks, summary
from .runs import Comparison, Only, Pair
from .stories import Hearing, in_common_words

# How many events are shown before and after those where stories part; all of a long story is in its record.
_BEFORE, _AFTER = 60, 40

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


def page(found: Comparison, files: Sequence[Path]) -> str:
    """The page's text."""
    style = resources(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return _PAGE.format(title=escape(summary(found)), style=style, body="\n".join(_body(found, files)))


def _body(found: Comparison, files: Sequence[Path]) -> Iterator[str]:
    yield "<dl>"
    for name, file, run in zip(NAMES, files, (found.first, found.second), strict=True):
        yield f"<dt>{name}</dt><dd>{escape(f'{file}: {about(run)}')}</dd>"
    yield "</dl>"
    for remark in remarks(found):
        yield f"<p>{escape(remark)}</p>"
    if found.differing:
        yield "<h2>What differs</h2>"
    for index, pair in enumerate(found.differing):
        yield from _pair(pair, found.hearing, is_open=index == 0)
    for name, others in zip(NAMES, (found.only_first, found.only_second), strict=True):
        yield from _names(f"Only in {name}", map(_only, others))
    yield from _names("The same in both", found.same)


def _pair(pair: Pair, hearing: Hearing, *, is_open: bool) -> Iterator[str]:
    first, second = pair.outcomes
    ends = f'<span class="ends">{first} in A, {second} in B</span>' if first != second else ""
    name = escape(pair.name)
    yield f'<details id="{name}"{" open" if is_open else ""}><summary><b>{name}</b>{ends}</summary>'
    yield '<div class="first">'
    if pair.parting is not None:
        yield f"As {escape(pair.parting.process)} sees it:"
    for side, text in zip(NAMES, pair.told(), strict=True):
        yield f"<code>{side}  {escape(text)}</code>"
    yield "</div>"
    yield '<div class="scroll"><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>'
    yield from _rows(pair, hearing)
    yield "</tbody></table></div></details>"


def _rows(pair: Pair, hearing: Hearing) -> Iterator[str]:
    """Both stories around the place where they part; what both say is on one row."""
    stories = pair.stories()
    shown = [_shown(story, pair, side) for side, story in enumerate(stories)]
    words = in_common_words(*stories, hearing)
    said = [[words[side][index] for index in shown[side]] for side in (0, 1)]
    for kind, a, b, c, d in SequenceMatcher(None, said[0], said[1], autojunk=False).get_opcodes():
        left, right = shown[0][a:b], shown[1][c:d]
        for row in range(max(len(left), len(right))):
            cells = (_cell(pair, stories, 0, left, row, kind), _cell(pair, stories, 1, right, row, kind))
            yield f"<tr>{''.join(cells)}</tr>"


def _cell(
    pair: Pair, stories: Sequence[Sequence[Event]], side: int, indexes: Sequence[int], row: int, kind: str
) -> str:
    if row >= len(indexes):
        return "<td></td>"
    index = indexes[row]
    parts = pair.parting is not None and pair.parting.events[side] == index
    style = ' class="parts"' if parts else "" if kind == "equal" else ' class="only"'
    event = stories[side][index]
    return f"<td{style}><time>{event.at:.6f}</time>{escape(line(event))}</td>"


def _shown(story: Sequence[Event], pair: Pair, side: int) -> range:
    if pair.parting is None:
        return range(max(0, len(story) - _BEFORE), len(story))
    index = pair.parting.events[side]
    middle = pair.parting.index if index is None else index
    return range(max(0, middle - _BEFORE), min(len(story), middle + _AFTER))


def _only(only: Only) -> str:
    return f"{only.name} ({only.why})" if only.why else only.name


def _names(title: str, names: Iterable[str]) -> Iterator[str]:
    items = "".join(f"<li>{escape(name)}</li>" for name in names)
    if items:
        yield f"<details><summary>{title}</summary><ul>{items}</ul></details>"
