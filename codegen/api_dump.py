"""Snapshots of APIs: one file per type, with all that callers can see and nothing else."""

from __future__ import annotations

from .api_comments import Remarks
from .api_text import Values, Writer
from .ast import Document
from .program import Program

_HEADER = """\
// A snapshot of an AIDL interface, written by `codegen`: what its callers rely on, and nothing else.
// Do not edit it. To change the interface, edit its source; `codegen check-api` says whether a change
// keeps those working that were built against this."""


def dump(program: Program) -> dict[str, str]:
    """The snapshots of the files that were asked for, by their paths below the folder they go to."""
    return {_path(document): dump_document(document) for document in program.requested}


def _path(document: Document) -> str:
    folders = document.package.split(".") if document.package else []
    return "/".join([*folders, f"{document.declarations[0].name}.aidl"])


def dump_document(document: Document) -> str:
    """The snapshot of one file. A snapshot's own snapshot is the same."""
    remarks = Remarks(document.source)
    own = frozenset(_HEADER.splitlines())
    comments = [comment for comment in remarks.header(document) if comment.rstrip() not in own]
    licence = "".join(text.rstrip() + "\n" if text.startswith("//") else text for text in comments)
    lines = [licence.rstrip("\n")] if licence else []
    lines += [*_HEADER.splitlines(), ""]
    lines += [f"package {document.package};"] if document.package else []
    writer = Writer(remarks, Values.AS_WRITTEN)
    for declaration in document.declarations:
        lines += writer.declaration(declaration)
    return "\n".join(lines) + "\n"
