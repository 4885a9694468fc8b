"""Small pieces of Python text: literals, docstrings, and calls broken as a formatter would."""

from __future__ import annotations

import re
from collections.abc import Sequence

LINE_LENGTH = 110

_INLINE_TAG = re.compile(r"\{@(?:code|link|literal)\s+([^}]*)\}")
_BLOCK_TAG = re.compile(r"^@(param|return|returns|throws|exception|see|hide|deprecated)\b\s*(.*)$")
_SECTIONS = {
    "param": "Args",
    "return": "Returns",
    "returns": "Returns",
    "throws": "Raises",
    "exception": "Raises",
}


def literal(value: object) -> str:
    """A Python literal, in double quotes where there are any."""
    if isinstance(value, str):
        text = repr(value)
        if text.startswith("'"):
            inner = text[1:-1].replace("\\'", "'").replace('"', '\\"')
            return f'"{inner}"'
        return text
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value)


def call(indent: int, prefix: str, items: Sequence[str], suffix: str, *, fits: bool = True) -> str:
    """`prefix(items)suffix` on one line if it fits, else an item a line. Carries no indent itself."""
    line = f"{prefix}({', '.join(items)}){suffix}"
    if (fits and indent + len(line) <= LINE_LENGTH) or not items:
        return line
    inner = " " * (indent + 4)
    return f"{prefix}(\n" + "".join(f"{inner}{item},\n" for item in items) + " " * indent + f"){suffix}"


def sequence(indent: int, items: Sequence[str], prefix: str = "") -> str:
    """`prefix(items)`, always a tuple, an item a line where it would leave no room for a comma."""
    line = f"{prefix}({', '.join(items)}{',' if len(items) == 1 else ''})"
    return line if indent + len(line) < LINE_LENGTH else call(indent, prefix, items, "", fits=False)


def conditional(indent: int, name: str, text: str, condition: str, fallback: str) -> str:
    """`name = text if condition else fallback`, in parentheses where it is too long."""
    line = f"{name} = {text} if {condition} else {fallback}"
    if indent + len(line) <= LINE_LENGTH:
        return line
    margin, inner = " " * indent, " " * (indent + 4)
    short = f"{text} if {condition} else {fallback}"
    if len(inner) + len(short) <= LINE_LENGTH:
        return f"{name} = (\n{inner}{short}\n{margin})"
    return f"{name} = (\n{inner}{text}\n{inner}if {condition}\n{inner}else {fallback}\n{margin})"


def assign_names(indent: int, names: Sequence[str], value: str) -> str:
    """`a, b = value`, in parentheses with a name a line where it is too long."""
    line = f"{', '.join(names)} = {value}"
    if indent + len(line) <= LINE_LENGTH:
        return line
    return call(indent, "", names, f" = {value}")


def docstring(indent: int, comment: str) -> str:
    """A docstring for an AIDL comment; "" for none. Carries no indent itself."""
    lines = documentation(comment)
    if not lines:
        return ""
    lines = [line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') for line in lines]
    if len(lines) == 1:
        gap = " " if lines[0].endswith('"') else ""
        return f'"""{lines[0]}{gap}"""'
    margin = " " * indent
    body = "\n".join(f"{margin}{line}" if line else "" for line in lines[1:])
    return f'"""{lines[0]}\n{body}\n{margin}"""'


def documentation(comment: str) -> list[str]:
    """An AIDL comment as lines of a docstring, its tags turned into sections."""
    text = _INLINE_TAG.sub(lambda match: f"`{match[1].strip()}`", comment).strip()
    prose: list[str] = []
    sections: dict[str, list[str]] = {}
    target = prose
    for line in text.split("\n"):
        tag = _BLOCK_TAG.match(line.strip())
        if tag is None:
            target.append(line.rstrip() if target is prose else f"    {line.strip()}".rstrip())
        elif tag[1] in _SECTIONS:
            target = sections.setdefault(_SECTIONS[tag[1]], [])
            target.append(_section_entry(tag[1], tag[2]))
        elif tag[1] == "hide":
            target = sections.setdefault("", [])
        else:
            target = prose
            prose.append(f"{tag[1].capitalize()}: {tag[2]}".rstrip())
    sections.pop("", None)
    while prose and not prose[-1]:
        prose.pop()
    for title, entries in sections.items():
        prose += ["", f"{title}:", *(f"    {entry}".rstrip() for entry in entries)]
    return prose if prose and prose[0] else prose[1:]


def deprecation(comment: str) -> str | None:
    """What follows an AIDL comment's @deprecated; None where there is no such tag."""
    for line in comment.split("\n"):
        tag = _BLOCK_TAG.match(line.strip())
        if tag is not None and tag[1] == "deprecated":
            return _INLINE_TAG.sub(lambda match: f"`{match[1].strip()}`", tag[2]).strip()
    return None


def _section_entry(tag: str, text: str) -> str:
    if tag == "param":
        name, _, rest = text.partition(" ")
        return f"{name}: {rest.strip()}"
    return text
