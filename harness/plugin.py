"""How pytest plays scenarios: the `npu` fixture, skips for what a backend lacks, and the story of a failure.

pytest loads this through its entry point; it costs nothing to runs that use no scenario.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

if TYPE_CHECKING:
    from .backend import Backend
    from .vocabulary import Npu

_STORY = "What happened"
REPORT_ATTRIBUTE = "npu"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("npukit")
    group.addoption("--npu-backend", default="reference", help="where scenarios are played (reference)")
    group.addoption("--npu-seed", type=int, default=0, help="chooses what may happen in any order (0)")
    group.addoption("--npu-select", default="", help="globs of scenario names, separated by commas")
    group.addoption("--npu-record", action="store_true", help="keep the events of passed scenarios too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "covers(*rules): the public rules that a scenario covers")
    config.addinivalue_line("markers", "needs(*capabilities): what a backend must offer for a scenario")


def scenario_name(module: str, function: str, parameters: str = "") -> str:
    """What a scenario is called: `turn_taking.foreground_takes_the_slot`, with parameters in brackets."""
    name = f"{module.rpartition('.')[2].removeprefix('test_')}.{function.removeprefix('test_')}"
    return f"{name}[{parameters}]" if parameters else name


def matches(name: str, patterns: list[str]) -> bool:
    """Whether a scenario's name, with or without its parameters or module, matches a pattern."""
    bare = name.partition("[")[0]
    candidates = (name, bare, bare.rpartition(".")[2], bare.partition(".")[0])
    return any(fnmatchcase(candidate, pattern) for pattern in patterns for candidate in candidates)


def _name_of(item: pytest.Item) -> str:
    function = getattr(item, "originalname", None) or item.name
    return scenario_name(item.path.stem, function, item.name.partition("[")[2].removesuffix("]"))


def _marked(item: pytest.Item, marker: str) -> list[str]:
    return [str(value) for mark in item.iter_markers(marker) for value in mark.args]


def _is_scenario(item: pytest.Item) -> bool:
    return "npu" in getattr(item, "fixturenames", ())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    patterns = [pattern for pattern in config.getoption("--npu-select").split(",") if pattern]
    if not patterns:
        return
    kept = [item for item in items if matches(_name_of(item), patterns)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


@pytest.fixture(scope="session")
def npu_backend(request: pytest.FixtureRequest) -> Backend:
    """The backend that `--npu-backend` names."""
    from .backends import open_backend

    return open_backend(request.config.getoption("--npu-backend"))


@pytest.fixture
def npu(request: pytest.FixtureRequest, npu_backend: Backend) -> Iterator[Npu]:
    """A device with an NPU, in its first state."""
    from .vocabulary import Npu

    needed = set(_marked(request.node, "needs"))
    # For JUnit files.
    for key in ("covers", "needs"):
        request.node.user_properties.append((key, "; ".join(_marked(request.node, key))))
    if missing := sorted(needed - npu_backend.capabilities):
        from .backend import CAPABILITIES

        reasons = "; ".join(f"{name}: {CAPABILITIES[name]}" for name in missing)
        pytest.skip(f"the {npu_backend.name} backend lacks {reasons}")
    # Every scenario has a seed of its own, whatever others are run with it.
    name = _name_of(request.node)
    session = npu_backend.open(crc32(name.encode()) ^ request.config.getoption("--npu-seed"))
    device = Npu(session)
    request.node.npu = device
    try:
        yield device
    finally:
        session.close()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    result = yield
    device: Npu | None = getattr(pyfuncitem, "npu", None)
    if device is not None:
        device.finish()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if not _is_scenario(item):
        return report
    device: Npu | None = getattr(item, "npu", None)
    facts: dict[str, Any] = {
        "name": _name_of(item),
        "covers": _marked(item, "covers"),
        "needs": _marked(item, "needs"),
    }
    if call.when == "call" and device is not None:
        facts["virtual_seconds"] = round(device.session.now(), 6)
        if report.failed or item.config.getoption("--npu-record"):
            from .story import tell

            events = device.session.events()
            facts["events"] = [event.as_json() for event in events]
            if report.failed:
                report.sections.append((_STORY, tell(events)))
    if report.failed and call.excinfo is not None:
        facts["failure"] = str(call.excinfo.value) or call.excinfo.typename
        facts["where"] = _where(item, call.excinfo)
    # Extra attributes of a report travel to xdist's controller with it.
    setattr(report, REPORT_ATTRIBUTE, facts)
    return report


def _where(item: pytest.Item, error: pytest.ExceptionInfo[BaseException]) -> str:
    """The scenario's own line that failed."""
    for entry in reversed(error.traceback):
        if str(entry.path) == str(item.path):
            return f"{item.path.name}:{entry.lineno + 1}: {str(entry.statement).strip()}"
    return ""
