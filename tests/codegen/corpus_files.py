"""The corpus: AIDL of every construct, in folders by topic, each of them a root for imports."""

from __future__ import annotations

from pathlib import Path

from .google import Options

CORPUS = Path(__file__).parent / "corpus"

# How the files of a topic are compiled, where it is not as most are.
_OPTIONS = {
    "vintf": Options(vintf=True),
    "refused_vintf": Options(vintf=True),
    "unstructured": Options(structured=False),
    "refused": Options(structured=False),
    "differences": Options(structured=False, roots=(".", "../support")),
}
REFUSED = ["refused", "refused_structured", "refused_vintf"]
DIFFERENCES = "differences"
_SUPPORT = "support"  # what the differences import
ACCEPTED = sorted(
    path.name
    for path in CORPUS.iterdir()
    if path.is_dir() and path.name not in (*REFUSED, DIFFERENCES, _SUPPORT)
)


def options(topic: str) -> Options:
    return _OPTIONS.get(topic, Options())


def files(topic: str) -> list[str]:
    """The files of a topic, by their paths below its folder."""
    folder = CORPUS / topic
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.aidl"))


def refused_files() -> list[tuple[str, str]]:
    """Topic and path of every file that must be refused."""
    return [(topic, file) for topic in REFUSED for file in files(topic)]
