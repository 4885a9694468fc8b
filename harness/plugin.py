"""How pytest plays scenarios: the `npu` fixture, skips for what a backend lacks, and the story of a failure.

pytest loads this through its entry point; it costs nothing to runs that use no scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

import pytest

from .names import matches, scenario_name

if TYPE_CHECKING:
    from .backend import Backend
    from .record import Event
    from .vocabulary import Npu

T = TypeVar("T")

_STORY = "What happened"
REPORT_ATTRIBUTE = "npu"
_RESOURCES = pytest.StashKey[tuple[int, ...]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("npukit")
    group.addoption("--npu-backend", default="reference", help="where scenarios are played (reference)")
    group.addoption("--npu-devices", default="", help="which devices to use, as JSON")
    group.addoption("--npu-seed", type=int, default=0, help="chooses what may happen in any order (0)")
    group.addoption("--npu-policy", metavar="FILE.py:CLASS", help="a policy to try in place of Budget")
    group.addoption(
        "--npu-select", action="append", default=[], help="a scenario's name, or a glob of names; repeatable"
    )
    group.addoption("--npu-record", action="store_true", help="keep the events of passed scenarios too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "covers(*rules): the public rules that a scenario covers")
    config.addinivalue_line("markers", "needs(*capabilities): what a backend must offer for a scenario")


def _name_of(item: pytest.Item) -> str:
    function = getattr(item, "originalname", None) or item.name
    return scenario_name(item.path.stem, function, item.name.partition("[")[2].removesuffix("]"))


def _marked(item: pytest.Item, marker: str) -> list[str]:
    return [str(value) for mark in item.iter_markers(marker) for value in mark.args]


def _is_scenario(item: pytest.Item) -> bool:
    return "npu" in getattr(item, "fixturenames", ())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    patterns = config.getoption("--npu-select")
    if not patterns:
        return
    kept: list[pytest.Item] = []
    dropped: list[pytest.Item] = []
    for item in items:
        (kept if matches(_name_of(item), patterns) else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


@pytest.fixture(scope="session")
def npu_backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """The backend that `--npu-backend` names."""
    from .backend import BackendUnusable
    from .backends import BACKENDS, open_backend
    from .on_device.options import DeviceOptions
    from .resources import measure

    before = measure()
    name = request.config.getoption("--npu-backend")
    if name not in BACKENDS:
        raise pytest.UsageError(f"there is no backend {name!r}; there is: {', '.join(BACKENDS)}")
    try:
        backend = open_backend(
            name,
            request.config.getoption("--npu-policy"),
            DeviceOptions.parse(request.config.getoption("--npu-devices")),
        )
        backend.check()
    except BackendUnusable as error:
        raise pytest.UsageError(str(error)) from None
    try:
        yield backend
    finally:
        backend.close()
        after = measure()
        if before and after:
            request.config.stash[_RESOURCES] = (*before, *after)


@pytest.fixture
def npu(request: pytest.FixtureRequest, npu_backend: Backend) -> Iterator[Npu]:
    """A device with an NPU, in its first state."""
    from .vocabulary import Npu

    # For JUnit files.
    for key in ("covers", "needs"):
        request.node.user_properties.append((key, "; ".join(_marked(request.node, key))))
    if missing := sorted(set(_marked(request.node, "needs")) - npu_backend.capabilities):
        from .backend import CAPABILITIES

        known: dict[str, str] = getattr(npu_backend, "why_not", {})
        reasons = "; ".join(f"{name}: {known.get(name, CAPABILITIES[name])}" for name in missing)
        pytest.skip(f"the {npu_backend.name} backend lacks {reasons}")
    # Every scenario has a seed of its own, whatever others are run with it.
    seed = crc32(_name_of(request.node).encode()) ^ request.config.getoption("--npu-seed")
    session = npu_backend.open(seed)
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
    if _is_scenario(item):
        # Extra attributes of a report travel to xdist's controller with it.
        setattr(report, REPORT_ATTRIBUTE, _facts(item, call, report))
    return report


def _facts(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> dict[str, Any]:
    """What a report should say beyond what pytest knows."""
    facts: dict[str, Any] = {
        "name": _name_of(item),
        "covers": _marked(item, "covers"),
        "needs": _marked(item, "needs"),
    }
    if call.when == "teardown" and (resources := item.config.stash.get(_RESOURCES, None)):
        # With the last scenario the backend is closed.
        facts["resources"] = resources
    device: Npu | None = getattr(item, "npu", None)
    if call.when == "call" and device is not None:
        facts["virtual_seconds"] = round(device.session.now(), 6)
        facts["apps"] = device.uids
        if report.failed or item.config.getoption("--npu-record"):
            from .story import tell

            nothing: list[Event] = []
            events = _asked(device.session.events, nothing)
            facts["events"] = [event.as_json() for event in events]
            if report.failed:
                report.sections.append((_STORY, tell(events)))
                facts["evidence"] = _asked(device.session.evidence, dict[str, str]())
                facts |= _divergence(call.excinfo, events)
        if place := _asked(device.session.place, dict[str, str]()):
            facts["device"] = place
    if report.failed and call.excinfo is not None:
        from .backend import ScenarioFailure

        message, kind = str(call.excinfo.value), call.excinfo.typename
        broken_rule = call.excinfo.errisinstance(ScenarioFailure)
        facts["failure"] = message if broken_rule else f"{kind}: {message}" if message else kind
        facts["is_fault"] = not broken_rule
        facts["where"] = _where(item, call.excinfo)
    return facts


def _divergence(error: pytest.ExceptionInfo[BaseException] | None, events: list[Event]) -> dict[str, Any]:
    """What a broken rule says of where it was broken."""
    from .backend import ScenarioFailure
    from .divergence import divergence_of

    failure = error.value if error is not None else None
    if not isinstance(failure, ScenarioFailure) or not failure.expected:
        return {}
    return {"divergence": divergence_of(failure, events).as_json()}


def _asked(ask: Callable[[], T], otherwise: T) -> T:
    """What a session answers, if it still does: its device may be what failed."""
    try:
        return ask()
    except Exception:
        return otherwise


def _where(item: pytest.Item, error: pytest.ExceptionInfo[BaseException]) -> str:
    """The scenario's own line that failed."""
    for entry in reversed(error.traceback):
        if str(entry.path) == str(item.path):
            return f"{item.path.name}:{entry.lineno + 1}: {str(entry.statement).strip()}"
    return ""
