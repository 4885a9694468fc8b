"""Files and functions stay small enough to be read in one go."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ["codegen", "binder", "service_manager", "reference_impl", "harness"]
LONGEST_FILE = 500
LONGEST_FUNCTION = 64


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_no_file_is_too_long(room: str) -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources(room)}
    long = [
        f"{path.relative_to(ROOT)}: {lines} lines" for path, lines in lengths.items() if lines > LONGEST_FILE
    ]
    assert long == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_function_is_too_long(room: str) -> None:
    long = []
    for path in sources(room):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                lines = node.end_lineno - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {lines} lines")
    assert long == []
