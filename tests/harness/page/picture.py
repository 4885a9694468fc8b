"""Draws the picture of README anew: `python -m tests.harness.page.picture`. Needs chromium."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from harness.page import page_of
from harness.run import play
from tests.harness.command import ROOT

SCENARIO = "turn_taking.foreground_takes_the_turn"
PICTURE = ROOT / "docs" / "timeline.png"


def draw() -> None:
    """Plays the scenario, and takes a picture of the end of its timeline."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder, "page.html")
        page_file.write_text(page_of(play([SCENARIO], seed=7, record=True)), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 800}, device_scale_factor=1.5)
        page.goto(f"{page_file.as_uri()}#scenario={SCENARIO}")
        # What the story ends with; what the HAL is told at its beginning is not of interest.
        page.locator(".scroller").evaluate("box => { box.scrollLeft = box.scrollWidth; }")
        page.locator("[data-event='17']").wait_for()
        page.locator(".timeline").screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    draw()
