"""Files to a program, names to declarations.

Names mean what they mean to Google's compiler. A type is looked for among the built-in ones, then
from the inside out among the nested types of the declarations around its use, then among what the
file imports (the first of two imports of one name counts), then as a qualified name. Another type
of the same package must be imported, or written with its package. What a qualified name or an
import names is loaded by itself, from the one root that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from . import rules, walk
from .ast import (
    Declaration,
    Document,
    Enum,
    Enumerator,
    Import,
    Literal,
    NameExpr,
    TypeRef,
    Union,
)
from .diagnostics import Diagnostics
from .files import Roots
from .nearest import nearest
from .program import Program
from .source import Span

PRIMITIVES = frozenset({"boolean", "byte", "char", "int", "long", "float", "double"})
BUILT_IN = PRIMITIVES | {
    *("void", "String", "CharSequence", "List", "Map", "IBinder"),
    *("FileDescriptor", "ParcelFileDescriptor", "ParcelableHolder"),
}
_JAVA_NAMES = {
    "java.util.List": "List",
    "java.util.Map": "Map",
    "android.os.ParcelFileDescriptor": "ParcelFileDescriptor",
}
"""Built-in types that may also be written with the package they have in Java."""

_IMPORTABLE = {*_JAVA_NAMES, "android.os.IBinder", "java.lang.String", "java.lang.CharSequence"}

_FOREIGN_NAMES = {
    **dict.fromkeys(("short", "Short", "uint8_t", "uint16_t", "int16_t", "Integer", "int32_t"), "int"),
    **dict.fromkeys(("uint32_t", "int64_t", "uint64_t", "Long"), "long"),
    **dict.fromkeys(("bool", "Boolean"), "boolean"),
    **dict.fromkeys(("string", "str"), "String"),
    **dict.fromkeys(("int8_t", "Byte"), "byte"),
    **dict.fromkeys(("Float", "Double"), "double"),
    "Character": "char",
}


Reader: TypeAlias = Callable[[Path, str, Diagnostics], Document | None]
"""Gives the tree of a file, by its path and what the user calls it; None, and a report, if it has none."""


def read(path: Path, name: str, diagnostics: Diagnostics) -> Document | None:
    """The tree of a file. The parser is loaded when there is something to parse: --help has nothing."""
    from . import parser

    return parser.read(path, name, diagnostics)


def load(
    paths: Sequence[Path], roots: Sequence[Path], diagnostics: Diagnostics, reader: Reader = read
) -> Program:
    """Reads the files asked for and all they need, and resolves every name in them."""
    return _Loader(roots, diagnostics, reader).load(paths)


class _Loader:
    def __init__(self, roots: Sequence[Path], diagnostics: Diagnostics, reader: Reader) -> None:
        self.diagnostics = diagnostics
        self.reader = reader
        self.roots = Roots(roots)
        self.program = Program(roots=self.roots.paths)
        self.imports: dict[str, dict[str, str]] = {}  # by document, simple to qualified name
        self.missing: set[str] = set()  # imports reported, so that their uses are not
        self.unread: list[Document] = []  # loaded, but names not yet resolved

    def load(self, paths: Sequence[Path]) -> Program:
        for path in paths:
            document = self._read(str(path))
            if document is not None and document not in self.program.requested:
                self.program.requested.append(document)
                self.roots.add_root_of(document)
        while self.unread:
            document = self.unread.pop()
            self._import_all(document)
            for declaration in list(walk.declarations(document)):
                self._resolve_declaration(declaration, document)
        self.program.lookups = self.roots.lookups()
        self.program.real = self.roots.real.known
        return self.program

    # --- files ---

    def _read(self, name: str) -> Document | None:
        """Loads a file, once."""
        key = self.roots.real(name)
        if key in self.program.documents:
            return self.program.documents[key]
        document = self.reader(Path(key), name, self.diagnostics)
        if document is None:
            return None
        self.program.documents[key] = document
        for declaration in list(walk.declarations(document)):
            self._register(declaration)
            if isinstance(declaration, Union):
                self._add_tag(declaration)
        self.unread.append(document)
        return document

    def _register(self, declaration: Declaration) -> None:
        name = declaration.qualified_name
        first = self.program.declarations.setdefault(name, declaration)
        if first is not declaration:
            message = f"{name} is declared here and at {first.span}"
            self.diagnostics.report(rules.DUPLICATE_TYPE, declaration.span, message)

    def _add_tag(self, union: Union) -> None:
        """Every union has an enum of its fields inside it, called Tag.

        Where that is used as a type, it is an int, or a byte if the union has a fixed size.
        """
        tag = Enum(
            name="Tag",
            span=union.span,
            doc="",
            annotations=[],
            package=union.package,
            parent=union,
            nested=[],
            constants=[],
            enumerators=[
                Enumerator(
                    name=field.name,
                    span=field.span,
                    doc=field.doc,
                    annotations=[],
                    expr=Literal("int", str(index), field.span),
                )
                for index, field in enumerate(union.fields)
            ],
            backing="byte" if union.annotation("FixedSize") else "int",
            tag_of=union,
        )
        if all(nested.name != "Tag" for nested in union.nested):
            union.nested.append(tag)
            self._register(tag)

    def _find(self, name: str, span: Span) -> Declaration | None:
        """What a qualified name names, its file loaded if need be."""
        uses = self.program.uses.setdefault(span.source, set())
        if found := self.program.declarations.get(name):
            uses.add(found.span.source)
            return found
        parts = name.split(".")
        for count in range(len(parts), 0, -1):
            files = self.roots.find(parts[:count])
            if len(files) > 1:
                places = ", ".join(map(str, files))
                message = f"{'.'.join(parts[:count])} is in more than one root: {places}"
                self.diagnostics.report(rules.AMBIGUOUS_IMPORT, span, message)
            if files:
                if document := self._read(str(files[0])):
                    uses.add(document.source)
                return self.program.declarations.get(name)
        return None

    # --- imports ---

    def _import_all(self, document: Document) -> None:
        """Loads what a file imports. Only files asked for must have all their imports."""
        names: dict[str, str] = {}
        for each in document.imports:
            simple = each.name.rpartition(".")[2]
            first = names.setdefault(simple, each.name)
            if first != each.name:
                message = f"{simple} already means {first} here, so this import has no effect"
                self.diagnostics.report(rules.SHADOWED_IMPORT, each.span, message)
                continue
            found = each.name in _IMPORTABLE or self._find(each.name, each.span) is not None
            if not found and document in self.program.requested:
                self._report_missing(each)
        self.imports[str(document.source.path)] = names

    def _report_missing(self, missing: Import) -> None:
        self.missing.add(missing.name)
        parts = missing.name.split(".")
        if any(self.roots.find(parts[:count]) for count in range(1, len(parts) + 1)):
            message = f"the file for {missing.name} has no such type, or errors of its own"
            self.diagnostics.report(rules.MISSING_IMPORT, missing.span, message)
            return
        searched = ", ".join(map(str, self.roots.paths)) or "none"
        message = f"cannot find {missing.name}; roots searched: {searched}"
        self.diagnostics.report(rules.MISSING_IMPORT, missing.span, message, self.roots.advice(parts))

    # --- names ---

    def _resolve_declaration(self, declaration: Declaration, document: Document) -> None:
        for type_ in walk.types(declaration):
            self._resolve_type(type_, declaration, document)
        for expr in walk.expressions(declaration):
            for reference in walk.references(expr):
                self._resolve_reference(reference, declaration, document)

    def _resolve_type(self, type_: TypeRef, scope: Declaration, document: Document) -> None:
        type_.name = _JAVA_NAMES.get(type_.name, type_.name)
        if type_.name in BUILT_IN:
            return
        type_.declaration = self._lookup(type_.name, scope, document, type_.span)
        if type_.declaration is None and not self._is_missing(type_.name, document):
            message = f"cannot find the type {type_.name}"
            hint = self._type_hint(type_.name, scope, document)
            self.diagnostics.report(rules.UNKNOWN_TYPE, type_.span, message, hint)

    def _is_missing(self, name: str, document: Document) -> bool:
        """Whether a name is one that an import was to explain, which failed."""
        first = name.partition(".")[0]
        return self.imports[str(document.source.path)].get(first) in self.missing

    def _lookup(self, name: str, scope: Declaration, document: Document, span: Span) -> Declaration | None:
        first, _, rest = name.partition(".")
        around: Declaration | None = scope
        while around is not None:
            inner = next((n for n in around.nested if n.name == first), None)
            found = inner or (around if around.name == first else None)
            if found is not None:
                return _descend(found, rest)
            around = around.parent
        imported = self.imports[str(document.source.path)].get(first)
        if imported is not None and imported not in _IMPORTABLE:
            found = self._find(f"{imported}.{rest}" if rest else imported, span)
            if found is not None:
                return found
        return self._find(name, span)

    def _type_hint(self, name: str, scope: Declaration, document: Document) -> str:
        first = name.partition(".")[0]
        if name in _FOREIGN_NAMES:
            return f"AIDL has no {name}; use {_FOREIGN_NAMES[name]}."
        if first in getattr(scope, "type_parameters", ()):
            return "A type parameter cannot be used as the type of a field."
        package = [*scope.package.split("."), first] if scope.package else [first]
        if self.roots.find(package):
            return f"Add `import {'.'.join(package)};`: a package's own types are imported too."
        if near := nearest(name, self._names_seen_from(scope, document)):
            return f"Did you mean {near}?"
        return self.roots.advice(package if "." not in name else name.split("."))

    def _names_seen_from(self, scope: Declaration, document: Document) -> Iterator[str]:
        """What a type may be called here."""
        yield from BUILT_IN
        around: Declaration | None = scope
        while around is not None:
            yield around.name
            yield from (nested.name for nested in around.nested)
            around = around.parent
        yield from self.imports[str(document.source.path)]

    def _resolve_reference(self, reference: NameExpr, scope: Declaration, document: Document) -> None:
        prefix, _, last = reference.name.rpartition(".")
        owner = self._lookup(prefix, scope, document, reference.span) if prefix else scope
        if owner is None and self._is_missing(prefix, document):
            return
        if owner is None:
            message = f"cannot find {prefix}, so {reference.name} has no value"
            hint = self._type_hint(prefix, scope, document)
            self.diagnostics.report(rules.UNKNOWN_CONSTANT, reference.span, message, hint)
            return
        reference.owner = owner
        candidates = owner.enumerators if isinstance(owner, Enum) else owner.constants
        reference.target = next((c for c in candidates if c.name == last), None)
        if reference.target is None:
            message = f"{owner.path} has no constant {last}"
            near = nearest(last, (each.name for each in candidates))
            hint = f"Did you mean {near}?" if near else ""
            hint = _constant_hint(last, owner) or hint if not prefix else hint
            self.diagnostics.report(rules.UNKNOWN_CONSTANT, reference.span, message, hint)


def _descend(declaration: Declaration, path: str) -> Declaration | None:
    """The declaration at a path of nested names below another."""
    for name in path.split(".") if path else ():
        inner = next((n for n in declaration.nested if n.name == name), None)
        if inner is None:
            return None
        declaration = inner
    return declaration


def _constant_hint(name: str, scope: Declaration) -> str:
    """Where a bare name is declared after all, if it is nearby."""
    if any(field.name == name for field in walk.fields(scope)):
        return f"{name} is a field; only constants and enumerators can be used in a value."
    around = scope.parent
    while around is not None:
        if any(constant.name == name for constant in around.constants):
            return f"Write {around.path}.{name}: names of an outer type are not seen from inside."
        around = around.parent
    for nested in scope.nested:
        if isinstance(nested, Enum) and any(e.name == name for e in nested.enumerators):
            return f"Write {nested.name}.{name}."
    return ""
