"""The fast path of the parser finds what the careful one finds."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from codegen import parser
from codegen.builder import Builder, ByRule
from codegen.cache import Cache
from codegen.comments import scan
from codegen.diagnostics import Diagnostics
from codegen.parser import _Run
from codegen.quick import QuickParser
from codegen.source import SourceFile
from tests.bench.aidl_tree import write_tree
from tests.harness.command import ROOT

DIFFICULT = """
package a.b; import c.D; import cpp_header.X;
/** Doc. */ @A @B("x") @C(k=1, l={1, 2}) parcelable P<T, U> {
  const int X = (1 + 2) * -3 << 2 >> 1 | 0x10 & ~4 ^ 5; // comment
  List<List<int>> deep; Map<String, List<@nullable String>> map; int[2][X] /* here */ grid;
  const boolean B = 1 < 2 && 3 >= 2 || !true; a.b.C cpp_header = a.b.C.D; char c = '\\'';
  enum E { A, B = 2, C, } union U { int a; } interface I { oneway void f() = 3; }
  parcelable Q; parcelable R cpp_header "a.h" ndk_header "b.h" rust_type "c";
}
"""


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and _same(list(one.values()), list(other.values()))
    if is_dataclass(one) and not isinstance(one, SourceFile):
        names = [field.name for field in fields(one) if field.name != "parent"]  # that would be a circle
        return type(one) is type(other) and all(_same(getattr(one, n), getattr(other, n)) for n in names)
    return bool(one == other)


def _assert_same(text: str) -> None:
    source = SourceFile(Path("x.aidl"), text)
    quick_reports, reports = Diagnostics(), Diagnostics()
    quick = _Run(source, text, scan(text), quick_reports).quick_document()
    careful = _Run(source, text, scan(text), reports).document()
    assert quick is not None
    assert careful is not None
    assert _same(quick, careful)
    assert quick_reports.items == reports.items


def test_finds_the_same_in_difficult_text() -> None:
    _assert_same(DIFFICULT)


def test_finds_the_same_in_the_projects_own_files() -> None:
    files = list((ROOT / "aidl").rglob("*.aidl"))
    assert files
    for file in files:
        _assert_same(file.read_text())


def test_finds_the_same_in_the_tree_of_the_bench(tmp_path: Path) -> None:
    for file in write_tree(tmp_path, 60):
        _assert_same(file.read_text())


@pytest.mark.parametrize(
    "text", ["", "// only", "parcelable P { int a }", "parcelable P { int a; } /*", "parcelable # {}", "}"]
)
def test_leaves_errors_to_the_careful_path(text: str) -> None:
    diagnostics = Diagnostics()
    source = SourceFile(Path("x.aidl"), text)
    assert _Run(source, text, scan(text), diagnostics).quick_document() is None
    assert diagnostics.items == []


def test_reports_of_a_file_without_syntax_errors_come_once() -> None:
    text = "import a.B; package q; parcelable P { int a; }"
    diagnostics = Diagnostics()
    assert _Run(SourceFile(Path("x.aidl"), text), text, scan(text), diagnostics).quick_document()
    assert [item.rule.slug for item in diagnostics.items] == ["package-order"]


def test_tables_from_a_cache_are_those_of_the_grammar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Cache(str(tmp_path / "tables"))
    said = []
    for _ in range(3):
        builder = Builder()
        lark = parser._lark(ByRule(builder), store)
        machine = parser._Machine(lark, QuickParser(lark), builder)
        monkeypatch.setattr(parser, "machine", lambda machine=machine: machine)
        diagnostics = Diagnostics()
        for text in (DIFFICULT, "interface IA { void f(int a,); void g(; }", "enum E { A B = }", "union {"):
            parser.parse(SourceFile(Path("x.aidl"), text), diagnostics)
        said.append([item.render() for item in diagnostics.items])
        (kept,) = (tmp_path / "tables").iterdir()
        if len(said) == 2:
            kept.write_bytes(kept.read_bytes()[:-9])
    assert said[0]
    assert said[0] == said[1] == said[2]


def test_tables_that_lark_cannot_read_do_not_matter(tmp_path: Path) -> None:
    store = Cache(str(tmp_path / "tables"))
    parser._lark(ByRule(Builder()), store)
    (kept,) = (tmp_path / "tables").iterdir()
    store.save_bytes(kept.name, b"no tables")
    parser._lark(ByRule(Builder()), store)
