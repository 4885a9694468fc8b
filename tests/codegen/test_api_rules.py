"""What is compatible: each rule, and a table of answers of Android's own compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from codegen.api_rules import RULES

from .aidl_files import write_files
from .api_pairs import Pair, changes, table

PAIRS = table()

# By rule, a pair that it accepts and one that it rejects. All but those that say so are in the table,
# so the answers are those of Android's compiler.
EXAMPLES = {
    "removed-type": (("interface", "", "parcelable N {}"), ("interface", "parcelable N {}", "")),
    "changed-kind": (
        ("declaration", "parcelable A {int a;}", "parcelable A {int a; int b =3;}"),
        ("declaration", "union A {int a;}", "parcelable A {int a;}"),
    ),
    "changed-annotation": (
        ("declaration", "@JavaDerive(toString=true) parcelable A {int a;}", "parcelable A {int a;}"),
        ("declaration", "@FixedSize parcelable A {int a;}", "parcelable A {int a;}"),
    ),
    "changed-type": (
        ("interface", "String f();", "@nullable String f();"),
        ("parcelable", "int a;", "long a;"),
    ),
    "removed-method": (
        ("interface", "void f();", "void f(); void g();"),
        ("interface", "void f(); void g();", "void f();"),
    ),
    "changed-parameters": (
        ("interface", "void f(int a);", "void f(int b);"),
        ("interface", "void f(int a);", "void f(long a);"),
    ),
    "changed-id": (
        ("interface", "void f(); void g();", "void f() = 0; void g() = 1;"),
        ("interface", "void f(); void g();", "void g(); void f();"),
    ),
    "changed-oneway": (
        ("declaration", "oneway interface A {void f();}", "interface A {oneway void f();}"),
        ("interface", "oneway void f();", "void f();"),
    ),
    "changed-direction": (
        ("interface", "void f(int a);", "void f(in int a);"),
        ("interface", "void f(in B b);", "void f(inout B b);"),
    ),
    "removed-field": (("parcelable", "int a;", "int a; int b;"), ("parcelable", "int a;", "")),
    "moved-field": (("parcelable", "int a;", "int b;"), ("union", "int a; int b;", "int b; int a;")),
    "changed-default": (("parcelable", "int a;", "int a = 0;"), ("parcelable", "int a = 1;", "int a = 2;")),
    "new-field-default": (
        ("parcelable", "int a;", "int a; @nullable String s;"),
        ("parcelable", "int a;", "int a; String s;"),
    ),
    "fixed-size": (("fixed", "int a;", "int b;"), ("fixed", "int a;", "int a; int b = 3;")),
    "removed-constant": (("interface", "", "const int K = 1;"), ("interface", "const int K = 1;", "")),
    "changed-constant": (
        ("interface", "const int K = 1;", "const int K = 0x1;"),
        ("interface", "const int K = 1;", "const int K = 2;"),
    ),
    "removed-enumerator": (
        ("declaration", "enum A { A }", "enum A { A, B }"),
        ("declaration", "enum A { A, B }", "enum A { A }"),
    ),
    "changed-enumerator": (
        ("declaration", "enum A { A=1, B=2 }", "enum A { B=2, A=1 }"),
        ("declaration", "enum A { A=1 }", "enum A { A=2 }"),
    ),
}


def _in_table(example: tuple[str, str, str]) -> Pair:
    (pair,) = (p for p in PAIRS if (p.shape, p.old, p.new) == example)
    return pair


def test_every_rule_has_its_examples() -> None:
    assert [rule.slug for rule in RULES] == list(EXAMPLES)
    assert all(rule.help.endswith(".") for rule in RULES)


@pytest.mark.parametrize("slug", EXAMPLES)
def test_accepts(slug: str) -> None:
    pair = _in_table(EXAMPLES[slug][0])
    assert pair.compatible
    assert not pair.slugs


@pytest.mark.parametrize("slug", EXAMPLES)
def test_rejects(slug: str) -> None:
    pair = _in_table(EXAMPLES[slug][1])
    assert not pair.compatible
    assert pair.slugs == {slug}


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_answers_as_androids_compiler(pair: Pair, tmp_path: Path) -> None:
    found = changes(tmp_path, pair.files(pair.old), pair.files(pair.new), equal=True)
    of_rules = {change.rule.slug for change in found} & EXAMPLES.keys()
    assert of_rules == pair.slugs
    assert (not of_rules) is pair.compatible
    assert (not found) is pair.equal


# What other versions of the compiler agree on; Android 10's is stricter or laxer elsewhere.
_EVER_SINCE = {
    *("removed-method", "changed-parameters", "changed-id", "changed-oneway", "changed-direction"),
    *("removed-constant", "changed-constant", "removed-field", "changed-type"),
}


@pytest.mark.aidl
@pytest.mark.parametrize("slug", sorted(_EVER_SINCE))
def test_installed_compiler_rejects_too(slug: str, tmp_path: Path) -> None:
    read = 0
    for number, pair in enumerate(pair for pair in PAIRS if pair.slugs == {slug} and pair.shape != "stable"):
        folder = tmp_path / str(number)
        write_files(folder / "old", pair.files(pair.old))
        write_files(folder / "new", pair.files(pair.new))
        if _check(folder, "old", "old") and _check(folder, "new", "new"):
            read += 1
            assert not _check(folder, "old", "new"), pair
    assert read


def _check(folder: Path, old: str, new: str) -> bool:
    command = [shutil.which("aidl") or "aidl", "--checkapi", old, new]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=60).returncode == 0
