"""For every rule of the compiler, text that breaks it and nearly the same text that does not."""

from __future__ import annotations

from dataclasses import dataclass, field

from .compiling import Files, enum, interface, parcelable

_B: Files = {"q/B.aidl": "package q; parcelable B { int x; }"}
_V: Files = {"q/V.aidl": "package q; @VintfStability parcelable V { int x; }"}
_G: Files = {"q/G.aidl": "package q; parcelable G<T> { }"}
_U: Files = {"q/U.aidl": 'package q; parcelable U cpp_header "u.h";'}


def _file(text: str, name: str = "q/A.aidl") -> Files:
    return {name: text}


@dataclass(frozen=True)
class Example:
    """The first file of each is compiled, with the options of `compile_aidl`."""

    rejects: Files
    accepts: Files
    others: Files = field(default_factory=dict)
    roots: tuple[str, ...] = (".",)
    vintf: bool = False
    structured: bool = False
    lint: bool = False


_TWO_ROOTS: Files = {
    "one/q/B.aidl": "package q; parcelable B { }",
    "two/q/B.aidl": "package q; parcelable B { }",
}

EXAMPLES: dict[str, Example] = {
    # reading and parsing
    "unreadable-file": Example({"q/A.aidl/": ""}, parcelable("")),
    "binary-file": Example(_file("package q; \0 parcelable A { }"), parcelable("")),
    "not-utf8": Example(
        {"q/A.aidl": b"package q; // \xe9t\xe9\nparcelable A { }"},
        {"q/A.aidl": "package q; // été\nparcelable A { }"},
    ),
    "unterminated-comment": Example(
        _file("package q; parcelable A { } /* no end"), _file("package q; parcelable A { } /* end */")
    ),
    "nested-too-deep": Example(
        parcelable(f"int a = {'(' * 200}1{')' * 200};"), parcelable(f"int a = {'(' * 50}1{')' * 50};")
    ),
    "syntax": Example(parcelable("int a"), parcelable("int a;")),
    "package-order": Example(
        _file("import q.B; package q; parcelable A { }"), _file("package q; import q.B; parcelable A { }"), _B
    ),
    "undefined-interface": Example(
        _file("package q; interface IA;", "q/IA.aidl"), _file("package q; interface IA { }", "q/IA.aidl")
    ),
    "duplicate-argument": Example(
        _file("package q; @JavaDerive(equals=true, equals=true) parcelable A { }"),
        _file("package q; @JavaDerive(equals=true, toString=true) parcelable A { }"),
    ),
    "empty-file": Example(_file("package q;"), _file("package q; parcelable A { }")),
    # names
    "duplicate-type": Example(
        _file("package q; parcelable A; parcelable A;"), _file("package q; parcelable A; parcelable A.B;")
    ),
    "missing-import": Example(
        _file("package q; import z.B; parcelable A { }"), _file("package q; import q.B; parcelable A { }"), _B
    ),
    "ambiguous-import": Example(
        _file("package q; import q.B; parcelable A { }", "one/q/A.aidl"),
        _file("package q; parcelable A { }", "one/q/A.aidl"),
        _TWO_ROOTS,
        roots=("one", "two"),
    ),
    "shadowed-import": Example(
        _file("package q; import z.B; import q.B; parcelable A { B b; }"),
        _file("package q; import z.B; parcelable A { B b; q.B c; }"),
        {**_B, "z/B.aidl": "package z; parcelable B { }"},
    ),
    "unknown-type": Example(parcelable("B b;"), parcelable("q.B b;"), _B),
    "unknown-constant": Example(parcelable("int a = K;"), parcelable("const int K = 1; int a = K;")),
    # values
    "bad-number": Example(parcelable("int a = 0x;"), parcelable("int a = 0x0;")),
    "bad-text": Example(parcelable(r'String a = "\n";'), parcelable('String a = "n";')),
    "overflow": Example(parcelable("long a = 2147483647 + 1;"), parcelable("long a = 2147483647 + 1L;")),
    "division-by-zero": Example(parcelable("int a = 1 / 0;"), parcelable("int a = 0 / 1;")),
    "bad-operand": Example(parcelable("float a = 1.5f + 1.5f;"), parcelable("float a = -1.5f;")),
    "constant-cycle": Example(
        parcelable("const int K = L; const int L = K;"), parcelable("const int K = L; const int L = 1;")
    ),
    "wrong-value": Example(parcelable("float a = 1.5;"), parcelable("float a = 1.5f;")),
    "out-of-range": Example(parcelable("byte a = 128;"), parcelable("byte a = 127;")),
    "constant-type": Example(parcelable("const boolean K = true;"), parcelable("const int K = true;")),
    "array-size": Example(parcelable("int[-1] a;"), parcelable("int[0] a;")),
    "backing-type": Example(
        _file('package q; @Backing(type="boolean") enum A { X }'),
        _file('package q; @Backing(type="long") enum A { X }'),
    ),
    "reference-in-annotation": Example(
        interface('const String K = "x"; @JavaPassthrough(annotation=K) void f();'),
        interface('const String K = "x"; @JavaPassthrough(annotation="x") void f();'),
    ),
    # what a file declares, and where
    "file-name": Example(_file("package q; parcelable B { }"), _file("package q; parcelable A { }")),
    "one-type-per-file": Example(
        _file("package q; parcelable A { } parcelable C { }"),
        _file("package q; parcelable A { parcelable C { } }"),
    ),
    "qualified-name": Example(_file("package q; parcelable A.B { }"), _file("package q; parcelable A.B;")),
    "reserved-name": Example(interface("void f(int class);"), interface("void f(int klass);")),
    "duplicate-name": Example(parcelable("int a; long a;"), parcelable("int a; long A;")),
    "nested-name": Example(parcelable("parcelable A { }"), parcelable("parcelable B { parcelable A { } }")),
    "nested-unstructured": Example(parcelable("parcelable B;"), parcelable("parcelable B { }")),
    # types
    "void": Example(parcelable("void a;"), interface("void a();")),
    "not-nullable": Example(parcelable("@nullable int a;"), parcelable("@nullable int[] a;")),
    "heap": Example(parcelable("@nullable(heap=true) String a;"), parcelable("@nullable(heap=true) A a;")),
    "utf8": Example(parcelable("@utf8InCpp int a;"), parcelable("@utf8InCpp List<String> a;")),
    "array-form": Example(parcelable("int[][] a;"), parcelable("int[2][3] a;")),
    "array-element": Example(parcelable("List<String>[] a;"), parcelable("List<String> a;")),
    "generic-arity": Example(parcelable("q.G<String, String> a;"), parcelable("q.G<String> a;"), _G),
    "list-element": Example(parcelable("List<int> a;"), parcelable("List<IBinder> a;")),
    "map-element": Example(parcelable("Map<IBinder, String> a;"), parcelable("Map<String, IBinder> a;")),
    "untyped-collection": Example(parcelable("List a;"), interface("void f(in List a);")),
    "holder-position": Example(interface("ParcelableHolder f();"), parcelable("ParcelableHolder f;")),
    "generic-type": Example(
        _file("package q; parcelable A<T, T> { }"), _file("package q; parcelable A<T, U> { }")
    ),
    # interfaces
    "direction": Example(interface("void f(int[] a);"), interface("void f(in int[] a);")),
    "oneway-result": Example(interface("oneway int f();"), interface("oneway void f();")),
    "method-id": Example(interface("void f() = 16777115;"), interface("void f() = 16777114;")),
    "mixed-ids": Example(interface("void f() = 1; void g();"), interface("void f() = 1; void g() = 0;")),
    "overloaded-method": Example(
        interface("void f(); void f(int a);"), interface("void f(); void F(int a);")
    ),
    # parcelables, unions, enums
    "recursive-type": Example(parcelable("@nullable A a;"), parcelable("List<A> a;")),
    "fixed-size": Example(
        _file("package q; @FixedSize parcelable A { String a; }"),
        _file("package q; @FixedSize parcelable A { char[4] a; }"),
    ),
    "empty-union": Example(_file("package q; union A { }"), _file("package q; union A { int a; }")),
    "union-default": Example(
        _file("package q; union A { int[] a; }"), _file("package q; union A { int[] a = {}; }")
    ),
    "vintf": Example(
        _file("package q; @VintfStability parcelable A { q.B b; }"),
        _file("package q; @VintfStability parcelable A { q.V v; }"),
        {**_B, **_V},
        vintf=True,
    ),
    "not-structured": Example(parcelable("q.U u;"), parcelable("q.B b;"), {**_U, **_B}, structured=True),
    # annotations
    "unknown-annotation": Example(parcelable("@Nullable String a;"), parcelable("@nullable String a;")),
    "misplaced-annotation": Example(
        _file("package q; @FixedSize enum A { X }"), _file("package q; @FixedSize union A { int a; }")
    ),
    "repeated-annotation": Example(
        parcelable("@nullable @nullable String a;"), parcelable("@nullable @utf8InCpp String a;")
    ),
    "annotation-argument": Example(
        _file("package q; @RustDerive(Copied=true) parcelable A { }"),
        _file("package q; @RustDerive(Copy=true) parcelable A { }"),
    ),
    "permission": Example(
        _file(
            'package q; @RequiresNoPermission interface IA { @EnforcePermission("A") void f(); }', "q/IA.aidl"
        ),
        _file("package q; @RequiresNoPermission interface IA { void f(); }", "q/IA.aidl"),
    ),
    "conflicting-permissions": Example(
        interface('@EnforcePermission("A") @RequiresNoPermission void f();'),
        interface('@EnforcePermission("A") void f();'),
    ),
    "unknown-warning": Example(
        _file('package q; @SuppressWarnings({"const-nam"}) parcelable A { }'),
        _file('package q; @SuppressWarnings({"const-name"}) parcelable A { }'),
    ),
    # style
    "interface-name": Example(
        _file("package q; interface A { }"), _file("package q; interface IA { }", "q/IA.aidl"), lint=True
    ),
    "const-name": Example(enum("Red"), enum("RED"), lint=True),
    "inout-parameter": Example(
        interface("void f(inout q.B b);"), interface("q.B f(in q.B b);"), _B, lint=True
    ),
    "out-array": Example(interface("void f(out int[] a);"), interface("int[] f();"), lint=True),
    "mixed-oneway": Example(
        interface("oneway void f(); void g();"), interface("oneway void f(); oneway void g();"), lint=True
    ),
    "redundant-oneway": Example(
        _file("package q; oneway interface IA { oneway void f(); }", "q/IA.aidl"),
        _file("package q; oneway interface IA { void f(); }", "q/IA.aidl"),
        lint=True,
    ),
    "file-descriptor": Example(
        interface("void f(FileDescriptor a);"), interface("void f(in ParcelFileDescriptor a);"), lint=True
    ),
    "unique-import": Example(
        _file("package q; import q.B; import q.B; parcelable A { }"),
        _file("package q; import q.B; parcelable A { }"),
        _B,
        lint=True,
    ),
}
