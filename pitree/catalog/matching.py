"""Which sessions match a query, and how well: by the rules of Pi's `/resume`, over any number of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pitree.catalog.info.message_texts import MessageText
from pitree.catalog.info.session_info import NoSessionFile, SessionInfo
from pitree.catalog.loading.text_loader import ReadTexts
from pitree.catalog.message_match import MatchedTerms, MessageMatch, read_messages
from pitree.query.language.fuzzy import fuzzy_score
from pitree.query.language.query import Query
from pitree.query.language.text_forms import fold
from pitree.session.storage.line_reader import ReadCancelled, never

IN_NAME = 0.0
"""A word of the query is in the name."""
IN_TEXT = 1_000_000.0
"""It is in the id, a message or the folder."""
SCATTERED = 2_000_000.0
"""Its letters stand, in order but apart, in the name or the folder; never so in ids and messages."""

_TELL_EVERY = 0.25


@dataclass(frozen=True, slots=True)
class SessionMatch:
    """What a search found of one session.

    Attributes:
        info: the session as it was searched.
        score: how well it matches, the lower the better; None if it does not.
        sure: whether that is so; else its messages are still to be read.
        heard: what its messages were found to hold.
    """

    info: SessionInfo
    score: float | None
    sure: bool
    heard: MessageMatch | None


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """What a search has found so far.

    Attributes:
        scores: path → score of the sessions that match; the lower the better.
        unread: sessions whose messages are still to be read.
        outcomes: path → what was found of each session, for the next search.
    """

    scores: dict[str, float]
    unread: int
    outcomes: dict[str, SessionMatch]


def search(
    infos: Sequence[SessionInfo],
    query: Query,
    stopped: Callable[[], bool] = never,
    before: Mapping[str, SessionMatch] | None = None,
    texts: ReadTexts | None = None,
) -> Iterator[MatchProgress]:
    """Look for a query in sessions.

    First those whose text is in memory, then the others, whose files are read again; what was found is given
    in between, and at the end. To be run in a thread.

    Args:
        infos: the sessions.
        query: what to look for, neither empty nor faulty.
        stopped: asked again and again whether to give up; the iterator then ends.
        before: outcomes of an earlier search for the same query. Sessions that are the same since are not
            searched again, and of those that grew only what came is.
        texts: keeps texts that are read for this search, for the next one.
    """
    outcomes: dict[str, SessionMatch] = {}
    unsure: list[SessionInfo] = []
    before = before or {}
    for info in infos:
        if stopped():
            return
        text = info.text if texts is None else texts.of(info)
        outcome = outcomes[info.path] = _outcome(info, query, before.get(info.path), text)
        if not outcome.sure:
            unsure.append(info)
    yield _found(outcomes, len(unsure))
    told = time.monotonic()
    for done, info in enumerate(unsure, 1):
        text = _read(info, texts, outcomes.keys(), stopped)
        if text is not None:
            outcomes[info.path] = _outcome(info, query, before.get(info.path), text)
        else:
            heard = read_messages(info, query, stopped, outcomes[info.path].heard)
            if stopped():
                return
            outcomes[info.path] = SessionMatch(info, _score(info, query, heard.found)[0], True, heard)
        if done == len(unsure) or time.monotonic() - told >= _TELL_EVERY:
            yield _found(outcomes, len(unsure) - done)
            told = time.monotonic()


def _read(
    info: SessionInfo, texts: ReadTexts | None, listed: Collection[str], stopped: Callable[[], bool]
) -> MessageText | None:
    """The text of a session, read for this search and the next ones; None if it is not to be had, or kept."""
    try:
        return texts.read(info, listed, stopped) if texts is not None else None
    except (OSError, NoSessionFile, ReadCancelled):
        return None


def _found(outcomes: dict[str, SessionMatch], unread: int) -> MatchProgress:
    scores = {path: one.score for path, one in outcomes.items() if one.score is not None}
    return MatchProgress(scores, unread, dict(outcomes))


def _outcome(
    info: SessionInfo, query: Query, before: SessionMatch | None, text: MessageText | None
) -> SessionMatch:
    """What can be told of a session without reading its file."""
    if before is not None and before.info is info and before.sure:
        return before
    grown = before is not None and info.grown_from(before.info)
    heard = before.heard if before is not None and grown else None
    if text is not None:
        heard = heard.copy() if heard is not None else MessageMatch()
        return SessionMatch(info, *_score(info, query, MatchedTerms(text, query, heard)), heard)
    score, sure = _score(info, query, None)
    if not sure and heard is not None:
        # What was found before holds until it is known what came.
        score = _score(info, query, heard.found)[0]
    return SessionMatch(info, score, sure, heard)


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
