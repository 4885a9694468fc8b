"""Python names for AIDL names: stable, and never two for one."""

from __future__ import annotations

import inspect
import keyword
from pathlib import Path

import pytest

from binder import Interface, OpenEnum, Parcelable, Proxy, Stub
from codegen import naming

from .aidl_files import compile_text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("canLoadModel", "canLoadModel"),
        ("from", "from_"),
        ("from_", "from__"),
        ("None", "None_"),
        ("lambda", "lambda_"),
        ("__class__", "aidl__class__"),
        ("list", "list_"),
        ("def", "def_"),
    ],
)
def test_names_of_python_get_an_underscore(name: str, expected: str) -> None:
    assert naming.python_name(name) == expected


def test_renaming_never_makes_two_names_one() -> None:
    names = [word + "_" * count for word in [*keyword.kwlist, "plain", "list"] for count in range(4)]
    assert len({naming.python_name(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("interface", "stub", "proxy"),
    [("IFoo", "BnFoo", "BpFoo"), ("A", "BnA", "BpA"), ("Ioo", "BnIoo", "BpIoo"), ("I", "BnI", "BpI")],
)
def test_roles_are_named_as_in_cpp(interface: str, stub: str, proxy: str) -> None:
    assert naming.role_name(interface, "Bn") == stub
    assert naming.role_name(interface, "Bp") == proxy


def _public(*classes: type) -> set[str]:
    return {name for cls in classes for name, _ in inspect.getmembers(cls) if not name.startswith("_")}


def test_no_member_can_hide_what_the_runtime_defines() -> None:
    assert _public(Interface, Proxy, Stub) <= naming.INTERFACE_NAMES
    assert _public(Parcelable) <= naming.PARCELABLE_NAMES
    assert _public(OpenEnum) <= naming.ENUM_NAMES


def test_packages_named_like_keywords_become_folders() -> None:
    assert naming.module_parts("q.lambda.async") == ["q", "lambda_", "async_"]
    assert naming.module_parts("") == []


def test_members_step_aside_for_nested_types_and_constants_for_members(tmp_path: Path) -> None:
    text = "package q; parcelable A { parcelable b { int x; } b b; int c; const int c = 1; const int d = 2; }"
    declaration = compile_text(tmp_path, {"q/A.aidl": text}).declarations["q.A"]
    assert naming.member_name(declaration, "b") == "b_"
    assert naming.member_name(declaration, "c") == "c"
    assert naming.constant_name(declaration, "c") == "const_c"
    assert naming.constant_name(declaration, "d") == "d"
