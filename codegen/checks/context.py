"""What a check is given besides the declaration it looks at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from ..ast import Annotation, Declaration, Document
from ..diagnostics import Diagnostics, Rule, Severity
from ..program import Program
from ..source import Span
from ..walk import Member


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a declaration.

    `requested` is false for a file that is only imported. `suppressed` holds slugs of warnings
    not to give.
    """

    program: Program
    document: Document
    diagnostics: Diagnostics
    requested: bool = True
    vintf: bool = False
    structured: bool = False
    suppressed: frozenset[str] = frozenset()

    def within(self, owner: Declaration | Member) -> Context:
        """The same for what is inside something that may carry @SuppressWarnings."""
        slugs = {slug for a in owner.annotations for slug in suppressed_by(a)}
        return replace(self, suppressed=self.suppressed | slugs) if slugs else self

    def report(self, rule: Rule, span: Span, message: str, hint: str = "") -> None:
        if rule.severity is Severity.ERROR or rule.slug not in self.suppressed:
            self.diagnostics.report(rule, span, message, hint)


Check: TypeAlias = Callable[[Declaration, Context], None]


def suppressed_by(annotation: Annotation) -> list[str]:
    """The slugs that an annotation turns off."""
    value = annotation.values.get("value") if annotation.name == "SuppressWarnings" else None
    return [slug for slug in value if isinstance(slug, str)] if isinstance(value, list) else []
