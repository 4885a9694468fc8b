"""A failure, found again in its story."""

from __future__ import annotations

import pytest

from harness.backend import NewsAbout, ScenarioFailure
from harness.divergence import Divergence, divergence_of
from harness.record import Event, JsonValue
from harness.vocabulary import BUDGET, CAN_LOAD_NOW, COMPLETE, GREATER_THAN_2G, WAIT_FOR_UNLOAD, Npu
from tests.harness.kit import open_npu


def failure_in(npu: Npu) -> ScenarioFailure:
    npu.policy(BUDGET)
    holder, other = npu.app("album").in_foreground(), npu.app("assistant").in_background()
    holder.request(GREATER_THAN_2G).load()
    other.request()
    with pytest.raises(ScenarioFailure) as caught:
        other.request(GREATER_THAN_2G).expect(CAN_LOAD_NOW)
    return caught.value


def test_news_that_were_wrong_are_the_event_in_which_they_came() -> None:
    npu = open_npu()
    found = divergence_of(failure_in(npu), events := npu.session.events())
    assert (found.expected, found.actual) == (
        "onCanLoadModel(CAN_LOAD_NOW)",
        "onCanLoadModel(NOT_PRIORITIZED)",
    )
    assert found.event is not None
    event = events[found.event]
    # The app's first request has heard the same, before.
    assert (event.receiver, event.target) == ("assistant", "assistant's IModelLoadCallback #2")
    assert found == Divergence.from_json(found.as_json())


def test_second_news_are_counted_for_the_request_by_itself() -> None:
    npu = open_npu()
    npu.policy(BUDGET)
    held = npu.app("album").in_background().request(GREATER_THAN_2G).load()
    npu.app("assistant").in_foreground().request(GREATER_THAN_2G).expect(WAIT_FOR_UNLOAD)
    with pytest.raises(ScenarioFailure) as caught:
        held.expect_complete(COMPLETE)
    found = divergence_of(caught.value, events := npu.session.events())
    assert found.event is not None
    assert events[found.event].method == "IModelLoadCallback.onRequestUnloadModel"


def test_news_that_did_not_come_have_no_event_but_an_app() -> None:
    npu = open_npu()
    request = npu.app("album").request().load()
    with pytest.raises(ScenarioFailure) as caught:
        request.expect_unload_request()
    found = divergence_of(caught.value, npu.session.events())
    assert (found.app, found.event) == ("album", None)
    assert found.actual == "nothing; the last answer was onCanLoadModel(CAN_LOAD_NOW)"


def test_failure_that_is_about_no_news_is_nobodys() -> None:
    found = divergence_of(ScenarioFailure("x", expected="a", actual="b"), [])
    assert found == Divergence("a", "b")
    assert found.as_json() == {"expected": "a", "actual": "b"}


def test_request_that_is_not_in_the_story_has_no_event() -> None:
    failure = ScenarioFailure("x", expected="a", actual="b", news=NewsAbout("album", 1, 0))
    assert divergence_of(failure, []).event is None


GET, GOT = "INpuAllocator.getBuffers", "INpuAllocatorCallback.onGetBuffer"
LOADED = "INpuAllocatorCallback.onLoad"


def wants(*ids: int) -> Event:
    requests: list[JsonValue] = [{"appReqId": number} for number in ids]
    return Event(0, "album", "system_server", GET, {"requests": requests})


def told(method: str, number: int, app: str = "album") -> Event:
    return Event(0, "system_server", app, method, {"appReqId": number})


@pytest.mark.parametrize(
    ("buffer", "number", "event"),
    [(1, 0, 3), (2, 0, 2), (1, 1, 5), (1, 2, None), (7, 0, None), (None, 0, None)],
)
def test_news_of_a_buffer_are_counted_by_its_id(buffer: int | None, number: int, event: int | None) -> None:
    story = [
        wants(1, 2),
        told(GOT, 1, "camera"),
        told(GOT, 2),
        told(GOT, 1),
        told(LOADED, 2),
        told(LOADED, 1),
    ]
    news = NewsAbout("album", buffer, number, is_buffer=True)
    failure = ScenarioFailure("x", expected="a", actual="b", news=news)
    assert divergence_of(failure, story) == Divergence("a", "b", "album", event)


def test_news_of_a_buffer_are_counted_from_the_latest_request_for_it() -> None:
    story = [wants(1), told(GOT, 1), wants(1), told(GOT, 1)]
    news = NewsAbout("album", 1, 0, is_buffer=True)
    assert divergence_of(ScenarioFailure("x", expected="a", actual="b", news=news), story).event == 3
