"""Random programs: a few packages of types that use each other, valid unless mutated.

Everything is drawn from a `random.Random`, so that a seed gives a program again, and Hypothesis can
shrink one by handing in a `Random` of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from .random_values import Values, maybe

_SCALARS = "boolean byte char int long float double".split()
_NAMES = (
    "a b c value name size from_ def none None self list type index count data parcel result tag str in_ "
    "isReady maxSize HTTPServer _x x_ __y lambda is and or not cpp_header ndk_header rust_type id hash"
).split()
_PERMISSIONS = [
    '@EnforcePermission("A")',
    '@EnforcePermission(anyOf={"A", "B"})',
    '@EnforcePermission(allOf={"A", "B",})',
    "@RequiresNoPermission",
    "@PermissionManuallyEnforced",
]


@dataclass
class Type:
    """A declaration that others can use. `order` is that in which types may hold each other."""

    kind: str
    name: str
    package: str
    outer: Type | None
    order: int
    fixed: bool = False
    nested: list[Type] = field(default_factory=list)
    enumerators: list[str] = field(default_factory=list)
    parameters: int = 0

    @property
    def path(self) -> str:
        return f"{self.outer.path}.{self.name}" if self.outer else self.name

    @property
    def top(self) -> Type:
        return self.outer.top if self.outer else self

    @property
    def qualified(self) -> str:
        return f"{self.package}.{self.path}"


@dataclass
class Program:
    """Files by their paths below a root."""

    files: dict[str, str]

    def __str__(self) -> str:
        return "\n".join(f"--- {name}\n{text}" for name, text in self.files.items())


def program(rng: Random, root: str = "r") -> Program:
    """A valid program, whose packages are called `root` and what is below it."""
    return _Maker(rng, root).program()


class _Maker:
    def __init__(self, rng: Random, root: str) -> None:
        self.rng = rng
        self.root = root
        self.types: list[Type] = []
        self.values = Values(rng)
        self.imports: set[str] = set()
        self.texts: dict[str, str] = {}
        self.count = 0

    def program(self) -> Program:
        packages = [self.root, f"{self.root}.a", f"{self.root}.b.c"][: self.rng.choice([1, 2, 3])]
        tops = [self._plan(None, self.rng.choice(packages)) for _ in range(self.rng.randint(1, 5))]
        for top in tops:
            self.imports = set()
            self.values.integers = []
            body = self._declaration(top)
            lines = "".join(f"import {name};\n" for name in sorted(self.imports))
            self.texts[f"{top.qualified.replace('.', '/')}.aidl"] = self._dressed(
                f"package {top.package};\n{lines}{body}\n"
            )
        return Program(self.texts)

    def _plan(self, outer: Type | None, package: str, depth: int = 0) -> Type:
        """A type and what is nested in it, still without members."""
        kind = self.rng.choice(["parcelable"] * 4 + ["interface"] * 3 + ["union"] * 2 + ["enum"] * 2)
        prefix = {"parcelable": "P", "interface": "I", "union": "U", "enum": "E"}[kind]
        self.count += 1
        made = Type(kind, f"{prefix}{self.count}", package, outer, 0)
        if kind == "enum":
            made.enumerators = [f"V{i}" for i in range(self.rng.randint(1, 4))]
        elif depth < 2 and maybe(self.rng, 0.4):
            made.nested = [self._plan(made, package, depth + 1) for _ in range(self.rng.choice([1, 1, 2, 3]))]
        if kind in ("parcelable", "union"):
            made.fixed = maybe(self.rng, 0.12)
            if kind == "parcelable" and not made.nested and not made.fixed and maybe(self.rng, 0.1):
                made.parameters = self.rng.choice([1, 2])
        made.order = len(self.types)  # after all that is nested in it
        self.types.append(made)
        return made

    # --- declarations ---

    def _declaration(self, made: Type) -> str:
        makers: dict[str, Callable[[Type], str]] = {
            "parcelable": self._parcelable,
            "union": self._union,
            "enum": self._enum,
            "interface": self._interface,
        }
        doc = self.rng.choice(["", "", "/** Documented. */ ", "/* Not documented. */ ", "/** @hide */ "])
        return doc + makers[made.kind](made)

    def _body(self, made: Type, members: list[str]) -> str:
        """Members in order, with constants and nested types somewhere between them."""
        others = [self._declaration(nested) for nested in made.nested]
        for i in range(self.rng.choice([0, 0, 1, 2]) if not made.parameters else 0):
            others.append(self._constant(made, f"K{i}"))
        for other in others:
            members.insert(self.rng.randrange(len(members) + 1), other)
        return "{\n" + "\n".join(members) + "\n}"

    def _constant(self, made: Type, name: str) -> str:
        type_ = self.rng.choice("int int long byte float double String".split())
        return f"const {type_} {name} = {self.values.of(type_)};"

    def _enum(self, made: Type) -> str:
        backing = self.rng.choice(["", "byte", "int", "int", "long"])
        annotation = f'@Backing(type="{backing}") ' if backing else ""
        items = []
        for number, name in enumerate(made.enumerators):
            values = ["", "", f" = {number * 7}", f" = {number} + 3", f" = -{number}"]
            if number:
                values.append(f" = {made.enumerators[number - 1]}")
            if backing == "int":
                values += [f" = 1 << {self.rng.randrange(31)}", " = 0x40000000"]
            items.append(name + self.rng.choice(values))
        comma = "," if maybe(self.rng, 0.5) else ""
        return f"{annotation}enum {made.name} {{ {', '.join(items)}{comma} }}"

    def _parcelable(self, made: Type) -> str:
        annotations = "@FixedSize " if made.fixed else ""
        annotations += self.rng.choice(["", "", "", "@JavaDerive(equals=true, toString=true) "])
        if made.fixed:  # what other types derive is a known disagreement
            annotations += self.rng.choice(["", "@RustDerive(Clone=true, PartialEq=true) "])
        annotations += self.rng.choice(["", "", "", '@SuppressWarnings({"const-name"}) '])
        parameters = f"<{', '.join('TU'[: made.parameters])}>" if made.parameters else ""
        names = self._names(self.rng.randint(0, 7))
        members = [self._field(made, name) for name in names]
        return f"{annotations}parcelable {made.name}{parameters} {self._body(made, members)}"

    def _union(self, made: Type) -> str:
        names = self._names(self.rng.randint(1, 6))
        first = self.rng.choice([f"int {names[0]} = {self.values.integer()};", f"boolean {names[0]};"])
        if not made.fixed:
            first = self.rng.choice([first, f"String {names[0]} = {self.values.text()};"])
        members = [first, *(self._field(made, name, union=True) for name in names[1:])]
        annotation = "@FixedSize " if made.fixed else ""
        return f"{annotation}union {made.name} {self._body(made, members)}"

    def _names(self, count: int) -> list[str]:
        return self.rng.sample(_NAMES, count)

    def _interface(self, made: Type) -> str:
        annotation = self.rng.choice(
            ["", "", "", f'@Descriptor(value="{self.root}.Old") ', "@SensitiveData "]
        )
        oneway = maybe(self.rng, 0.15)
        names = [f"{self.rng.choice(['get', 'set', 'on', 'x'])}{i}" for i in range(self.rng.randint(0, 5))]
        ids = self.rng.sample(range(20), len(names)) if maybe(self.rng, 0.25) else None
        members = []
        for number, name in enumerate(names):
            suffix = f" = {ids[number]}" if ids is not None else ""
            members.append(f"{self._method(made, name, oneway)}{suffix};")
        keyword = "oneway interface" if oneway else "interface"
        return f"{annotation}{keyword} {made.name} {self._body(made, members)}"

    # --- members ---

    def _field(self, made: Type, name: str, *, union: bool = False) -> str:
        if made.fixed:
            return f"{self.rng.choice(_SCALARS)}{self._sizes() if maybe(self.rng, 0.3) else ''} {name};"
        if not union and maybe(self.rng, 0.35):
            return f"{self._with_default(made, name)};"
        if not union and maybe(self.rng, 0.04):
            return f"ParcelableHolder {name};"
        return f"{self._type(made)} {name};"

    def _with_default(self, made: Type, name: str) -> str:
        enums = [type_ for type_ in self._near(made) if type_.kind == "enum"]
        if enums and maybe(self.rng, 0.25):
            target = self.rng.choice(enums)
            spelled = self._spell(target, made)
            value: Callable[[], str] = lambda: f"{spelled}.{self.rng.choice(target.enumerators)}"  # noqa: E731
        else:
            spelled = self.rng.choice([*_SCALARS, "String"])
            value = lambda: self.values.of(spelled)  # noqa: E731
        form = self.rng.choice(["plain", "plain", "array", "fixed", "matrix"])
        if form == "plain" or spelled == "char":  # a list of characters is a known disagreement
            return f"{spelled} {name} = {value()}"
        if form == "array":
            return f"{spelled}[] {name} = {_braces(value() for _ in range(self.rng.randrange(4)))}"
        if form == "fixed":
            size = self.rng.randrange(4)
            return f"{spelled}[{size}] {name} = {_braces(value() for _ in range(size))}"
        rows = (_braces(value() for _ in range(2)) for _ in range(3))
        return f"{spelled}[3][2] {name} = {_braces(rows)}"

    def _method(self, made: Type, name: str, oneway: bool) -> str:
        oneway_here = maybe(self.rng, 0.15)
        one_way = oneway or oneway_here
        annotation = self.rng.choice(_PERMISSIONS) + " " if maybe(self.rng, 0.1) else ""
        returns = "void" if one_way or maybe(self.rng, 0.3) else self._type(made)
        arguments = [self._argument(made, arg, one_way) for arg in self._names(self.rng.randrange(6))]
        return f"{annotation}{'oneway ' if oneway_here else ''}{returns} {name}({', '.join(arguments)})"

    def _argument(self, made: Type, name: str, one_way: bool) -> str:
        if name in ("and", "or", "not"):
            name += "2"
        type_ = self._type(made, argument=True)
        container = "[" in type_ or re.search(r"\b(List|Map)<", type_)
        structure = re.search(r"\b[PU]\d+(<.*>)?$", type_) is not None
        direction = "in"
        if not one_way and (container or structure) and maybe(self.rng, 0.6):
            direction = self.rng.choice(["out", "inout"])
        elif not (container or structure or "FileDescriptor" in type_) and maybe(self.rng, 0.6):
            return f"{type_} {name}"
        return f"{direction} {type_} {name}"

    # --- types ---

    def _type(self, user: Type, *, argument: bool = False) -> str:
        """A use of any type, in any form."""
        near = self._near(user)
        if near and maybe(self.rng, 0.45):
            target = self.rng.choice(near)
            spelled = self._spell(target, user)
            if target.parameters:
                return f"{spelled}<{', '.join(['String', 'IBinder'][: target.parameters])}>"
            if target.kind == "union" and maybe(self.rng, 0.25):
                return self._form(f"{spelled}.Tag", plain=True)
            return self._form(spelled, plain=target.kind == "enum")
        if maybe(self.rng, 0.5):
            return self._form(self.rng.choice(_SCALARS), plain=True)
        built_in = self.rng.choice(["String", "String", "IBinder", "ParcelFileDescriptor"])
        if maybe(self.rng, 0.05):
            return "FileDescriptor"
        return self._form(built_in, plain=False)

    def _form(self, spelled: str, *, plain: bool) -> str:
        """A type as it is, in an array or, unless it is `plain`, in a collection or nullable."""
        utf8 = "@utf8InCpp " if spelled == "String" and maybe(self.rng, 0.2) else ""
        nullable = "@nullable " if maybe(self.rng, 0.3) else ""
        form = self.rng.choice(["plain", "plain", "plain", "array", "array", "fixed", "list", "map"])
        if form == "array":
            return f"{nullable}{utf8}{spelled}[]"
        if form == "fixed":
            return f"{nullable}{utf8}{spelled}{self._sizes()}"
        if plain or form == "plain":
            return f"{'' if plain else nullable}{utf8}{spelled}"
        if form == "list":
            return f"{nullable}{utf8}List<{spelled}>"
        return f"{nullable}Map<String, {spelled}>"

    def _sizes(self) -> str:
        sizes = [
            str(self.rng.choice([1, 2, 3, 0, "1 + 1", "0x2"])) for _ in range(self.rng.choice([1, 1, 2, 3]))
        ]
        return "".join(f"[{size}]" for size in sizes)

    def _near(self, user: Type) -> list[Type]:
        """What may be used: types that are complete before the user is, so that nothing goes in circles.

        Now and then, an interface in an interface's place may be any.
        """
        if user.kind == "interface" and maybe(self.rng, 0.1):
            return [type_ for type_ in self.types if type_.top is type_]
        return [type_ for type_ in self.types if type_.order < user.order]

    def _spell(self, target: Type, user: Type) -> str:
        around: Type | None = user
        while around is not None:
            if target.outer is around and maybe(self.rng, 0.7):
                return target.name
            around = around.outer
        if target.top is user.top and maybe(self.rng, 0.7):
            return target.path
        choice = self.rng.random()
        if choice < 0.4:
            return target.qualified
        if choice < 0.5:
            self.imports.add(target.qualified)
            return target.name
        self.imports.add(target.top.qualified)
        return target.path

    # --- looks ---

    def _dressed(self, text: str) -> str:
        """The same with other white space, comments, and line endings."""
        if maybe(self.rng, 0.3):
            text = re.sub(
                "\n", lambda _: self.rng.choice(["\n", "\n", " ", "\n\n\t", " // x\n", " /* { */ "]), text
            )
        return text.replace("\n", "\r\n") if maybe(self.rng, 0.1) else text


def _braces(items: Iterable[str]) -> str:
    return f"{{{', '.join(items)}}}"


# --- mutations ---

_TOKEN = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|\"[^\"]*\"|'[^']*'|@?\w+|<<|>>|&&|\|\||[=!<>]=|.", re.DOTALL)
_KINDS = [
    (
        re.compile(r"[0-9.]"),
        "0 1 -1 2 3 127 128 256 2147483648 1L 0xff 0x80000000 1.5 1.5f 1u8 09 1e3 true".split(),
    ),
    (re.compile(r"\""), ['"x"', '""', '"a" + "b"', "'c'", "1", '"byte"', '"int"', '"long"']),
    (re.compile(r"'"), ["'a'", "'\"'", "65", '"a"']),
    (
        re.compile(r"@"),
        "@nullable @utf8InCpp @FixedSize @JavaDerive @SensitiveData @RequiresNoPermission @Hide "
        "@nullable(heap=true) @JavaOnlyImmutable @PropagateAllowBlocking".split(),
    ),
    (re.compile(r"(in|out|inout|oneway)$"), ["in", "out", "inout", "oneway", ""]),
    (
        re.compile(r"(void|boolean|byte|char|int|long|float|double|String|IBinder|\w*FileDescriptor)$"),
        "void boolean byte char int long float double String IBinder List<String> Map<String,String> "
        "ParcelFileDescriptor FileDescriptor ParcelableHolder int[] String[2] int[][] List<IBinder>".split(),
    ),
    (re.compile(r"(List|Map)$"), ["List", "Map", "String", "IBinder"]),
    (re.compile(r"(interface|parcelable|union|enum)$"), "interface parcelable union enum".split()),
    (re.compile(r"[-+*/%&|^<>!~=]"), "+ - * / % & | ^ << >> < > <= >= == != && || = ! ~".split()),
]
"""By how a token starts, or what it is, tokens that may stand where it can."""

_ODD = (
    "; , ( ) { } [ ] < > = . @ - 0 1.5f 'a' \"x\" null int String List void in out const enum "
    'import package @nullable @VintfStability @Backing(type="int") [] [3] <String> .Tag K0 V0 cpp_header'
).split()


def mutated(rng: Random, original: Program) -> Program:
    """A program with a few tokens of one of its files changed: mostly not valid any more."""
    name = rng.choice(sorted(original.files))
    tokens = _TOKEN.findall(original.files[name])
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        places = [i for i, token in enumerate(tokens) if not token.isspace()] or [0]
        here, there = rng.choice(places), rng.choice(places)
        change = rng.randrange(12)
        if change == 0:
            del tokens[here]
        elif change == 1:
            tokens.insert(here, tokens[there])
        elif change == 2:
            tokens.insert(here, f" {rng.choice(_ODD)} ")
        elif change == 3:
            tokens = _without_line(rng, tokens)
        else:
            tokens[here] = _instead(rng, tokens[here], tokens)
        tokens = list(filter(None, tokens)) or [" "]
    return Program({**original.files, name: "".join(tokens)})


def _instead(rng: Random, token: str, tokens: list[str]) -> str:
    """Another token of the same kind: a number for a number, a name of the file for a name."""
    for pattern, others in _KINDS:
        if pattern.match(token):
            return rng.choice(others)
    if token[0].isalpha() or token[0] == "_":
        return rng.choice([other for other in tokens if other[0].isalpha() or other[0] == "_"])
    return rng.choice(_ODD) if maybe(rng, 0.3) else token


def _without_line(rng: Random, tokens: list[str]) -> list[str]:
    """The tokens without those between two ends of statements."""
    ends = [i for i, token in enumerate(tokens) if token in (";", "{", "}")]
    if len(ends) < 2:
        return tokens
    first = rng.randrange(len(ends) - 1)
    return tokens[: ends[first] + 1] + tokens[ends[first + 1] + 1 :]
