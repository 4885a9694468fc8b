"""A request in a scenario: what it hears is compared with what was wanted, and nothing gets lost."""

from __future__ import annotations

import pytest

from harness.backend import ScenarioFailure
from harness.requests import CAN_LOAD_NOW, CANCELLED, COMPLETE, NOT_PRIORITIZED, WAIT_FOR_UNLOAD, Request
from harness.vocabulary import GREATER_THAN_2G, STATUS_QUO

from .kit import open_npu


@pytest.fixture
def request_() -> Request:
    """A request that has heard nothing yet; tests call its callback themselves."""
    npu = open_npu()
    npu.policy(STATUS_QUO)
    request = npu.app("album").request(GREATER_THAN_2G)
    request.expect(CAN_LOAD_NOW)
    request._last_answer = None
    return request


def test_failed_expect_names_what_was_wanted_and_what_was_heard(request_: Request) -> None:
    request_.callback.onCanLoadModel(NOT_PRIORITIZED)
    with pytest.raises(ScenarioFailure) as failure:
        request_.expect(WAIT_FOR_UNLOAD)
    assert str(failure.value) == (
        "album's request 1 (GREATER_THAN_2G) should hear onCanLoadModel(WAIT_FOR_UNLOAD), "
        "but heard onCanLoadModel(NOT_PRIORITIZED)"
    )


def test_expect_of_what_never_comes_says_that_nothing_was_heard(request_: Request) -> None:
    with pytest.raises(ScenarioFailure, match="should hear onRequestUnloadModel, but heard nothing"):
        request_.expect_unload_request()


def test_expect_of_what_never_comes_recalls_the_last_answer(request_: Request) -> None:
    request_.callback.onCanLoadModel(NOT_PRIORITIZED)
    request_.expect(NOT_PRIORITIZED)
    with pytest.raises(ScenarioFailure, match=r"heard nothing; the last answer was .*NOT_PRIORITIZED"):
        request_.expect(CAN_LOAD_NOW)


def test_repeated_answer_is_no_news(request_: Request) -> None:
    for _ in range(3):
        request_.callback.onCanLoadModel(NOT_PRIORITIZED)
    request_.expect(NOT_PRIORITIZED).expect_nothing()
    request_.callback.onCanLoadModel(NOT_PRIORITIZED)
    request_.callback.onCanLoadModel(CAN_LOAD_NOW)
    request_.expect(CAN_LOAD_NOW)
    assert request_.unread() is None


def test_answer_that_returns_after_another_is_news(request_: Request) -> None:
    for status in (NOT_PRIORITIZED, CAN_LOAD_NOW, NOT_PRIORITIZED):
        request_.callback.onCanLoadModel(status)
    request_.expect(NOT_PRIORITIZED).expect(CAN_LOAD_NOW)
    with pytest.raises(ScenarioFailure, match="should hear nothing more"):
        request_.expect_nothing()


def test_repeated_unload_request_is_news(request_: Request) -> None:
    request_.callback.onRequestUnloadModel()
    request_.callback.onRequestUnloadModel()
    request_.expect_unload_request()
    with pytest.raises(ScenarioFailure, match="nothing more, but heard onRequestUnloadModel"):
        request_.expect_nothing()


def test_news_is_taken_in_order(request_: Request) -> None:
    request_.callback.onRequestUnloadModel()
    request_.callback.onModelLoadRequestComplete(COMPLETE)
    with pytest.raises(ScenarioFailure, match="but heard onRequestUnloadModel"):
        request_.expect_complete(COMPLETE)


def test_unknown_status_is_shown_as_a_number(request_: Request) -> None:
    request_.callback.onCanLoadModel(77)
    with pytest.raises(ScenarioFailure, match=r"heard onCanLoadModel\(status 77\)"):
        request_.expect(CAN_LOAD_NOW)


def test_unknown_size_is_shown_as_a_number() -> None:
    npu = open_npu()
    assert "(7)" in str(npu.app("album").request(7)) or "7" in str(npu.app("camera").request(7))


def test_load_in_the_end_takes_an_intermediate_wait(request_: Request) -> None:
    request_.callback.onCanLoadModel(WAIT_FOR_UNLOAD)
    request_.callback.onCanLoadModel(CAN_LOAD_NOW)
    request_.load_in_the_end()


def test_load_in_the_end_does_not_take_a_refusal(request_: Request) -> None:
    request_.callback.onCanLoadModel(NOT_PRIORITIZED)
    with pytest.raises(ScenarioFailure, match="NOT_PRIORITIZED"):
        request_.load_in_the_end()


@pytest.mark.parametrize("news", [None, CANCELLED])
def test_may_be_complete_takes_the_end_or_silence(request_: Request, news: int | None) -> None:
    if news is not None:
        request_.callback.onModelLoadRequestComplete(news)
    request_.may_be_complete(CANCELLED).expect_nothing()


def test_may_be_complete_takes_nothing_else(request_: Request) -> None:
    request_.callback.onRequestUnloadModel()
    with pytest.raises(ScenarioFailure, match="but heard onRequestUnloadModel"):
        request_.may_be_complete(CANCELLED)


def test_is_asked_to_unload_looks_without_taking(request_: Request) -> None:
    assert not request_.is_asked_to_unload()
    request_.callback.onRequestUnloadModel()
    assert request_.is_asked_to_unload()
    request_.expect_unload_request()
