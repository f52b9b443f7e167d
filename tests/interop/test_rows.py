"""Pi and pitree agree on the rows of /tree: which, how drawn, what they say, and where the keys lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pitree.outline.filters import FilterMode
from pitree.outline.row_words import Row
from pitree.query.entries.text_store import TextStore
from pitree.session.format.entry_summary import TEXT_LIMIT, tool_calls
from pitree.session.format.entry_type import Kind
from pitree.session.manager.manager import SessionManager
from pitree.text.sanitize import visible
from tests.interop import ours
from tests.interop.conftest import Compared
from tests.interop.differ import differences, short

LONE = re.compile("[\ud800-\udfff]")
HALF = re.compile(r"[\ud800-\udbff](?=(\.\.\.\])?$)")
SPACE_AND_HALF = re.compile(rf" +{HALF.pattern}")


def place_differences(theirs: dict[str, Any], sm: SessionManager, mode: str, where: str) -> Iterator[str]:
    """Entries, indents, selection."""
    outline = ours.Outline(sm, FilterMode(mode))
    rows = list(outline.rows())
    yield from differences(theirs["at"], [row.index for row in rows], f"{where} entries")
    yield from differences(theirs["indent"], [row.indent for row in rows], f"{where} indent")
    selected = outline.index_at(outline.initial_row) if rows else None
    yield from differences(theirs["selected"], selected, f"{where} selected")


def drawn_differences(theirs: dict[str, Any], sm: SessionManager, mode: str, where: str) -> Iterator[str]:
    """What stands before the text: guides, marks of folds and of the path, label; and what can be folded."""
    rows = ours.rows(sm, mode)
    drawn = [line[2:] for line in theirs["front"]]  # the first two cells are Pi's cursor
    yield from differences(drawn, [ours.front(sm, row) for row in rows], f"{where} drawn")
    yield from differences(theirs["foldable"], [row.fold == "open" for row in rows], f"{where} foldable")
    for row in rows:
        label = sm.get_label(row.id)
        if row.label != (None if label is None else visible(label)):
            yield f"{where} label of entry {row.index}: {short(row.label)} is not {short(label)} made safe"


def own_call_only(sm: SessionManager, row: Row) -> bool:
    """Whether a result's call id is used twice: Pi shows the last such call, pitree the one before it."""
    call_id = sm.entry(row.index).record["message"].get("toolCallId")
    calls = [
        call
        for entry in sm.get_entries()
        if entry.role == "assistant"
        for call in tool_calls(entry.record["message"]["content"])
    ]
    return sum(call.get("id") == call_id for call in calls) > 1


def explained(sm: SessionManager, row: Row, theirs: str, mine: str) -> bool:
    """Whether a row's text differs from Pi's only as it is meant to."""
    if row.kind is Kind.UNKNOWN:
        return theirs == "" and mine == f"[{sm.entry(row.index).type}]"
    if row.kind is Kind.LABEL and theirs == "[label: ]":
        return mine == "[label: (cleared)]"
    if row.kind is Kind.TOOL_RESULT and own_call_only(sm, row):
        return True
    # A lone surrogate, which Pi draws as it is, and half a character, which Pi's cut can leave at the end.
    whole = LONE.sub("\ufffd", theirs)
    if mine in (whole, *(LONE.sub("\ufffd", half.sub("", theirs)) for half in (HALF, SPACE_AND_HALF))):
        return True
    # Texts that Pi draws however long they are.
    return units(mine) >= TEXT_LIMIT and whole.startswith(mine.rstrip("]"))


def units(text: str) -> int:
    """Length of a text as JavaScript counts it."""
    return len(text.encode("utf-16-le")) // 2


def text_differences(theirs: dict[str, Any], sm: SessionManager, mode: str, where: str) -> Iterator[str]:
    """What the rows say."""
    for row, said in zip(ours.rows(sm, mode), theirs["text"], strict=True):
        mine = ours.raw_text(sm, row)
        if mine != said and not explained(sm, row, said, mine):
            yield f"{where} text of entry {row.index}: Pi {short(said)}, pitree {short(mine)}"


ASPECTS: dict[str, Callable[..., Iterator[str]]] = {
    "places": place_differences,
    "drawn": drawn_differences,
    "texts": text_differences,
}
modes = pytest.mark.parametrize("mode", list(FilterMode))
aspects = pytest.mark.parametrize("aspect", ASPECTS)


def row_differences(compared: Compared, mode: str, aspect: str) -> Iterator[str]:
    for question, answer, session in compared:
        yield from ASPECTS[aspect](answer["rows"][mode], session, mode, f"{question.path.name} {mode}")


def walk_differences(compared: Compared) -> Iterator[str]:
    for question, answer, session in compared:
        if not answer["rows"]["default"]["at"]:
            continue  # nothing is selected, and keys then move Pi's cursor out of its list
        walker = ours.Walker(session)
        got = [walker.press(key) for key in question.walk]
        yield from list(differences(answer["walk"], got, f"{question.path.name} {question.walk}"))[:1]


def hit_differences(compared: Compared) -> Iterator[str]:
    for question, answer, session in compared:
        texts = TextStore(session)
        texts.cover(session.get_entry_count())
        for mode, lists in answer["hits"].items():
            for query, theirs in zip(question.queries, lists, strict=True):
                found = ours.hits(session, texts, mode, query)
                where = f"{question.path.name} {mode} {query!r}"
                if missed := set(theirs) - set(found):
                    yield f"{where}: Pi finds {sorted(missed)} too"
                if theirs != [index for index in found if index in set(theirs)]:
                    yield f"{where}: in another order"
        texts.close()


@aspects
@modes
def test_rows_of_corpus(corpus: Compared, mode: FilterMode, aspect: str) -> None:
    corpus.check(f"{aspect} in {mode}", row_differences(corpus, mode, aspect))


@aspects
@modes
def test_rows_of_generated(generated: Compared, mode: FilterMode, aspect: str) -> None:
    generated.check(f"{aspect} in {mode}", row_differences(generated, mode, aspect))


def test_keys(corpus: Compared, generated: Compared) -> None:
    """Moving, folding, jumping by branch and switching filters lead to the same entries."""
    corpus.check("keys", walk_differences(corpus))
    generated.check("keys", walk_differences(generated))


def test_search(corpus: Compared, generated: Compared) -> None:
    """pitree looks in whole texts, so it finds what Pi finds, and more."""
    corpus.check("search", hit_differences(corpus))
    generated.check("search", hit_differences(generated))
