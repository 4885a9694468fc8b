"""How long a page of 500 scenarios and 50,000 events takes until it can be used, and a plain table."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from html import escape
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Browser, Page, sync_playwright

from harness.page import page_of
from harness.record import event_from_json
from harness.run import Run
from harness.story import line
from tests.harness.page.runs import large

ROUNDS = 5


def plain(run: Run) -> str:
    """The peer: the same events as rows of a table, and no script."""
    rows = (
        f"<tr><td>{escape(result.name)}<td>{escape(line(event_from_json(event)))}"
        for result in run.results
        for event in result.events
    )
    return f"<!doctype html><meta charset=utf-8><table>{''.join(rows)}</table><p id=shown>shown</p>"


def opened(browser: Browser, path: Path, use: Callable[[Page], None]) -> float:
    """Seconds from the address to a page that has been used."""
    page = browser.new_page()
    start = perf_counter()
    page.goto(path.as_uri())
    use(page)
    taken = perf_counter() - start
    page.close()
    return taken


def _look(page: Page) -> None:
    page.locator("#shown").wait_for()


def _open_last(page: Page) -> None:
    page.locator("#shown").wait_for()
    page.locator(".scenario h3 button").last.click()
    page.locator(".scroller .event").first.wait_for()


def main() -> None:
    run = large()
    start = perf_counter()
    text = page_of(run)
    made = perf_counter() - start
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        ours, table = Path(folder, "page.html"), Path(folder, "table.html")
        ours.write_text(text, encoding="utf-8")
        table.write_text(plain(run), encoding="utf-8")
        times: dict[str, list[float]] = {"page": [], "page, and its last scenario opened": [], "table": []}
        for _ in range(ROUNDS):
            times["page"].append(opened(browser, ours, _look))
            times["page, and its last scenario opened"].append(opened(browser, ours, _open_last))
            times["table"].append(opened(browser, table, _look))
        browser.close()
    peer = median(times["table"])
    print(f"made in {made:.2f} s, {len(text) / 1e6:.1f} MB")
    for name, taken in times.items():
        print(f"{name:36} {median(taken):6.2f} s   {median(taken) / peer:5.2f} of the table")


if __name__ == "__main__":
    main()
