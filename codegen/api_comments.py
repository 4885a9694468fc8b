"""The comments that belong to an API: what stands above a file, `@hide` and `@deprecated`.

The syntax tree keeps documentation only, but plain `/* */` comments may say `@hide` too, as
those of a snapshot do; so the comments are looked up in the text again.
"""

from __future__ import annotations

import re

from .ast import Constant, Declaration, Document, Enumerator, Field, Method
from .comments import scan
from .source import SourceFile

_HIDE = re.compile(r"@hide\b")
_DEPRECATED = re.compile(r"@deprecated\b\s*(.*)")
_KEYWORDS = frozenset({"interface", "parcelable", "union", "enum"})


class Remarks:
    """Finds the comments of one file."""

    def __init__(self, source: SourceFile) -> None:
        self._comments = scan(source.text)

    def of(self, owner: Declaration | Constant | Field | Method | Enumerator) -> list[str]:
        """The comment that an API has above something, if it is hidden or deprecated."""
        blocks = self._blocks(*self._stretch(owner))
        hidden = any(_HIDE.search(block) for block in blocks)
        note = next((note for block in blocks if (note := _deprecation(block)) is not None), None)
        if note is None:
            return ["/* @hide */"] if hidden else []
        return ["/**", *([" * @hide"] if hidden else []), f" * @deprecated {note}", " */"]

    def header(self, document: Document) -> list[str]:
        """The comments above the package line, and those above imports."""
        found = []
        if document.package_span is not None:
            found += self._before(self._comments.token_before(document.package_span.start)[1])
        for each in document.imports:
            found += self._before(self._comments.token_before(each.span.start)[1])
        return found

    def _stretch(self, owner: Declaration | Constant | Field | Method | Enumerator) -> tuple[int, int]:
        """Where something starts, and up to where comments count as its own."""
        if isinstance(owner, Enumerator):
            return owner.span.start, owner.span.start
        if isinstance(owner, Constant | Field):
            end, annotations = owner.type.span.start, owner.annotations + owner.type.annotations
        elif isinstance(owner, Method):
            end, annotations = owner.span.start, owner.annotations + owner.returns.annotations
        else:
            end, annotations = self._keyword(owner.span.start), owner.annotations
        first = owner.returns.span.start if isinstance(owner, Method) else end
        return self._start(min([first, *(a.span.start for a in annotations)])), end

    def _keyword(self, offset: int) -> int:
        """Where the keyword before a name starts."""
        word, end = self._comments.token_before(offset)
        return end - len(word) if word in _KEYWORDS else offset

    def _start(self, offset: int) -> int:
        """Where something starts if it starts here or with `oneway` or `const` before this."""
        word, end = self._comments.token_before(offset)
        return end - len(word) if word in ("oneway", "const") else offset

    def _blocks(self, start: int, end: int) -> list[str]:
        """The block comments right before a stretch of text and in it."""
        first = self._comments.token_before(start)[1]
        return [self._comments.text[a:b] for a, b in self._comments.blocks if first <= a and b <= end]

    def _before(self, end_of_word: int) -> list[str]:
        """All comments right before the word that ends here."""
        text = self._comments.text
        word = re.search(r"\w+\Z", text[:end_of_word])
        first = self._comments.token_before(word.start() if word else end_of_word)[1]
        return [text[a:b] for b, a in self._comments.starts.items() if first <= a and b <= end_of_word]


def _deprecation(comment: str) -> str | None:
    """What `@deprecated` says, in one line; None if there is none."""
    note: list[str] | None = None
    for line in comment[2:-2].splitlines():
        words = line.strip().removeprefix("*").strip()
        match = _DEPRECATED.fullmatch(words)
        if note is not None and words.startswith("@"):
            break
        if note is not None:
            note.append(words)
        elif match:
            note = [match[1]]
    return None if note is None else " ".join(filter(None, note))
