"""A real browser: Debian's chromium, driven through playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Without a sandbox, which root's processes cannot have, and without any network."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--proxy-server=127.0.0.1:1"]
        )
        yield browser
        browser.close()


class Reader:
    """Somebody who looks at pages, and remembers what the browser complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.fetched: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.fetched.append(request.url))
        page.set_default_timeout(10_000)

    def names(self) -> list[str]:
        """The scenarios that are listed."""
        return self.page.locator("#scenarios .name").all_text_contents()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    reader = Reader(context.new_page())
    yield reader
    context.close()
    assert reader.complaints == []
