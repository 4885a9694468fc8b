"""The page as a browser shows it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, expect

from harness.divergence import Divergence
from harness.page import page_of

from .conftest import Reader
from .runs import HOSTILE, hostile, large, result_named, sample, write_page

pytestmark = pytest.mark.browser

WRONG = "sample.is_wrong_about_the_answer"
TURN = "sample.takes_the_turn"

# Generous: what it takes on two cores that are busy with other things. bench_page has the figure.
SECONDS_TO_OPEN = 10.0


@pytest.fixture
def address(tmp_path: Path) -> str:
    return write_page(sample(), tmp_path)


def test_opens_from_disk_and_fetches_nothing(reader: Reader, address: str) -> None:
    reader.page.goto(address)
    title = "4 scenarios on reference: 1 passed, 2 failed, 1 skipped"
    expect(reader.page.locator("h1")).to_contain_text(title)
    assert len(reader.names()) == 4
    assert {url for url in reader.fetched if not url.startswith("data:")} == {address}


def test_overview_has_failures_rules_slowest_and_environment(reader: Reader, address: str) -> None:
    reader.page.goto(address)
    overview = reader.page.locator("#overview")
    expect(overview.locator(".failures li")).to_have_count(2)
    expect(overview).to_contain_text("service beyond CTS: 1 of ")
    expect(overview.locator(".slowest li").first).to_contain_text(TURN)
    expect(overview).to_contain_text("emulator-5554")
    overview.locator(".failures a", has_text=WRONG).click()
    expect(reader.page.locator(".scenario.open h3")).to_contain_text(WRONG)


def test_search_takes_words_of_names_rules_apps_and_calls(reader: Reader, address: str) -> None:
    reader.page.goto(address)
    for words, found in (
        ("takes_the", [TURN]),
        ("every size weighs", [TURN]),
        ("assistant notifyModelUnloaded", [TURN]),
        ("patience", ["sample.is_skipped"]),
        ("nothing has this", []),
    ):
        reader.page.fill("#search", words)
        assert reader.names() == found
    expect(reader.page.locator("#scenarios")).to_have_text("No scenario fits.")
    expect(reader.page.locator("#shown")).to_have_text("0 of 4 scenarios")


def test_filter_and_order_are_in_the_address_and_come_back_with_it(reader: Reader, address: str) -> None:
    reader.page.goto(address)
    reader.page.click(".chip.failed")
    reader.page.select_option("#order", "slowest")
    failed = reader.names()
    assert sorted(failed) == ["sample.is_refused", WRONG]
    where = reader.page.url
    reader.page.goto("about:blank")
    reader.page.goto(where)
    assert reader.names() == failed
    reader.page.click(".chip.failed")
    assert len(reader.names()) == 4


def test_link_to_an_event_opens_it(reader: Reader, address: str) -> None:
    reader.page.goto(f"{address}#scenario={TURN}&event=5")
    expect(reader.page.locator(".scenario.open h3")).to_contain_text(TURN)
    expect(reader.page.locator(".details")).to_contain_text("onCanLoadModel")
    expect(reader.page.locator("[data-event='5'].chosen")).to_be_visible()


def test_link_leads_to_its_scenario_among_many_and_reloading_leads_there_again(
    reader: Reader, tmp_path: Path
) -> None:
    reader.page.goto(f"{write_page(large(events=3), tmp_path)}#scenario=large.scenario_333&event=2")
    heading = reader.page.locator(".scenario.open h3")
    expect(heading).to_contain_text("large.scenario_333")
    expect(heading).to_be_in_viewport()
    expect(reader.page.locator("[data-event='2'].chosen")).to_be_in_viewport()
    reader.page.reload()
    expect(heading).to_be_in_viewport()
    reader.page.evaluate("location.hash = '#scenario=large.scenario_77'")
    expect(heading.first).to_contain_text("large.scenario_77")
    expect(heading.first).to_be_in_viewport()


def test_failure_is_marked_where_it_happened_with_both_sides(reader: Reader, address: str) -> None:
    reader.page.goto(f"{address}#scenario={WRONG}")
    sides = reader.page.locator(".scenario.open .side pre")
    assert sides.all_inner_texts() == ["onCanLoadModel(CAN_LOAD_NOW)", "onCanLoadModel(NOT_PRIORITIZED)"]
    diverging = reader.page.locator(".event.diverging")
    expect(diverging).to_have_count(1)
    expect(diverging).to_be_visible()
    expect(diverging).to_contain_text("NOT_PRIORITIZED")
    expect(reader.page.locator(".failure")).to_be_visible()
    expect(reader.page.locator(".details")).to_contain_text("IModelLoadCallback.onCanLoadModel")


def test_failure_for_want_of_news_is_marked_at_the_end_of_its_app(reader: Reader, tmp_path: Path) -> None:
    wrong = result_named(WRONG)
    waits = replace(wrong, divergence=Divergence("onRequestUnloadModel", "nothing", "assistant"))
    reader.page.goto(f"{write_page(replace(sample(), results=[waits]), tmp_path)}#scenario={WRONG}")
    expect(reader.page.locator(".failure text")).to_have_text("✗ failed here")
    expect(reader.page.locator(".failure .missing")).to_be_visible()
    expect(reader.page.locator(".event.diverging")).to_have_count(0)


def test_timeline_has_lanes_states_and_budget(reader: Reader, address: str) -> None:
    reader.page.goto(f"{address}#scenario={TURN}")
    lanes = reader.page.locator(".lane-name b").all_inner_texts()
    assert lanes == ["album", "assistant", "shell", "system_server", "npu-hal"]
    reader.page.locator(".scroller").press("End")
    expect(reader.page.locator(".span.UNLOADING")).to_have_count(1)
    expect(reader.page.locator(".levels.service .reserved").first).to_be_attached()
    expect(reader.page.locator(".levels.service")).to_contain_text("budget 1 of 1")


def test_pointing_at_an_event_tells_its_arguments(reader: Reader, address: str) -> None:
    reader.page.goto(f"{address}#scenario={TURN}")
    reader.page.locator("[data-event='4'] .start").hover()
    details = reader.page.locator(".details")
    expect(details).to_contain_text("INpuManagerService.canLoadModel")
    expect(details).to_contain_text("size: GREATER_THAN_2G")
    expect(details).to_contain_text("album's IModelLoadCallback #1")


def test_keyboard_is_enough(reader: Reader, address: str) -> None:
    page = reader.page
    page.goto(address)
    press = page.keyboard.press
    press("/")
    page.keyboard.type("sample")
    press("Escape")
    expect(page.locator(":focus")).to_contain_text("sample.is_refused")
    press("n")
    expect(page.locator(".scenario.open h3")).to_contain_text(WRONG)
    page.keyboard.press("j")
    expect(page.locator(":focus")).to_contain_text(TURN)
    press("Enter")
    for _ in range(6):  # over whatever can be focused, to the timeline
        if page.locator(".scroller:focus").count():
            break
        press("Tab")
    expect(page.locator(".scroller:focus")).to_have_count(1)
    press("End")
    expect(page.locator(".details").last).to_contain_text("INpuAllocator.isSupported")
    press("ArrowLeft")
    expect(page.locator(".details").last).to_contain_text("notifyModelLoaded")
    assert re.search(r"event=\d+", page.url)
    press("-")
    press("+")
    press("Escape")
    expect(page.locator(":focus")).to_contain_text(TURN)
    press("Enter")
    expect(page.locator(".scenario.open h3")).to_have_count(1)


def test_list_of_events_has_every_event(reader: Reader, address: str) -> None:
    reader.page.goto(f"{address}#scenario={TURN}")
    reader.page.locator("summary", has_text="as a list").click()
    rows = reader.page.locator(".events-list li")
    expect(rows).to_have_count(19)
    rows.nth(4).locator("button").click()
    expect(reader.page.locator(".details")).to_contain_text("canLoadModel")


def test_hostile_texts_stay_texts(reader: Reader, tmp_path: Path) -> None:
    reader.page.goto(write_page(hostile(), tmp_path))
    reader.page.locator(".scenario button").first.click()
    reader.page.locator("summary", has_text="as a list").click()
    expect(reader.page.locator(".scenario .name").first).to_have_text(f"sample.{HOSTILE}")
    expect(reader.page.locator(".broken .side pre").first).to_have_text(HOSTILE)
    reader.page.locator(".scroller").press("ArrowRight")
    assert reader.page.title() != "broken into"
    assert reader.page.locator("img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]  # a literal there
    page = context.new_page()
    page.goto(f"{address}#scenario={WRONG}")
    for name in ("--ink", "--soft", "--good", "--bad", "--skip", "--link", "--call", "--callback"):
        ratio = page.evaluate(CONTRAST, [name, "--card"])
        assert ratio >= 4.5, f"{name} on --card in {scheme}: {ratio:.2f}"
    context.close()


# By the definition of WCAG 2: relative luminance of both colours, and their ratio.
CONTRAST = """([front, back]) => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const probe = document.createElement("canvas").getContext("2d");
    probe.fillStyle = style.getPropertyValue(name).trim();
    const parts = [1, 3, 5].map((at) => parseInt(probe.fillStyle.slice(at, at + 2), 16) / 255);
    const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}"""


def test_phone_shows_everything_without_scrolling_sideways(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.goto(f"{address}#scenario={WRONG}")
    expect(page.locator(".event.diverging")).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    context.close()


def test_large_run_opens_soon_and_draws_only_what_is_in_sight(reader: Reader, tmp_path: Path) -> None:
    run = large()
    assert sum(len(result.events) for result in run.results) == 50_000
    address = write_page(run, tmp_path)
    began = monotonic()
    reader.page.goto(address)
    expect(reader.page.locator("#shown")).to_have_text("500 of 500 scenarios")
    reader.page.fill("#search", "scenario_499")
    reader.page.locator(".scenario button").click()
    expect(reader.page.locator(".scroller svg")).to_be_visible()
    assert monotonic() - began < SECONDS_TO_OPEN
    assert 0 < reader.page.locator(".event").count() < 100


def test_long_story_draws_what_is_in_sight_wherever_that_is(reader: Reader, tmp_path: Path) -> None:
    reader.page.goto(f"{write_page(large(scenarios=1, events=5000), tmp_path)}#scenario=large.scenario_0")
    reader.page.locator(".scroller").press("End")
    expect(reader.page.locator("[data-event='4999']")).to_be_visible()
    assert reader.page.locator(".event").count() < 400


def test_page_is_the_same_for_the_same_run() -> None:
    assert page_of(sample()) == page_of(sample())
