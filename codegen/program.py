"""Everything that was loaded for one run of the compiler, and how to find it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .ast import Declaration, Document
from .inputs import Lookups
from .source import SourceFile


@dataclass
class Program:
    """The documents asked for and those they need.

    `documents` is keyed by the resolved path of the file, `declarations` by qualified name.
    `vintf` says that the documents asked for belong to a package with VINTF stability, `lookups`
    where imports were looked for, `real` what paths became when links were followed, and `uses` from
    which files a file needs types.
    """

    roots: list[Path] = field(default_factory=list)
    requested: list[Document] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    declarations: dict[str, Declaration] = field(default_factory=dict)
    vintf: bool = False
    lookups: Lookups = field(default_factory=lambda: ([], {}))
    real: dict[str, str] = field(default_factory=dict)
    uses: dict[SourceFile, set[SourceFile]] = field(default_factory=dict)

    def document_of(self, declaration: Declaration) -> Document:
        """The file a declaration stands in."""
        return self.documents[str(declaration.span.source.path)]
