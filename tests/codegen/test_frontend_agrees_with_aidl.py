"""The front end accepts and refuses what Google's compiler does, and computes the same values.

Where the two differ on purpose, `disagreements` says why.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from codegen.diagnostics import Severity
from codegen.rules import RULES

from ..requirements import lacking
from . import google
from .agreement import errors_of
from .compiling import Files, compile_aidl, interface, write
from .disagreements import Kind, known
from .google import Options, Verdict
from .java import read_java
from .rule_examples import EXAMPLES

pytestmark = pytest.mark.aidl

_PLAIN = Options(structured=False)

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
        "unknown-warning rejects",
        "const-name rejects",
        "const-name accepts",
    ),
}


def _aidl(folder: Path, files: Files, options: Options = _PLAIN) -> Verdict:
    """What Google's compiler says of the first of some files."""
    write(folder, files)
    return google.java(folder, [next(iter(files))], options)


@pytest.mark.parametrize("side", ["rejects", "accepts"])
@pytest.mark.parametrize("slug", [slug for slug in EXAMPLES if slug != "unreadable-file"])
def test_both_accept_or_both_refuse(slug: str, side: str, tmp_path: Path) -> None:
    if not google.is_new() and f"{slug} {side}" in _NOT_IN_ANDROID_10:
        lacking("aidl", f"the aidl on this machine is too old for this; {google.HOW_TO_GET_IT}")
    example = EXAMPLES[slug]
    files = {**(example.rejects if side == "rejects" else example.accepts), **example.others}
    options = Options(example.structured, example.vintf and google.is_new(), example.roots)
    theirs = _aidl(tmp_path, files, options)
    ours = side == "accepts" or RULES[slug].severity is Severity.WARNING
    if theirs.accepted and not ours:
        compiled = compile_aidl(
            tmp_path, files, roots=example.roots, vintf=example.vintf, structured=example.structured
        )
        assert [text for text in errors_of(compiled.diagnostics) if not known(Kind.WE_REFUSE, text)] == []
    elif ours and not theirs.accepted:
        assert [error for error in theirs.errors if not known(Kind.WE_ACCEPT, error)] == []


def test_every_exception_is_of_an_example() -> None:
    names = {f"{slug} {side}" for slug in EXAMPLES for side in ("rejects", "accepts")}
    assert names >= _NOT_IN_ANDROID_10


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


@pytest.mark.aidl(newest=True)
@pytest.mark.parametrize("seed", range(5))
def test_both_compute_the_same_values(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    accepted, body = 0, "const int K = 3; const long L = 5; "
    for index in range(60):
        candidate = f"const {rng.choice(['int', 'long', 'byte'])} A{index} = {_expression(rng, 3)}; "
        if not compile_aidl(tmp_path / str(index), interface(body + candidate)).diagnostics.failed:
            body, accepted = body + candidate, accepted + 1
    assert accepted > 20
    ours = compile_aidl(tmp_path / "all", interface(body)).constants()
    verdict = _aidl(tmp_path, interface(body))
    assert verdict.accepted, verdict.messages
    java = read_java(verdict.java["q/IA.java"])["q.IA"].constants
    theirs = {name: int(value.removesuffix("L")) for name, value in java.items()}
    assert {name: theirs[name] for name in ours} == ours


@pytest.mark.aidl(newest=True)
@pytest.mark.parametrize("seed", range(40))
def test_both_refuse_the_same_expressions(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    files = interface(f"const int K = 3; const long L = 5; const int A = {_expression(rng, 3)};")
    ours = not compile_aidl(tmp_path, files).diagnostics.failed
    assert _aidl(tmp_path, files).accepted == ours, files
