"""Our compiler and Google's make the same of the corpus: what they accept, and all that comes of it."""

from __future__ import annotations

from functools import cache

import pytest

from . import google
from .agreement import Compiled, api_differences, compile_ours, differences
from .corpus_files import ACCEPTED, CORPUS, DIFFERENCES, REFUSED, files, options, refused_files
from .disagreements import DISAGREEMENTS, Disagreement, Kind, known
from .google import Verdict

with_google = pytest.mark.aidl(newest=True)


@cache
def ours(topic: str) -> Compiled:
    return compile_ours(CORPUS / topic, files(topic), options(topic))


@cache
def theirs(topic: str) -> Verdict:
    return google.java(CORPUS / topic, files(topic), options(topic))


def unknown(found: list[str]) -> list[str]:
    return [text for text in found if not known(Kind.DIFFERENT, text)]


@cache
def their_refusals() -> dict[tuple[str, str], Verdict]:
    found: dict[tuple[str, str], Verdict] = {}
    for topic in REFUSED:
        verdicts = google.each(CORPUS / topic, files(topic), options(topic))
        found.update({(topic, file): verdict for file, verdict in verdicts.items()})
    return found


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    assert sum(len(files(topic)) for topic in ACCEPTED) >= 300
    assert len(refused_files()) >= 80


@pytest.mark.parametrize("topic", ACCEPTED)
def test_we_accept(topic: str) -> None:
    assert ours(topic).accepted, ours(topic).text


@pytest.mark.parametrize(("topic", "file"), refused_files())
def test_we_refuse(topic: str, file: str) -> None:
    compiled = compile_ours(CORPUS / topic, [file], options(topic))
    assert not compiled.accepted
    assert file in compiled.text


@with_google
@pytest.mark.parametrize("topic", ACCEPTED)
def test_google_accepts_with_the_same_codes_values_and_calls(topic: str) -> None:
    assert theirs(topic).accepted, theirs(topic).messages
    assert unknown(differences(ours(topic).program, theirs(topic).java)) == []


@with_google
@pytest.mark.parametrize("topic", ACCEPTED)
def test_google_has_the_same_snapshots(topic: str) -> None:
    snapshots = google.dump_api(CORPUS / topic, files(topic), options(topic))
    assert unknown(api_differences(ours(topic).program, snapshots)) == []


@with_google
def test_google_refuses_too() -> None:
    verdicts = their_refusals()
    assert [file for file in refused_files() if verdicts[file].accepted] == []


@with_google
@pytest.mark.parametrize("row", DISAGREEMENTS, ids=lambda row: row.name)
def test_a_disagreement_is_still_one(row: Disagreement) -> None:
    compiled = compile_ours(CORPUS / DIFFERENCES, [row.file], options(DIFFERENCES))
    verdict = google.java(CORPUS / DIFFERENCES, [row.file], options(DIFFERENCES))
    match row.kind:
        case Kind.WE_ACCEPT:
            assert compiled.accepted, compiled.text
            assert not verdict.accepted
            found = verdict.errors
        case Kind.WE_REFUSE:
            assert verdict.accepted, verdict.messages
            assert not compiled.accepted
            found = compiled.errors
        case Kind.DIFFERENT:
            assert compiled.accepted, compiled.text
            assert verdict.accepted, verdict.messages
            found = differences(compiled.program, verdict.java)
            snapshots = google.dump_api(CORPUS / DIFFERENCES, [row.file], options(DIFFERENCES))
            found += api_differences(compiled.program, snapshots)
    assert found
    assert [text for text in found if not row.describes(text)] == []


def test_every_file_with_a_difference_has_its_row() -> None:
    assert sorted(row.file for row in DISAGREEMENTS) == files(DIFFERENCES)
