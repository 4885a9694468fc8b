"""Template, style, scripts and data, packed into one file that needs no other."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..report import summary
from ..run import Run
from .data import index_of, story_of

FOLDER = Path(__file__).parent
SCRIPTS = "dom format place layout drawing timeline details section overview list keys main".split()
"""The parts of the script, each after those that it uses."""
STYLES = "page timeline".split()


def page_of(run: Run) -> str:
    """The page. Whatever a run says, it is shown as text and never becomes a part of the page."""
    style, script = _style(), _script()
    return (
        _templates()
        .get_template("page.html.j2")
        .render(
            title=summary(run),
            style=Markup(style),
            style_hash=_hash(style),
            script=Markup(script),
            script_hash=_hash(script),
            index=_data(index_of(run)),
            stories=[_data(story_of(result)) for result in run.results],
        )
    )


def _data(value: Any) -> Markup:
    """JSON that can stand in a script element: nothing in it ends that, or begins a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _hash(text: str) -> str:
    """By which the page's policy knows its own style and script, and refuses any other."""
    return b64encode(sha256(text.encode()).digest()).decode()


@cache
def _style() -> str:
    return "\n".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)


@cache
def _script() -> str:
    parts = [(FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(FOLDER)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
