"""Odd but valid inputs, and what generated code makes of them: names, codes, bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from binder import Parcel
from binder.protocol import FIRST_CALL_TRANSACTION
from codegen.interface_model import Release

from .aidl_files import imported, render_text


@contextmanager
def _module(folder: Path, *texts: str, package: str = "q", release: Release | None = None) -> Iterator[Any]:
    """The module of files that begin with the name of what they declare."""
    files = {}
    for text in texts:
        name = next(
            word
            for word in text.split()
            if word not in ("oneway", "interface", "parcelable", "union", "enum") and not word.startswith("@")
        )
        files[f"q/{name}.aidl"] = f"package q; {text}"
    with imported(folder, render_text(folder, files, release=release), package) as module:
        yield module


def _written(value: Any) -> bytes:
    parcel = Parcel()
    value.write_to(parcel)
    return bytes(parcel)


def test_annotation_arguments_are_expressions(tmp_path: Path) -> None:
    with _module(tmp_path, '@Backing(type="by"+"te") enum E { A = (1 + (2 << (1))), B }') as q:
        assert [int(q.E.A), int(q.E.B)] == [5, 6]


def test_hex_that_fits_32_bits_is_a_signed_pattern_even_for_long(tmp_path: Path) -> None:
    text = (
        "interface I { const int A=0xFFFFFFFF; const long B=0xFFFFFFFF; const long C=0xFFFFFFFFL;"
        " const int D=0x80000000; const int E=010; const int F=09; const long G=-9223372036854775807 - 1; }"
    )
    with _module(tmp_path, text) as q:
        assert (q.I.A, q.I.B, q.I.C, q.I.D) == (-1, -1, 4294967295, -2147483648)
        assert (q.I.E, q.I.F, q.I.G) == (10, 9, -(2**63))


def test_aliases_of_enumerators_are_all_listed(tmp_path: Path) -> None:
    with _module(tmp_path, "enum E { A=1, B=1, C }") as q:
        assert {name: int(value) for name, value in q.E.__members__.items()} == {"A": 1, "B": 1, "C": 2}


def test_long_enums_take_eight_bytes(tmp_path: Path) -> None:
    text = '@Backing(type="long") enum E { A=-1, B, C=1L<<40 }'
    with _module(tmp_path, text, "parcelable P { @nullable String s; q.E e = q.E.C; }") as q:
        assert [int(item) for item in q.E] == [-1, 0, 1 << 40]
        assert _written(q.P())[8:] == (1 << 40).to_bytes(8, "little")


def test_defaults_of_every_kind(tmp_path: Path) -> None:
    text = (
        "parcelable A { boolean a=true; byte b=-1; char c='z'; int d=-5; long e=1L<<33; float f=1.5f;"
        ' double g=-2.25; double g2=.5; String s="hi"; int[] h={1,2,}; String[] k={}; byte[] m={1,-1};'
        " boolean z; char zc; double zd; String zs; long[] zl; }"
    )
    with _module(tmp_path, text) as q:
        a = q.A()
        assert (a.a, a.b, a.c, a.d, a.e, a.f, a.g, a.g2, a.s) == (
            True, -1, "z", -5, 1 << 33, 1.5, -2.25, 0.5, "hi",
        )  # fmt: skip
        assert (a.h, a.k, a.m) == ([1, 2], [], b"\x01\xff")
        assert (a.z, a.zc, a.zd, a.zs, a.zl) == (False, "\0", 0.0, "", [])


def test_empty_parcelables_are_a_size_word_each(tmp_path: Path) -> None:
    with _module(tmp_path, "parcelable A { }") as q:
        parcel = Parcel()
        q.A().write_to(parcel)
        q.A().write_to(parcel)
        assert bytes(parcel) == bytes.fromhex("04000000 04000000")
        parcel.rewind()
        assert (q.A.read_from(parcel), q.A.read_from(parcel), parcel.remaining) == (q.A(), q.A(), 0)


def test_tags_of_unions_count_from_their_first_member(tmp_path: Path) -> None:
    text = "union U { int a=7; String s; ParcelFileDescriptor fd; @nullable IBinder b; const int K=3; }"
    with _module(tmp_path, text, "interface I { q.U.Tag f(); }") as q:
        assert _written(q.U()) == bytes.fromhex("00000000 07000000")
        assert _written(q.U.s("a"))[:4] == bytes.fromhex("01000000")
        assert q.U.K == 3


def test_explicit_ids_and_the_reserved_ones(tmp_path: Path) -> None:
    text = "interface I { void a()=5; void b()=2; void c()=0; void d()=16777114; }"
    with _module(tmp_path, text, release=Release(3, "abc")) as q:
        assert [method.code for method in q.I.aidl.methods] == [6, 3, 1, 16777115]
        asked: list[int] = []

        class Asked(q.BnI):  # type: ignore[misc, name-defined]  # made by the test
            def a(self) -> None: ...
            def b(self) -> None: ...
            def c(self) -> None: ...
            def d(self) -> None: ...

            def on_transact(self, code: int, data: Parcel, reply: Parcel, flags: int) -> None:
                asked.append(code)
                super().on_transact(code, data, reply, flags)

        proxy = q.BpI(Asked())
        assert (proxy.getInterfaceVersion(), proxy.getInterfaceHash()) == (3, "abc")
        proxy.a()
    assert asked == [FIRST_CALL_TRANSACTION + 16777214, FIRST_CALL_TRANSACTION + 16777213, 6]


@pytest.mark.parametrize(("name", "stub"), [("A", "BnA"), ("Ioo", "BnIoo"), ("IFoo", "BnFoo")])
def test_stubs_are_named_as_in_cpp(tmp_path: Path, name: str, stub: str) -> None:
    with _module(tmp_path, f"interface {name} {{ }}") as q:
        assert hasattr(q, stub)


def test_inout_goes_there_and_back_and_out_only_back(tmp_path: Path) -> None:
    text = "interface I { int f(inout String[] a, out List<String> b, in int c); }"
    with _module(tmp_path, text) as q:
        method = q.I.aidl.by_code[1]
        request, reply = Parcel(), Parcel()
        method.write_request(request, ["x"], 7)
        assert bytes(request) == bytes.fromhex("01000000 01000000 78000000 07000000")
        method.write_reply(reply, q.I.FResult(9, ["y"], []))
        assert bytes(reply) == bytes.fromhex("09000000 01000000 01000000 79000000 00000000")


def test_only_resizable_out_arrays_are_announced(tmp_path: Path) -> None:
    text = "interface I { void f(out int[] a, out int[3] b, out List<String> c, out @nullable String[] g); }"
    with _module(tmp_path, text) as q:
        request = Parcel()
        q.I.aidl.by_code[1].write_request(request, 2, -1)
        assert bytes(request) == bytes.fromhex("02000000 FFFFFFFF")


def test_utf8_strings_have_the_same_bytes(tmp_path: Path) -> None:
    text = (
        "interface I { @nullable List<String> g(); @nullable IBinder[] h(in @nullable int[] b);"
        " @utf8InCpp String k(in @nullable @utf8InCpp String[] b); }"
    )
    with _module(tmp_path, text) as q:
        plain, utf8 = Parcel(), Parcel()
        plain.write_nullable_array(["é", None], plain.write_string16)
        q.I.aidl.by_code[3].write_request(utf8, ["é", None])
        assert bytes(plain) == bytes(utf8)


def test_chars_and_booleans_take_four_bytes_even_in_arrays(tmp_path: Path) -> None:
    text = "interface I { char[] f(in char[] a, char b, byte c, in boolean[] d, in byte[] e); }"
    with _module(tmp_path, text) as q:
        request = Parcel()
        q.I.aidl.by_code[1].write_request(request, ["a"], "b", -1, [True], b"\1")
        assert bytes(request) == bytes.fromhex(
            "01000000 61000000 62000000 FFFFFFFF 01000000 01000000 01000000 01000000"
        )


def test_several_unstructured_declarations_may_share_a_file(tmp_path: Path) -> None:
    files = {"q/A.aidl": "package q; parcelable A; parcelable A.B; parcelable A.C;"}
    with imported(tmp_path, render_text(tmp_path, files), "q") as q:
        assert q.A.aidl.name == "q.A"
