"""Which sessions match a query, and how well: by the rules of Pi's `/resume`, over any number of them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from pitree.outline.fuzzy import fuzzy_score
from pitree.outline.query import Query, fold
from pitree.session.info import NoSessionFile, SessionInfo, messages
from pitree.session.lines import Stopped, never

IN_NAME = 0.0
"""A word of the query stands in the name."""
IN_TEXT = 1_000_000.0
"""It stands in the id, a message or the folder."""
SCATTERED = 2_000_000.0
"""Its letters stand, in order but apart, in the name or the folder; never so in ids and messages."""

_WINDOW = 256 * 1024
_OVERLAP = 4096
_TELL_EVERY = 0.25
_PLAIN_WORD = re.compile(r"[a-z0-9_.,:;=+*()<>{}\[\]@#$%&!?~^|'-]+")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found so far.

    Attributes:
        scores: path → score of the sessions that match; the lower the better.
        unread: sessions whose messages are still to be read.
    """

    scores: dict[str, float]
    unread: int


def search(
    infos: Sequence[SessionInfo], query: Query, stopped: Callable[[], bool] = never
) -> Iterator[Found]:
    """Look for a query in sessions.

    First those whose text is in memory, then the others, whose files are read again; what was found is given
    in between, and at the end. To be run in a thread.

    Args:
        infos: the sessions.
        query: what to look for, neither empty nor faulty.
        stopped: asked again and again whether to give up; the iterator then ends.
    """
    scores: dict[str, float] = {}
    unsure: list[SessionInfo] = []
    for info in infos:
        if stopped():
            return
        score, sure = _score(info, query, None if info.text is None else _Kept(info, query))
        if score is not None:
            scores[info.path] = score
        if not sure:
            unsure.append(info)
    yield Found(dict(scores), len(unsure))
    told = time.monotonic()
    for done, info in enumerate(unsure, 1):
        present = _read(info, query, stopped)
        if stopped():
            return
        score, _ = _score(info, query, present)
        if score is None:
            scores.pop(info.path, None)
        else:
            scores[info.path] = score
        if done == len(unsure) or time.monotonic() - told >= _TELL_EVERY:
            yield Found(dict(scores), len(unsure) - done)
            told = time.monotonic()


class _Kept(Container[str]):
    """The terms of a query that stand in the messages of a session, as far as they are in memory."""

    def __init__(self, info: SessionInfo, query: Query) -> None:
        self._info = info
        self._query = query

    def __contains__(self, term: object) -> bool:
        text = self._info.text
        if text is None or not isinstance(term, str):
            return False
        if self._query.patterns:
            return self._query.matches(text.whole())
        return term.encode("utf-8", "surrogatepass") in text.folded(fold)


def _score(info: SessionInfo, query: Query, said: Container[str] | None) -> tuple[float | None, bool]:
    """How well a session matches, None if it does not; and whether that is sure.

    Args:
        said: the terms (or the pattern) that occur in its messages; None if that is not known.
    """
    if query.patterns:
        return _score_pattern(info, query, said)
    name, folder, id = fold(info.name or ""), fold(info.cwd), fold(info.id)
    total = 0.0
    sure = True
    for term in query.terms:
        if term in name:
            total += IN_NAME + (fuzzy_score(term, name) or 0.0)
        elif term in id or term in folder or (said is not None and term in said):
            total += IN_TEXT
        else:
            sure = sure and said is not None
            scattered = [] if term in query.phrases else [fuzzy_score(term, text) for text in (name, folder)]
            scores = [score for score in scattered if score is not None]
            if scores:
                total += SCATTERED + min(scores)
            elif said is not None:
                return None, True
            else:
                return None, False
    return total, sure


def _score_pattern(info: SessionInfo, query: Query, said: Container[str] | None) -> tuple[float | None, bool]:
    if info.name and query.matches(info.name):
        return IN_NAME, True
    if query.matches(info.id) or query.matches(info.cwd):
        return IN_TEXT, True
    if said is None:
        return None, False
    return (IN_TEXT if query.patterns[0] in said else None), True


def _read(info: SessionInfo, query: Query, stopped: Callable[[], bool]) -> set[str]:
    """The terms of a query (or its pattern) that occur in the messages of a session, read from its file.

    The text goes by in windows, so that a session of any size can be looked through. What is longer than the
    overlap of two windows, and lies across their border, is not found.
    """
    wanted = set(query.patterns or query.terms)
    found: set[str] = set()
    held: list[str] = []
    size = 0

    def look() -> None:
        nonlocal held, size
        text = " ".join(held)
        if query.patterns:
            if query.matches(text):
                found.update(query.patterns)
        else:
            folded = fold(text)
            found.update(term for term in wanted - found if term in folded)
        held = [text[-_OVERLAP:]]
        size = 0

    try:
        for _, text in messages(info.path, stopped, _worth(query)):
            held.append(text)
            size += len(text)
            if size >= _WINDOW:
                look()
                if stopped() or len(found) == len(wanted):
                    return found
    except (OSError, NoSessionFile, Stopped):
        return found
    look()
    return found


def _worth(query: Query) -> Callable[[bytes], bool] | None:
    """Tells lines in which a word of the query may stand; None where that is not to be told from bytes."""
    if query.patterns or query.phrases or not all(map(_PLAIN_WORD.fullmatch, query.words)):
        return None
    needles = query.needles

    def worth(line: bytes) -> bool:
        if not line.isascii() or b"\\u" in line:
            return True
        lower = line.lower()
        return any(needle in lower for needle in needles)

    return worth
