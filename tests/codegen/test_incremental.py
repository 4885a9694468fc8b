"""After a change of a few files only what they concern is compiled, and nobody can tell."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen import generate
from codegen.inputs import Inputs
from codegen.outcome import Outcome
from codegen.request import Request
from tests.bench.aidl_tree import write_tree

from .aidl_files import write_files

REQUEST = Request(paths=("tree",), output="out")


class Tree:
    """A folder of packages, and runs over it with and without what earlier runs left."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture
        self.packages: set[str] | None = None  # compiled by the last run, None for all
        self.code = 0  # of the last run

    def run(self, request: Request) -> tuple[int, list[str], dict[str, bytes]]:
        self._capture.readouterr()
        try:
            generate.generate(request, [])
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        output = Path(request.output)
        files = {str(path.relative_to(output)): path.read_bytes() for path in output.rglob("*.py")}
        # The last line says how many files changed.
        return code, "".join(self._capture.readouterr()).splitlines()[: None if code else -1], files

    def compare(self) -> None:
        """Runs with the cache; the result must be that of a run without it."""
        code, said, files = self.run(REQUEST)
        plain = self.run(REQUEST._replace(cache=False, output="plain"))
        assert (code, said) == plain[:2]
        self.code = code
        if code == 0:
            assert files == plain[2]

    def compiled(self) -> set[str] | None:
        self.packages = set()
        self.compare()
        return self.packages


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Tree:
    monkeypatch.chdir(tmp_path)
    tree = Tree(capsys)
    compile_, compile_changed = generate._compile, generate._compile_changed

    def whole(request: Request, inputs: Inputs) -> Outcome:
        if request.cache:
            tree.packages = None
        return compile_(request, inputs)

    def partly(request: Request, inputs: Inputs, earlier: Outcome, changed: set[str]) -> Outcome | None:
        tree.packages = earlier.packages_to_compile(changed)
        return compile_changed(request, inputs, earlier, changed)

    # The compiler's own files may be edited while its tests run.
    monkeypatch.setattr(generate, "compiler_identity", lambda: "this one")
    monkeypatch.setattr(generate, "_compile", whole)
    monkeypatch.setattr(generate, "_compile_changed", partly)
    return tree


FILES = {
    "tree/a/Base.aidl": "package a;\nparcelable Base { const int N = 1; int x = N; }\n",
    "tree/b/Middle.aidl": "package b;\nimport a.Base;\nparcelable Middle { const int M = Base.N + 1; }\n",
    "tree/c/Top.aidl": "package c;\nimport b.Middle;\nparcelable Top { int t = Middle.M; }\n",
    "tree/d/Apart.aidl": "package d;\nimport d.More;\nparcelable Apart { More m; }\n",
    "tree/d/More.aidl": "package d;\nparcelable More { int x; }\n",
    "tree/e/Alone.aidl": "package e;\nparcelable Alone { int x; }\n",
    "tree/f/Uses.aidl": "package f;\nimport e.Alone;\nimport d.Alone;\nparcelable Uses { Alone x; }\n",
    "tree/g/Alone.aidl": "package g;\nparcelable Alone { int x; }\n",
    "tree/h/Alone.aidl": "package h;\nparcelable Alone { int x; }\n",
}
BASE = FILES["tree/a/Base.aidl"]


@pytest.mark.parametrize(
    ("name", "text", "packages"),
    [
        ("tree/e/Alone.aidl", "package e;\nparcelable Alone { long x; }\n", {"e", "f"}),
        ("tree/d/More.aidl", "package d;\nparcelable More { long x; }\n", {"d"}),
        ("tree/c/Top.aidl", "package c;\nparcelable Top { long x; }\n", {"c"}),
        ("tree/b/Middle.aidl", "package b;\nparcelable Middle { const int M = 7; }\n", {"b", "c"}),
        ("tree/a/Base.aidl", BASE.replace("N = 1", "N = 5"), {"a", "b", "c"}),
        ("tree/a/Base.aidl", BASE.replace("N = 1", "N = 5").replace("int", "byte"), {"a", "b", "c"}),
        ("tree/f/Uses.aidl", "package f;\nimport e.Alone;\nparcelable Uses { Alone x; }\n", {"f"}),
        ("tree/g/Alone.aidl", "package g;\nimport h.Alone;\nparcelable Other { int x; }\n", None),
        ("tree/g/Alone.aidl", "package other;\nparcelable Alone { int x; }\n", None),
        ("tree/g/Alone.aidl", "package g;\nparcelable Alone { int x }\n", None),
        ("tree/a/Base.aidl", BASE.replace("N = 1", 'N = "x"'), None),
    ],
)
def test_compiles_the_packages_that_a_change_concerns(
    tree: Tree, tmp_path: Path, name: str, text: str, packages: set[str] | None
) -> None:
    write_files(tmp_path, FILES)
    assert tree.compiled() is None
    write_files(tmp_path, {name: text})
    assert tree.compiled() == packages
    write_files(tmp_path, FILES)
    tree.compare()


def test_two_changes_in_turn_are_both_seen(tree: Tree, tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    tree.compare()
    write_files(tmp_path, {"tree/a/Base.aidl": BASE.replace("N = 1", "N = 5")})
    assert tree.compiled() == {"a", "b", "c"}
    write_files(tmp_path, {"tree/c/Top.aidl": FILES["tree/c/Top.aidl"] + "// more\n"})
    assert tree.compiled() == {"c"}
    assert tree.compiled() == set()


def test_a_type_that_only_the_changed_file_needed_goes_with_it(tree: Tree, tmp_path: Path) -> None:
    write_files(tmp_path, FILES | {"lib/z/Z.aidl": "package z;\nparcelable Z { int z; }\n"})
    write_files(tmp_path, {"aidl/interfaces.toml": '["z"]\nroot = "../lib"\n'})
    write_files(tmp_path, {"tree/e/Alone.aidl": "package e;\nimport z.Z;\nparcelable Alone { Z z; }\n"})
    tree.compare()
    assert (tmp_path / "out/z/__init__.py").exists()
    write_files(tmp_path, FILES)
    tree.run(REQUEST._replace(output="other"))
    assert not (tmp_path / "other/z").exists()


def _swap(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


EDITS: list[Callable[[str], str]] = [
    lambda text: text + "\n// a comment\n",
    _swap("int number", "long number"),
    _swap("= 1 <<", "= 2 <<"),
    _swap("* 4 + 1", "* 2 + 3"),
    _swap("VALUE_1", "VALUE_9"),
    _swap("/** How", "/** Otherwise how"),
    _swap("import com.example.common", "import com.example.part1"),
    lambda text: "\n".join(line for line in text.splitlines() if not line.startswith("import")),
    lambda text: text + "\nparcelable Extra { int a; }\n",
    lambda text: text.replace("\n\n", "\n\nimport com.example.part2.Data21;\nimport q.Data21;\n", 1),
    _swap(";", ";;"),
    _swap("parcelable Data", "parcelable Date"),
    lambda text: "",
]


@pytest.mark.parametrize("seed", [1, 3, 8])
def test_any_changes_give_what_a_run_from_the_start_gives(tree: Tree, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    paths = write_tree(tmp_path / "tree", 60, per_package=5)
    original = {path: path.read_text() for path in paths}
    tree.compare()
    partly = 0
    broken: list[Path] = []
    for _ in range(9):
        for path in broken:  # errors hide what else might go wrong
            path.write_text(original[path])
        broken = chance.sample(paths, chance.choice([1, 1, 2]))
        for path in broken:
            path.write_text(chance.choice(EDITS)(original[path]))
        partly += bool(tree.compiled())
        if tree.code == 0 and chance.random() < 0.5:
            broken = []
    assert partly
