"""Writing generated files, and seeing whether they are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.output import MARK, find_drift, lost_types, write_modules

MODULES = {"q/__init__.py": f"{MARK}\nx = 1\n", "__init__.py": f"{MARK}\n"}


def test_writes_what_differs_and_nothing_else(tmp_path: Path) -> None:
    assert write_modules(tmp_path, MODULES, whole=True) == 2
    assert write_modules(tmp_path, MODULES, whole=True) == 0
    before = (tmp_path / "__init__.py").stat().st_mtime_ns
    (tmp_path / "q/__init__.py").write_text("changed")
    assert write_modules(tmp_path, MODULES, whole=True) == 1
    assert (tmp_path / "q/__init__.py").read_text() == MODULES["q/__init__.py"]
    assert (tmp_path / "__init__.py").stat().st_mtime_ns == before


def test_one_changed_byte_is_drift_with_its_line(tmp_path: Path) -> None:
    write_modules(tmp_path, MODULES, whole=True)
    path = tmp_path / "q/__init__.py"
    path.write_bytes(path.read_bytes().replace(b"1", b"2"))
    (drift,) = find_drift(tmp_path, MODULES, whole=True)
    assert str(drift) == f"{path}: different (line 2 is 'x = 2', generated: 'x = 1')"


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (f"{MARK}\r\nx = 1\r\n", "only the line endings differ"),
        (f"{MARK}\nx = 1\ny = 2\n", "1 lines differ from line 3 on"),
        ("\xff", "line 1 is"),
    ],
)
def test_other_differences_are_described(tmp_path: Path, content: str, detail: str) -> None:
    write_modules(tmp_path, MODULES, whole=True)
    (tmp_path / "q/__init__.py").write_bytes(content.encode("latin-1"))
    (drift,) = find_drift(tmp_path, MODULES, whole=True)
    assert drift.kind == "different"
    assert detail in drift.detail


def test_missing_and_stale_files_are_drift(tmp_path: Path) -> None:
    write_modules(tmp_path, MODULES, whole=True)
    (tmp_path / "__init__.py").unlink()
    stale = tmp_path / "old.py"
    stale.write_text(f"{MARK} from something that is gone\n")
    mine = tmp_path / "mine.py"
    mine.write_text("by hand\n")
    assert [(Path(drift.path).name, drift.kind) for drift in find_drift(tmp_path, MODULES, whole=True)] == [
        ("__init__.py", "missing"),
        ("old.py", "stale"),
    ]
    write_modules(tmp_path, MODULES, whole=True)
    assert not stale.exists()
    assert mine.exists()


def test_stale_files_are_nobodys_business_in_a_partial_run(tmp_path: Path) -> None:
    stale = tmp_path / "old.py"
    stale.write_text(f"{MARK}\n")
    write_modules(tmp_path, MODULES, whole=False)
    assert stale.exists()


def test_types_that_a_module_would_lose_are_known(tmp_path: Path) -> None:
    path = "q/__init__.py"
    before = f'{MARK}\n__all__ = [\n    "A",\n    "BnIB",\n]\n'
    assert _lost(tmp_path, {path: before}) == {}
    write_modules(tmp_path, {path: before}, whole=False)
    assert _lost(tmp_path, {path: f'{MARK}\n__all__ = ["A", "C"]\n'}) == {str(tmp_path / path): ["BnIB"]}
    assert _lost(tmp_path, {path: before}) == {}


def _lost(folder: Path, modules: dict[str, str]) -> dict[str, list[str]]:
    return lost_types(find_drift(folder, modules, whole=False), modules)


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("a file where a folder is needed")
    with pytest.raises(FileExistsError):
        write_modules(tmp_path, MODULES, whole=False)
    assert not list(tmp_path.rglob(".codegen-*"))
