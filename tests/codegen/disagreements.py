"""Where our compiler and Google's disagree, each with its reason. Nothing else may differ.

A row stands for a construct; `file` in the corpus shows it, and fails the tests if it shows it no
longer. What random programs bring to light is known if a row's pattern describes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What disagrees. `pattern` of a row is looked for in what is said in brackets."""

    WE_ACCEPT = "we accept what Google refuses [Google's message]"
    WE_REFUSE = "we refuse what Google accepts [slug: our message]"
    DIFFERENT = "both accept, with different results [the difference]"


@dataclass(frozen=True)
class Disagreement:
    """One construct. `name` is that of a file in `corpus/differences`."""

    kind: Kind
    name: str
    pattern: str
    reason: str

    @property
    def file(self) -> str:
        return f"corpus/differences/{self.name}.aidl"

    def describes(self, text: str) -> bool:
        return re.search(self.pattern, text) is not None


def _rows(kind: Kind, *rows: tuple[str, str, str]) -> list[Disagreement]:
    return [Disagreement(kind, *row) for row in rows]


DISAGREEMENTS = [
    *_rows(
        Kind.WE_ACCEPT,
        ("ByteOrderMark", "unexpected unrecognized character", "an invisible mark is no fault of the user"),
        ("CharArray", "Incompatible array element type: a literal char", "an array like others"),
        (
            "FloatConstant",
            r"Could not parse [A-Z][\w.]*$|Invalid type specifier for a literal float: \w+ \([A-Z][\w.]*\)",
            "a constant like others",
        ),
        (
            "FloatSigns",
            r"Could not parse [-+]{2}|Invalid type specifier for a literal \w+: [^(]*\(.*[-+]{2}[\d.]",
            "two signs as before an integer",
        ),
        (
            "NestedInCircle",
            "has nested types with cyclic references",
            "C++ cannot declare these in any order, Python can",
        ),
        ("NestedInterfacesInCircle", "C\\+\\+ and NDK backends don't support cyclic references", "the same"),
        ("NestedThroughFile", "has cyclic references to nested types", "the same"),
        ("ImmutableHolder", "has a non-immutable field named", "a promise about Java alone"),
        ("RustDerives", "with @RustDerive [a-zA-Z]+ also needs to derive this", "a promise about Rust alone"),
        ("UnknownWarning", "unknown warning: ", "newer compilers know more warnings, so this is no error"),
    ),
    *_rows(
        Kind.WE_REFUSE,
        ("DeclaredTwice", "duplicate-type", "two types of one name"),
        ("DeepParentheses", "nested-too-deep", "nobody writes it, and walking it would be a risk"),
        (
            "EnumeratorTwice",
            "duplicate-name: .* has another enumerator called ",
            "one of the two can never be meant",
        ),
        ("FixedArrayOfItself", "recursive-type: .* contains itself", "making one would never end"),
        (
            "ForwardInterface",
            "undefined-interface",
            "it is meant for lists made by tools: nothing to generate",
        ),
        (
            "ImportWithFault",
            "generic-type: .* has two type parameters of one name",
            "what is imported is generated too, so it is checked",
        ),
        ("OpenComment", "unterminated-comment", "a comment that never ends may hide half a file"),
        (
            "RustBoolean",
            "annotation-argument: [a-zA-Z]+ of @[a-zA-Z]+ is a boolean",
            "Google's compiler crashes on it, unless it never looks at it",
        ),
        (
            "OtherEnum",
            "wrong-value: this is not one of the enumerators of ",
            "the enumerator of another enum",
        ),
    ),
    *_rows(
        Kind.DIFFERENT,
        ("ICharSequence", "unsupported: CharSequence ", "its bytes are Java's own"),
        (
            "HoldersInMap",
            "unsupported: a ParcelableHolder can only be a field",
            "Google's compiler makes Java of it that does not compile",
        ),
        ("IUntypedList", "unsupported: a List without an element type", "Java's own values"),
        ("UntypedMaps", "unsupported: a Map other than Map<String, ...>", "Java's own values"),
        ("NoPackage", "unsupported: [a-zA-Z]+ has no package", "no module has a name for the one around all"),
        (
            "Several",
            r"snapshot of corpus/\w+/Several\b",
            "one snapshot for each file, not for each name in it",
        ),
    ),
]


def known(kind: Kind, text: str) -> bool:
    """Whether a row describes something that the two disagree about."""
    return any(row.kind is kind and row.describes(text) for row in DISAGREEMENTS)
