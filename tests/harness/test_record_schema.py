"""The table of fields, held against the documentation and against files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from harness.record_schema import BY_PATH, FIELDS, TYPES, faults
from tests.harness.command import ROOT

SAMPLE = Path(__file__).parent / "records" / "format-2.json"


def paths(path: str, value: Any) -> Iterator[str]:
    """The paths of everything in a file, as the table writes them."""
    if path:
        yield path
    known = BY_PATH.get(path)
    if isinstance(value, dict) and (not path or path.endswith("[]") or (known and known.type == "object")):
        for name, item in value.items():
            inner = f"{path}{{}}" if f"{path}{{}}" in BY_PATH else f"{path}.{name}".lstrip(".")
            # What an argument consists of is the interface's business.
            yield from paths(inner, item) if not inner.endswith("{}") else iter([inner])
    elif isinstance(value, list) and known and known.type == "list":
        for item in value:
            yield from paths(f"{path}[]", item)


@pytest.fixture
def sample() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(SAMPLE.read_text())
    return data


def test_documentation_has_a_line_for_every_field_and_none_besides() -> None:
    page = (ROOT / "docs/record.md").read_text().splitlines()
    assert [line for line in page if line.startswith("| `")] == [field.line for field in FIELDS]


def test_every_field_occurs_in_the_sample_and_nothing_besides(sample: dict[str, Any]) -> None:
    found = {path for path in paths("", sample) if path in BY_PATH or not path.endswith("[]")}
    assert found == set(BY_PATH)


def test_every_type_is_known() -> None:
    assert {field.type for field in FIELDS} <= set(TYPES)


def test_sample_is_without_fault(sample: dict[str, Any]) -> None:
    assert list(faults(sample)) == []


def _without_seed(data: dict[str, Any]) -> None:
    del data["environment"]["seed"]


def _text_for_a_number(data: dict[str, Any]) -> None:
    data["scenarios"][1]["wall_seconds"] = "long"


def _unknown_field(data: dict[str, Any]) -> None:
    data["scenarios"][0]["events"][1]["colour"] = "red"


def _number_as_a_rule(data: dict[str, Any]) -> None:
    data["scenarios"][3]["covers"] = [7]


def _list_for_an_event(data: dict[str, Any]) -> None:
    data["scenarios"][0]["events"][0] = []


def _true_for_a_number(data: dict[str, Any]) -> None:
    data["passed"] = True


def _number_for_a_build(data: dict[str, Any]) -> None:
    data["environment"]["devices"] = {"serial": 1}


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (_without_seed, "environment.seed is missing"),
        (_text_for_a_number, "scenarios[1].wall_seconds should be a number"),
        (_unknown_field, "scenarios[0].events[1].colour is no field of this format"),
        (_number_as_a_rule, "scenarios[3].covers[0] should be a text"),
        (_list_for_an_event, "scenarios[0].events[0] should be an object"),
        (_true_for_a_number, "passed should be an integer"),
        (_number_for_a_build, "environment.devices.serial should be a text"),
    ],
)
def test_fault_is_named_where_it_is(
    sample: dict[str, Any], damage: Callable[[dict[str, Any]], None], fault: str
) -> None:
    damaged = deepcopy(sample)
    damage(damaged)
    assert next(faults(damaged)) == fault


def test_any_argument_is_allowed(sample: dict[str, Any]) -> None:
    sample["scenarios"][0]["events"][0]["arguments"] = {"x": [None, {"y": 1.5}], "(unreadable)": "why"}
    assert list(faults(sample)) == []
