"""What the compiler has to say about its input: rows, and the sink that collects them.

A diagnostic is a row of `RULES` and a place. The row's slug is stable, so that a warning can be
turned off by it and a message looked up by it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from .source import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that can be wrong. `help` says what to do about it, in one line."""

    slug: str
    severity: Severity
    help: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A rule broken at a place. `hint`, if given, replaces the rule's general help line."""

    rule: Rule
    span: Span
    message: str
    hint: str = ""

    def render(self) -> str:
        """`file:line:col: error: ... [slug]`, the source line, a caret, and what to do."""
        line, column = self.span.source.position(self.span.start)
        text = "".join(c if c == "\t" or c.isprintable() else "\ufffd" for c in self.span.source.line(line))
        width = max(1, min(self.span.end - self.span.start, len(text) - column + 1))
        # Tabs are kept in the margin, so that the caret stands right whatever their width is.
        margin = "".join("\t" if char == "\t" else " " for char in text[: column - 1])
        what = f"{self.rule.severity.value}: {self.message} [{self.rule.slug}]"
        rows = [f"{self.span.source.name}:{line}:{column}: {what}"]
        if self.span.source.text:
            # A file that could not be read has no line to show.
            rows += [f"    {text}", f"    {margin}{'^' * width}"]
        if help_line := self.hint or self.rule.help:
            rows.append(f"    help: {help_line}")
        return "\n".join(rows)


@dataclass
class Diagnostics:
    """Collects what all stages report. `disabled` holds the slugs of warnings to leave out."""

    disabled: frozenset[str] = frozenset()
    items: list[Diagnostic] = field(default_factory=list)

    def report(self, rule: Rule, span: Span, message: str, hint: str = "") -> None:
        if rule.severity is Severity.WARNING and rule.slug in self.disabled:
            return
        self.items.append(Diagnostic(rule, span, message, hint))

    @property
    def failed(self) -> bool:
        """Whether anything reported is an error."""
        return any(item.rule.severity is Severity.ERROR for item in self.items)

    def sorted(self) -> list[Diagnostic]:
        """By file, then place."""
        return sorted(self.items, key=lambda d: (d.span.source.name, d.span.start, d.rule.slug))
