"""Whatever the text, the front end only ever reports: nothing is raised, and it ends soon."""

from __future__ import annotations

import random
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen.ast import Document
from codegen.checks import check
from codegen.constants import evaluate
from codegen.diagnostics import Diagnostics
from codegen.frontend import compile_files
from codegen.parser import parse
from codegen.resolve import load
from codegen.source import SourceFile

_AIDL = Path(__file__).parents[2] / "aidl"
_VALID = [
    *(path.read_text(encoding="utf-8") for path in sorted(_AIDL.rglob("android/**/*.aidl"))),
    """package q;
    @JavaDerive(equals=true, toString=true) parcelable A<T> {
        const int K = 1 + -2 << (3); int[2][3] z = {{1, 2, 3}, {4, 5, 6}}; char c = 'z'; float f = 1.5f;
        @nullable(heap=true) A a; List<Map<String, String>> m; String s = "a" + "b"; E e = E.Y;
        enum E { X, Y = K, Z } union U { int a = 7; ParcelFileDescriptor fd; } U.Tag t = U.Tag.fd;
        interface I { oneway void f(in E[] a, @nullable IBinder b) = 3; void g(out int[] c, inout U u) = 4; }
    }
    """,
    'package q; parcelable A cpp_header "x" rust_type "y"; parcelable A.B;',
]
_PIECES = [
    *"{}()[]<>;,.=@\"'/*-+!~&|^%#\n\r\t\0é\ufffd",
    *("//", "/*", "*/", "/**", "in ", "out ", "interface ", "parcelable ", "enum ", "union ", "const "),
    *("oneway ", "package q;", "import a.b;", "1", "0x", "1.5f", '"x"', "List<", "@nullable ", "K", "int "),
    *("void ", '@Backing(type="int")', "A", "A.K", "E.X", "<<", "&&", "cpp_header "),
]


def _run(text: str, folder: Path) -> Document | None:
    """Puts a text through every stage, also those that a stage before would have stopped."""
    diagnostics = Diagnostics()
    path = folder / "q" / "A.aidl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    program = load([path], [folder], diagnostics)
    evaluate(program, diagnostics)
    check(program, diagnostics, lint=True)
    for item in diagnostics.sorted():
        assert item.render()
    assert program.requested or diagnostics.failed
    return program.requested[0] if program.requested else None


def _mutate(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(1, 5)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randint(1, 30))
        other = rng.choice(_VALID)
        cut = rng.randrange(len(other))
        text = rng.choice(
            [
                text[:start] + text[end:],
                text[:start] + rng.choice(_PIECES) + text[start:],
                text[:start] + text[start:end] + text[start:],
                text[:start] + other[cut : cut + rng.randint(1, 60)] + text[start:],
            ]
        )
    return text


@pytest.mark.parametrize("seed", range(12))
def test_mutations_of_valid_files_are_only_reported(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        _run(_mutate(rng, rng.choice(_VALID)), tmp_path)


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.sampled_from(_PIECES), max_size=60).map("".join))
def test_any_sequence_of_tokens_is_only_reported(tmp_path: Path, text: str) -> None:
    _run(text, tmp_path)


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.binary(max_size=200))
def test_any_bytes_are_only_reported(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "A.aidl"
    path.write_bytes(data)
    diagnostics = Diagnostics()
    program = compile_files([path], [tmp_path], diagnostics=diagnostics)
    assert program.requested or diagnostics.failed


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        "A<" * 100_000,
        '"\\' * 100_000,
        '"\\"' * 50_000,
        "'\\" * 100_000,
        "/*" * 100_000,
        "/* */ x " * 50_000,
        "/**/" * 50_000 + "parcelable A { " + "int a; " * 1_000 + "}",
        "// x\r" * 50_000,
        "/" * 100_000,
        *(
            f"parcelable A{{String a = {quote}{char * 100_000} ' ; }}"
            for quote in "'\" @."
            for char in "a'\"x_é\\"
        ),
        "parcelable A{int a=" + "9" * 100_000 + ";}",
        ";" * 100_000,
        "@a " * 20_000,
        "int a\n" * 20_000,
        "parcelable A{int a=" + "-" * 50_000 + "1;}",
        "parcelable A{int a=" + "1+" * 5_000 + "1;}",
        "import a" + ".b" * 5_000 + ";",
        "".join(map(chr, range(1, 256))) * 500,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_much_of_one_thing_is_no_problem(text: str) -> None:
    diagnostics = Diagnostics()
    document = parse(SourceFile(Path("A.aidl"), text), diagnostics)
    assert document is not None or diagnostics.failed


def test_the_valid_texts_are_valid() -> None:
    for text in _VALID:
        diagnostics = Diagnostics()
        assert parse(SourceFile(Path("A.aidl"), text), diagnostics) is not None
        assert not diagnostics.items


@pytest.mark.parametrize(
    ("member", "valid"),
    [
        ("const int K = %s7;", "0"),
        ("void f() = %s7;", "0"),
        ("const int K = 0x%s7;", "0"),
        ("const int K = %s;", ""),
        ("void f() = %s;", ""),
        ("const double K = %s.5;", ""),
    ],
)
def test_numbers_of_any_length_are_read(member: str, valid: str, tmp_path: Path) -> None:
    """Python itself refuses to read more than some thousand digits."""
    path = tmp_path / "q" / "IA.aidl"
    path.parent.mkdir()
    path.write_text(f"package q; interface IA {{ {member.replace('%s', (valid or '9') * 10_000)} }}")
    diagnostics = Diagnostics()
    compile_files([path], [tmp_path], diagnostics=diagnostics)
    assert diagnostics.failed != bool(valid)
    assert all(len(item.message) < 300 for item in diagnostics.items)


@pytest.mark.parametrize(
    "text", ["import %s; parcelable A { }", "parcelable A { %s a; }", "parcelable A { int a = %s; }"]
)
def test_names_of_many_parts_are_looked_for_in_no_time(text: str, tmp_path: Path) -> None:
    path = tmp_path / "q" / "A.aidl"
    path.parent.mkdir()
    path.write_text(f"package q; {text.replace('%s', 'a.' * 8_000 + 'b')}")
    started = process_time()
    diagnostics = Diagnostics()
    compile_files([path], [tmp_path], diagnostics=diagnostics)
    assert diagnostics.failed
    assert process_time() - started < 8
