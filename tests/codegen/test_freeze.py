"""Frozen versions: what is written, what is refused, and that nothing is left behind."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from codegen.api_check import compare, load_api
from codegen.diagnostics import Diagnostics
from codegen.freeze import (
    FreezeError,
    api_hash,
    freeze_package,
    frozen_versions,
    hash_of_digests,
    versions_folder,
)
from codegen.frontend import compile_files
from codegen.interfaces import InterfacePackage, load_interfaces

from .aidl_files import write_files

PROJECT = Path(__file__).parents[2] / "aidl"
RECORDED = "c4013f72b7544f246c5d1607f068562f3ee7f2b6"
FILES = {
    "aidl/interfaces.toml": '["q.r"]\nroot = "q"\n["s"]\nroot = "s"\n',
    "aidl/q/q/r/IA.aidl": "package q.r; import s.S; interface IA { void f(in S s); }",
    "aidl/s/s/S.aidl": "package s; parcelable S {}",
}


def _freeze(folder: Path, version: int, given_hash: str = "") -> str:
    return freeze_package(folder / "aidl", "q.r", version, given_hash, Diagnostics()).hash


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def test_writes_the_snapshot_and_its_hash(project: Path) -> None:
    frozen = freeze_package(project / "aidl", "q.r", 1, "", Diagnostics())
    assert frozen.is_new
    assert frozen.folder == project / "aidl/q.r/aidl_api/q.r/1"
    assert frozen.toml == f'version = 1\nhash = "{frozen.hash}"'
    assert set(_tree(frozen.folder)) == {".hash", "q/r/IA.aidl"}
    assert (frozen.folder / ".hash").read_text() == f"{frozen.hash}\n"
    assert "interface IA {\n  void f(in s.S s);\n}\n" in (frozen.folder / "q/r/IA.aidl").read_text()


def test_hash_is_that_of_the_shell_command_of_the_build(project: Path) -> None:
    for version, last in ((1, "latest-version"), (2, "1"), (3, "2")):
        write_files(project, {f"aidl/q/q/r/B{version}.aidl": f"package q.r; parcelable B{version} {{}}"})
        given = _freeze(project, version)
        script = f"find ./ -name '*.aidl' -print0 | LC_ALL=C sort -z | xargs -0 sha1sum && echo {last}"
        command = f"({script}) | sha1sum | cut -d ' ' -f 1"
        folder = project / f"aidl/q.r/aidl_api/q.r/{version}"
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == given


def test_version_in_which_nothing_is_new_is_refused(project: Path) -> None:
    _freeze(project, 1)
    with pytest.raises(FreezeError, match="nothing has changed since version 1"):
        _freeze(project, 2)
    assert frozen_versions(project / "aidl", "q.r") == [1]


def test_hash_of_a_published_version_is_the_one_published_with_it() -> None:
    # Version 1 of android.hardware.ir, as Android's own build froze it.
    folder = "android/hardware/ir"
    digests = {
        f"{folder}/ConsumerIrFreqRange.aidl": "c9df41f45243066fc2f2729a0592748d0358fe0b",
        f"{folder}/IConsumerIr.aidl": "a0adff8ef67d22b266ea35437a637748e35c74ee",
    }
    assert hash_of_digests(digests, 1) == "3e04aed366e96850c6164287eaf78a8e4ab071b0"


def test_hash_depends_on_names_texts_and_the_version() -> None:
    one = {"q/A.aidl": "a", "q/B.aidl": "b"}
    assert api_hash(one, 1) == api_hash(dict(reversed(one.items())), 1)
    others = [{**one, "q/A.aidl": "x"}, {"q/A.aidl": "a"}, {}]
    hashes = [api_hash(one, 1), api_hash(one, 2), api_hash(one, 3), *(api_hash(each, 1) for each in others)]
    assert len(set(hashes)) == len(hashes)


def test_given_hash_is_recorded_and_stays(project: Path) -> None:
    assert _freeze(project, 1, RECORDED) == RECORDED
    assert _freeze(project, 1) == RECORDED
    with pytest.raises(FreezeError, match=f"is frozen with the hash {RECORDED}"):
        _freeze(project, 1, "0" * 40)


def test_freezing_again_changes_nothing(project: Path) -> None:
    first = _freeze(project, 1)
    before = _tree(project)
    assert _freeze(project, 1) == first
    assert _tree(project) == before


def test_next_version_may_add(project: Path) -> None:
    _freeze(project, 1)
    write_files(project, {"aidl/q/q/r/IA.aidl": FILES["aidl/q/q/r/IA.aidl"].replace("; }", "; void g(); }")})
    _freeze(project, 2)
    assert frozen_versions(project / "aidl", "q.r") == [1, 2]


def _source(text: str) -> dict[str, str]:
    return {"aidl/q/q/r/IA.aidl": f"package q.r; {text}"}


@pytest.mark.parametrize(
    ("files", "version", "given_hash", "message", "code"),
    [
        (
            _source("interface IA { void f(); void g(); }"),
            1,
            "",
            "differs from the sources in q/r/IA.aidl",
            1,
        ),
        ({"aidl/q/q/r/IB.aidl": "package q.r; interface IB {}"}, 1, "", "in q/r/IB.aidl; freeze the next", 1),
        (_source("interface IA { void g(); }"), 2, "", "incompatible with version 1", 1),
        ({}, 3, "", "the next version of q.r is 2, not 3", 1),
        ({}, 2, "abc", "40 lower-case hexadecimal digits", 2),
        (_source("interface IA { nonsense }"), 2, "", "the sources have errors", 1),
        ({"aidl/q.r/aidl_api/q.r/1/q/r/IA.aidl": "nonsense"}, 2, "", "1 has errors", 1),
        ({"aidl/q.r/aidl_api/q.r/1/.hash": ""}, 1, RECORDED, "is frozen with the hash", 1),
    ],
)
def test_what_is_refused_changes_nothing(
    project: Path, files: dict[str, str], version: int, given_hash: str, message: str, code: int
) -> None:
    _freeze(project, 1)
    write_files(project, files)
    before = _tree(project)
    with pytest.raises(FreezeError) as refusal:
        _freeze(project, version, given_hash)
    assert message in str(refusal.value)
    assert refusal.value.code == code
    assert _tree(project) == before


def test_first_version_is_1(project: Path) -> None:
    with pytest.raises(FreezeError, match=r"the next version of q\.r is 1, not 2"):
        _freeze(project, 2)


def test_unknown_and_empty_packages_are_named(project: Path) -> None:
    with pytest.raises(FreezeError, match=r"no package x in aidl/interfaces\.toml; it has q\.r, s"):
        freeze_package(project / "aidl", "x", 1, "", Diagnostics())
    (project / "aidl/s/s/S.aidl").unlink()
    with pytest.raises(FreezeError, match=r"no \.aidl files of s"):
        freeze_package(project / "aidl", "s", 1, "", Diagnostics())


def test_incompatible_changes_are_told_one_by_one(project: Path) -> None:
    _freeze(project, 1)
    write_files(project, _source("interface IA { void g(); oneway void h(); }"))
    with pytest.raises(FreezeError) as refusal:
        _freeze(project, 2)
    assert [change.rule.slug for change in refusal.value.changes] == ["removed-method"]


def test_failed_write_leaves_nothing_behind(project: Path) -> None:
    write_files(project, {"aidl/q.r/aidl_api/q.r": "a file where the folder should be"})
    before = _tree(project)
    with pytest.raises(OSError, match=r"q\.r"):
        _freeze(project, 1)
    assert _tree(project) == before
    assert {path.name for path in (project / "aidl").iterdir()} == {"interfaces.toml", "q", "q.r", "s"}


def test_missing_hash_is_named(project: Path) -> None:
    _freeze(project, 1)
    (project / "aidl/q.r/aidl_api/q.r/1/.hash").unlink()
    with pytest.raises(FreezeError, match=r"\.hash is missing"):
        _freeze(project, 1)


# --- the project's own versions ---

INTERFACES = load_interfaces(PROJECT / "interfaces.toml")
FROZEN = [
    (package, version)
    for package in INTERFACES.packages
    for version in frozen_versions(PROJECT, package.name)
]


def _name(value: object) -> str:
    return value.name if isinstance(value, InterfacePackage) else str(value)


@pytest.mark.parametrize(("package", "version"), FROZEN, ids=_name)
def test_sources_are_compatible_with_every_frozen_version(package: InterfacePackage, version: int) -> None:
    diagnostics = Diagnostics()
    old = load_api(versions_folder(PROJECT, package.name) / str(version), [], INTERFACES, diagnostics)
    roots = [each.root for each in INTERFACES.packages]
    new = compile_files(package.sources(), roots, vintf=package.vintf, diagnostics=diagnostics)
    assert not diagnostics.failed
    assert [str(change) for change in compare(old, new)] == []


@pytest.mark.parametrize("package", dict(FROZEN), ids=_name)
def test_freezing_the_recorded_version_gives_no_difference(package: InterfacePackage, tmp_path: Path) -> None:
    shutil.copytree(PROJECT, tmp_path / "aidl")
    before = _tree(tmp_path)
    name, release = package.name, package.release
    frozen = freeze_package(tmp_path / "aidl", name, release.version, "", Diagnostics())
    assert not frozen.is_new
    assert frozen.hash == release.hash
    shutil.rmtree(frozen.folder)
    freeze_package(tmp_path / "aidl", name, release.version, release.hash, Diagnostics())
    assert _tree(tmp_path) == before


def test_npu_hal_is_frozen_as_devices_have_it() -> None:
    name = "android.hardware.npu"
    assert frozen_versions(PROJECT, name) == [1]
    assert (versions_folder(PROJECT, name) / "1/.hash").read_text() == f"{RECORDED}\n"
