"""What the grammar skips or does not count: comments, and how deep brackets go.

One pass over the text, before it is parsed, finds the comments, so that documentation can be put
on what it describes, and refuses text that nests so deep that walking its tree would be a risk.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

MAX_NESTING = 100
"""How deep brackets, and signs before a value, may go. The deepest in Android's own files is 6."""

_INTERESTING = re.compile(
    r"""
      "(?:\\.|[^"\\\n])*"?                        # a string, or one that the line cuts off
    | '(?:\\.|[^'\\\n])*'?                        # a character, likewise
    | (?P<line>//[^\n]*)
    | (?P<block>/\*(?:[\s\S]*?\*/)?)
    | (?P<open>[\[({<])
    | (?P<close>[\])}>])
    | (?P<stop>;)
    | (?P<signs>(?:[-+!~][ \t\r\n]*){100,})
    """,
    re.VERBOSE,
)
_LAST_TOKEN = re.compile(r"""(?:"[^"]*"|'[^']*'|@?\w+|&&|\|\||<<|>>|[=!<>]=|\S)\Z""")
_LONGEST = 200
_LONGEST_TOKEN = 300
_NO_CODE = re.compile(r"(?:[ \t\r\n]|//[^\n]*+)*+")  # nor a block comment


@dataclass(slots=True)
class Comments:
    """Where a text's comments are, and what is wrong with its outer shape."""

    text: str
    blocks: list[tuple[int, int]] = field(default_factory=list)  # where those in /* */ are
    starts: dict[int, int] = field(default_factory=dict)  # of all comments, by where they end
    unterminated: int | None = None  # where a comment starts that nothing ends
    too_deep: int | None = None  # where MAX_NESTING is passed
    passed: dict[int, int] = field(default_factory=dict)  # by a comment's end, where what is before it ends

    def doc_before(self, offset: int) -> str:
        """The text of the last `/** */` before an item, if only comments lie between the two."""
        for index in range(bisect_right(self.blocks, (offset, offset)) - 1, -1, -1):
            start, end = self.blocks[index]
            if _NO_CODE.fullmatch(self.text, end, offset) is None:
                return ""
            if self.text.startswith("/**", start) and end - start > len("/**/"):
                return clean(self.text[start:end])
            offset = start
        return ""

    def hides_another(self, offset: int) -> bool:
        """Whether the last comment before a place contains the start of another comment."""
        index = bisect_right(self.blocks, (offset, offset)) - 1
        return index >= 0 and self.text.find("/*", self.blocks[index][0] + 2, self.blocks[index][1]) >= 0

    def token_before(self, offset: int) -> tuple[str, int]:
        """The last token before a place, and where it ends; "" and 0 at the start of the file."""
        end = _space_start(self.text, offset)
        passed = []
        while end in self.starts:
            if end in self.passed:
                end = self.passed[end]
                break
            passed.append(end)
            end = _space_start(self.text, self.starts[end])
        # Not to walk back over the same comments again for each of many errors behind them.
        self.passed.update(dict.fromkeys(passed, end))
        # Of a token that is longer than anybody would read, the end will do.
        begin = max(self.text.rfind("\n", max(0, end - _LONGEST), end) + 1, end - _LONGEST, 0)
        match = _LAST_TOKEN.search(self.text, begin, end)
        return (match[0] if match else "", end)


def _space_start(text: str, offset: int) -> int:
    """Where the white space before a place begins."""
    while offset and text[offset - 1].isspace():
        offset -= 1
    return offset


def scan(text: str) -> Comments:
    """Finds the comments of a text."""
    found = Comments(text)
    depth = angles = 0
    for match in _INTERESTING.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            if match[0] == "<":  # also an operator, so it counts within one statement only
                angles += 1
            else:
                depth += 1
            if depth + angles > MAX_NESTING:
                found.too_deep = match.start()
                break
        elif kind == "close":
            if match[0] == ">":
                angles = max(0, angles - 1)
            else:
                depth = max(0, depth - 1)
        elif kind == "stop":
            angles = 0
        elif kind == "signs":
            found.too_deep = match.start()
            break
        elif kind == "line":
            # The space at the end of its line is none of it: `token_before` does not see that space.
            found.starts[match.start() + len(match[0].rstrip())] = match.start()
        elif kind == "block":
            if len(match[0]) == len("/*"):
                found.unterminated = match.start()
                break
            found.starts[match.end()] = match.start()
            found.blocks.append(match.span())
    return found


def clean(comment: str) -> str:
    """The text of a `/** */` comment without its markers and the stars down its side."""
    lines = []
    for line in comment[3:-2].splitlines():
        stripped = line.strip()
        lines.append(stripped[1:].removeprefix(" ").rstrip() if stripped.startswith("*") else stripped)
    return "\n".join(lines).strip()
