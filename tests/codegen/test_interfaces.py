"""`interfaces.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.interfaces import InterfacesError, load_interfaces

PROJECT = Path(__file__).parents[2] / "aidl/interfaces.toml"


def test_project_packages() -> None:
    packages = {package.name: package for package in load_interfaces(PROJECT)}
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


def test_missing_and_binary_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InterfacesError, match="cannot be read"):
        load_interfaces(tmp_path / "interfaces.toml")
    (tmp_path / "interfaces.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InterfacesError, match=r"interfaces\.toml"):
        load_interfaces(tmp_path / "interfaces.toml")
