"""`interfaces.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.interfaces import InterfacesError, load_interfaces
from codegen.registry import PythonClass

PROJECT = Path(__file__).parents[2] / "aidl/interfaces.toml"


def test_project_packages() -> None:
    packages = {package.name: package for package in load_interfaces(PROJECT).packages}
    hal = packages["android.hardware.npu"]
    assert hal.vintf
    assert (hal.release.version, hal.release.hash) == (1, "c4013f72b7544f246c5d1607f068562f3ee7f2b6")
    assert not packages["android.npumanager"].vintf
    assert {path.name for path in packages["android.npumanager"].sources()} >= {"INpuManagerService.aidl"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not toml at all [", "error"),
        ("[q]\n", "needs a root"),
        ('[q]\nroot = "missing"\n', "there is no folder"),
        ('[q]\nroot = "."\ncolour = "blue"\n', "colour = 'blue', which is not understood"),
        ('[q]\nroot = "."\nversion = "one"\n', "version = 'one', which is not understood"),
        ('[q]\nroot = "."\nstability = "high"\n', '"local" or "vintf"'),
        ("q = 3\n", "needs a root"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "interfaces.toml"
    path.write_text(text)
    with pytest.raises(InterfacesError, match=r"interfaces\.toml") as error:
        load_interfaces(path)
    assert message in str(error.value)


def test_parcelables_are_named_with_their_classes(tmp_path: Path) -> None:
    path = tmp_path / "interfaces.toml"
    path.write_text('[parcelables]\n"q.A" = "mine.types:A"\n')
    assert load_interfaces(path).parcelables == {"q.A": PythonClass("mine.types", "A")}
    for wrong in ('"q.A" = "mine"', '"q.A" = 3', '"q.A" = ":A"', '"q.A" = "a-b:C"'):
        path.write_text(f"[parcelables]\n{wrong}\n")
        with pytest.raises(InterfacesError, match=r"\[parcelables\].*write module:Class"):
            load_interfaces(path)
    path.write_text("parcelables = 3\n")
    with pytest.raises(InterfacesError, match="is a table"):
        load_interfaces(path)


def test_missing_and_binary_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InterfacesError, match="cannot be read"):
        load_interfaces(tmp_path / "interfaces.toml")
    (tmp_path / "interfaces.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InterfacesError, match=r"interfaces\.toml"):
        load_interfaces(tmp_path / "interfaces.toml")
