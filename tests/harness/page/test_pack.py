"""The one file that a page is."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from harness.page import page_of
from harness.page.pack import FOLDER, SCRIPTS, STYLES
from tests.harness.conftest import Command

from .runs import SAMPLE, hostile, sample

LONGEST_LINE = 120
SOURCES = (".js", ".css", ".j2")

MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function")
"""By which a text could become a part of the page."""


class Elements(HTMLParser):
    """Which elements a page has, as a browser without scripts sees it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def counted(self) -> dict[str, int]:
        tags = [tag for tag, _ in self.found]
        return {tag: tags.count(tag) for tag in set(tags)}


def test_every_script_and_style_is_packed() -> None:
    assert {path.stem for path in FOLDER.glob("*.js")} == set(SCRIPTS)
    assert {path.stem for path in FOLDER.glob("*.css")} == set(STYLES)


def test_page_names_no_other_file_and_no_address() -> None:
    elements = Elements(page_of(sample())).found
    assert [attributes["src"] for _, attributes in elements if "src" in attributes] == []
    links = [attributes["href"] for _, attributes in elements if "href" in attributes]
    assert all(link and link.startswith(("#", "data:")) for link in links)
    sources = "".join(path.read_text() for path in FOLDER.iterdir() if path.suffix in SOURCES)
    assert set(re.findall(r"https?://[^\"' ]+", sources)) == {"http://www.w3.org/2000/svg"}


def test_policy_allows_this_script_and_style_only() -> None:
    (policy,) = [a["content"] for tag, a in Elements(page_of(sample())).found if "http-equiv" in a]
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_hostile_run_adds_no_element() -> None:
    plain, attacked = sample(), hostile()
    plain.results, before = plain.results[:1], plain.results
    try:
        assert Elements(page_of(attacked)).counted() == Elements(page_of(plain)).counted()
    finally:
        plain.results = before


def test_data_survives_being_packed() -> None:
    page = page_of(hostile())
    (index,) = re.findall(r'<script type="application/json" id="index">(.*?)</script>', page)
    assert json.loads(index)["scenarios"][0]["reason"] == hostile().results[0].reason


def test_no_script_sets_markup() -> None:
    for name in SCRIPTS:
        text = (FOLDER / f"{name}.js").read_text()
        assert not MARKUP.search(text), name


def test_run_writes_a_page(harness: Command, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = harness("run", "turn_taking.foreground_takes_the_turn", "--html", str(path))
    assert done.code == 0, done.err
    page = path.read_text()
    assert "1 scenario on reference: 1 passed" in page
    assert "canLoadModel" in page


def test_page_is_made_of_a_record(harness: Command, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert harness("page", str(SAMPLE), "-o", str(path)).code == 0
    assert path.read_text() == page_of(sample())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["README.md", "-o", "{tmp}/page.html"], "README.md is no record of a run"),
        (["{tmp}/none.json", "-o", "{tmp}/page.html"], "cannot read {tmp}/none.json: No such file"),
        ([str(SAMPLE), "-o", "{tmp}/none/page.html"], "there is no folder"),
        ([str(SAMPLE), "-o", str(SAMPLE)], "would write the page over"),
    ],
)
def test_mistake_is_one_sentence(
    harness: Command, tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = harness("page", *(argument.replace("{tmp}", str(tmp_path)) for argument in arguments))
    assert done.code == 2
    assert message.replace("{tmp}", str(tmp_path)) in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir() if path.suffix in SOURCES))
def test_parts_are_short_enough_to_be_read_in_one_go(name: str) -> None:
    lines = (FOLDER / name).read_text().splitlines()
    assert len(lines) <= 200
    assert name.endswith("j2") or [line for line in lines if len(line) > LONGEST_LINE] == []
