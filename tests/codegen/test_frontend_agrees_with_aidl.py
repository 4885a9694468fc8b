"""The front end accepts and refuses what Google's compiler does, and computes the same values.

Where the two differ on purpose, a list says why; an entry that is no longer true fails.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from codegen.diagnostics import Severity
from codegen.rules import RULES

from .compiling import Files, compile_aidl, enum, interface, parcelable, write
from .rule_examples import EXAMPLES

AIDL = shutil.which("aidl")

pytestmark = pytest.mark.aidl

_ON_PURPOSE = {
    "unterminated-comment rejects": "a comment that never ends may hide half a file",
    "nested-too-deep rejects": "nobody writes it, and walking it would be a risk",
    "undefined-interface rejects": "it is meant for lists made by tools, and there is nothing to generate",
    "duplicate-type rejects": "two types of one name",
    "unknown-warning rejects": "newer compilers know more warnings, so this is no error",
}

# What the compiler of Android 10, which Debian 12 has, does not know yet.
_NOT_IN_ANDROID_10 = {
    *(
        "nested-too-deep accepts",
        "duplicate-argument accepts",
        "unknown-constant accepts",
        "overflow accepts",
    ),
    *("division-by-zero accepts", "constant-cycle accepts", "constant-type accepts", "array-size accepts"),
    *("backing-type accepts", "reference-in-annotation accepts", "one-type-per-file rejects"),
    *("one-type-per-file accepts", "duplicate-name rejects", "nested-name accepts", "heap accepts"),
    *("nested-unstructured accepts", "array-form accepts", "generic-arity accepts", "list-element rejects"),
    *("map-element accepts", "untyped-collection rejects", "holder-position accepts", "generic-type accepts"),
    *("recursive-type rejects", "fixed-size accepts", "empty-union accepts", "union-default accepts"),
    *("vintf accepts", "misplaced-annotation accepts", "repeated-annotation rejects"),
    *("annotation-argument accepts", "permission accepts", "conflicting-permissions rejects"),
    *(
        "conflicting-permissions accepts",
        "unknown-warning accepts",
        "const-name rejects",
        "const-name accepts",
    ),
}


def _aidl(folder: Path, files: Files, roots: tuple[str, ...], options: list[str]) -> bool:
    """Whether Google's compiler accepts the first of some files; its Java goes into `out`."""
    write(folder, {**files, "out/x": ""})
    includes = [word for root in roots for word in ("-I", root)]
    command = [AIDL or "aidl", "--lang=java", "-o", "out", *options, *includes, next(iter(files))]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=60).returncode == 0


@cache
def _sdk_option(folder: Path) -> tuple[str, ...] | None:
    """How to ask for newest Java; None if the compiler is that of Android 10, without unions."""
    union: Files = {"q/U.aidl": "package q; union U { int a; }"}
    for options in (["--min_sdk_version=34"], []):
        if _aidl(folder, union, (".",), ["--structured", *options]):
            return tuple(options)
    return None


@pytest.fixture(scope="session")
def sdk_option(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...] | None:
    return _sdk_option(tmp_path_factory.mktemp("version"))


@pytest.mark.parametrize("side", ["rejects", "accepts"])
@pytest.mark.parametrize("slug", [slug for slug in EXAMPLES if slug != "unreadable-file"])
def test_both_accept_or_both_refuse(
    slug: str, side: str, sdk_option: tuple[str, ...] | None, tmp_path: Path
) -> None:
    if sdk_option is None and f"{slug} {side}" in _NOT_IN_ANDROID_10:
        pytest.skip("the aidl that is installed is too old for this")
    example = EXAMPLES[slug]
    files = {**(example.rejects if side == "rejects" else example.accepts), **example.others}
    options = ["--structured"] if example.structured or example.vintf else []
    options += ["--stability=vintf"] if example.vintf and sdk_option is not None else []
    theirs = _aidl(tmp_path, files, example.roots, [*options, *(sdk_option or ())])
    ours = side == "accepts" or RULES[slug].severity is Severity.WARNING
    if f"{slug} {side}" in _ON_PURPOSE:
        assert sdk_option is None or theirs != ours, "this difference is no more: take it off the list"
    else:
        assert theirs == ours


def test_every_difference_is_of_an_example() -> None:
    names = {f"{slug} {side}" for slug in EXAMPLES for side in ("rejects", "accepts")}
    assert names >= _ON_PURPOSE.keys()
    assert names >= _NOT_IN_ANDROID_10


# Other inputs of which one of the two accepts what the other refuses: ours first.
_DIFFERENT: list[tuple[bool, Files, str]] = [
    (False, enum("A, A"), "one of the two can never be meant"),
    (False, parcelable("A[2] a;"), "making one would never end"),
    (False, parcelable("enum E { X } enum F { X } E e = F.X;"), "the enumerator of another enum"),
    (True, parcelable("char[] a = {'x', 'y'};"), "an array like others"),
    (True, parcelable("const float F = 1.5f; double a = F;"), "a constant like others"),
    (True, {"q/A.aidl": "\ufeffpackage q; parcelable A { }"}, "an invisible mark is no fault of the user"),
    (
        True,
        parcelable("parcelable X { @nullable(heap=true) Y y; } parcelable Y { X x; } X x;"),
        "C++ cannot declare these in any order, Python can",
    ),
    (
        True,
        {"q/A.aidl": "package q; @JavaOnlyImmutable parcelable A { parcelable B { int x; } B b; }"},
        "a promise about Java alone",
    ),
]


@pytest.mark.parametrize(("ours", "files", "reason"), _DIFFERENT)
def test_differences_are_those_that_are_meant(
    ours: bool, files: Files, reason: str, sdk_option: tuple[str, ...] | None, tmp_path: Path
) -> None:
    assert compile_aidl(tmp_path, files).diagnostics.failed != ours, reason
    if sdk_option is not None:
        assert _aidl(tmp_path, files, (".",), ["--structured", *sdk_option]) != ours, reason


# --- values ---

_LITERALS = (
    "0 1 2 5 31 127 128 255 2147483647 0x7f 0xff 0x80000000 1L 40L 255u8 1u32 0x1u64 true false K L".split()
)
_OPERATORS = "+ - * / % & | ^ << >> == != < > <= >= && ||".split()


def _expression(rng: random.Random, depth: int) -> str:
    choice = rng.random()
    if depth == 0 or choice < 0.25:
        return rng.choice(_LITERALS)
    if choice < 0.5:
        return f"{rng.choice('-+!~')} {_expression(rng, depth - 1)}"
    if choice < 0.6:
        return f"({_expression(rng, depth - 1)})"
    left, right = _expression(rng, depth - 1), _expression(rng, depth - 1)
    return f"{left} {rng.choice(_OPERATORS)} {right}"


@pytest.mark.parametrize("seed", range(5))
def test_both_compute_the_same_values(seed: int, sdk_option: tuple[str, ...] | None, tmp_path: Path) -> None:
    if sdk_option is None:
        pytest.skip("the aidl that is installed is too old for this")
    rng = random.Random(seed)
    accepted, body = 0, "const int K = 3; const long L = 5; "
    for index in range(60):
        candidate = f"const {rng.choice(['int', 'long', 'byte'])} A{index} = {_expression(rng, 3)}; "
        if not compile_aidl(tmp_path / str(index), interface(body + candidate)).diagnostics.failed:
            body, accepted = body + candidate, accepted + 1
    assert accepted > 20
    ours = compile_aidl(tmp_path / "all", interface(body)).constants()
    assert _aidl(tmp_path, interface(body), (".",), list(sdk_option))
    java = (tmp_path / "out/q/IA.java").read_text()
    theirs = {name: int(value) for name, value in re.findall(r"(?:int|long|byte) (\w+) = (-?\d+)L?;", java)}
    assert {name: theirs[name] for name in ours} == ours


@pytest.mark.parametrize("seed", range(40))
def test_both_refuse_the_same_expressions(
    seed: int, sdk_option: tuple[str, ...] | None, tmp_path: Path
) -> None:
    if sdk_option is None:
        pytest.skip("the aidl that is installed is too old for this")
    rng = random.Random(seed)
    files = interface(f"const int K = 3; const long L = 5; const int A = {_expression(rng, 3)};")
    ours = not compile_aidl(tmp_path, files).diagnostics.failed
    assert _aidl(tmp_path, files, (".",), list(sdk_option)) == ours, files
