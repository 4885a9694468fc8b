"""Who may import whom: arrows only point up the table of rooms, and the core of binder does no I/O."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STANDARD_LIBRARY = sys.stdlib_module_names | {"__future__"}

# What each room may import beside itself and the standard library.
MAY_IMPORT: dict[str, set[str]] = {
    "codegen": {"lark", "jinja2", "typer", "rich"},
    "binder": set(),
    "generated": {"binder"},
    "service_manager": {"generated", "binder"},
    "reference_impl": {"generated", "binder", "service_manager"},
    "harness": {"generated", "binder", "service_manager", "reference_impl"}
    | {"adbutils", "jinja2", "markupsafe", "pytest", "typer", "rich", "xdist"},
}

# Bytes, values and rules: they must work on top of any transport, so they know of none.
CORE = (
    "protocol errors flat values token buffer objects parcel bundle holder reply ibinder identity interface"
).split()
NOT_IN_THE_CORE = {"socket", "os", "fcntl", "ctypes", "threading", "mmap", "subprocess", "select", "asyncio"}


def modules(room: str) -> list[Path]:
    return sorted(path for path in (ROOT / room).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the absolute name of everything a file imports, wherever in it."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            yield node.lineno, ".".join((*above, *([node.module] if node.module else [])))


def breaches(path: Path, allowed: Set[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for line, name in imports(path)
        if name.partition(".")[0] not in allowed
    ]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_lies_above_it(room: str) -> None:
    allowed = STANDARD_LIBRARY | MAY_IMPORT[room] | {room}
    assert [line for path in modules(room) for line in breaches(path, allowed)] == []


def test_one_module_of_harness_knows_the_reference() -> None:
    knowing = {
        path.name
        for path in modules("harness")
        for _, name in imports(path)
        if name.partition(".")[0] == "reference_impl"
    }
    assert len(knowing) <= 1, f"only one may import reference_impl: {sorted(knowing)}"


def test_generated_code_imports_binder_itself_and_none_of_its_insides() -> None:
    insides = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules("generated")
        for line, name in imports(path)
        if name.startswith("binder.")
    ]
    assert insides == []


@pytest.mark.parametrize("module", CORE)
def test_the_core_of_binder_does_no_io(module: str) -> None:
    path = ROOT / "binder" / f"{module}.py"
    found = {name for _, name in imports(path) if name.partition(".")[0] in NOT_IN_THE_CORE}
    assert found == set()


def test_binder_does_not_know_its_transports() -> None:
    """What is in `binder/` itself works without any of the folders in it."""
    transports = {f"binder.{folder.name}" for folder in (ROOT / "binder").iterdir() if folder.is_dir()}
    found = [
        f"{path.name} imports {name}"
        for path in (ROOT / "binder").glob("*.py")
        for _, name in imports(path)
        if ".".join(name.split(".")[:2]) in transports
    ]
    assert found == []


@pytest.mark.parametrize("room", ["codegen", "binder", "service_manager", "reference_impl", "harness"])
def test_every_file_says_what_it_is_for(room: str) -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in modules(room)
        if path.stat().st_size and ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert silent == []
