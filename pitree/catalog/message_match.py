"""What of a query is in the messages of a session: looked for once, and then only in what is new."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace

from pitree.catalog.info.message_texts import MessageText
from pitree.catalog.info.session_info import NoSessionFile, SessionInfo, messages
from pitree.query.language.query import Query
from pitree.query.language.text_forms import fold
from pitree.session.storage.line_reader import FileReplaced, ReadCancelled, ReadPosition

_WINDOW = 256 * 1024
_OVERLAP = 4096
_PLAIN_WORD = re.compile(r"[a-z0-9_.,:;=+*()<>{}\[\]@#$%&!?~^|'-]+")
_LOOKS_BACK = re.compile(r"\^|\(\?<[=!]")


@dataclass(slots=True)
class MessageMatch:
    """What was found in the messages of a session, as far as they were searched.

    Attributes:
        found: the terms of the query (or its pattern) that were found.
        missed: term → up to where it was looked for in vain: bytes of the text kept of the session.
        reached: up to where the file was read, if it had to be.
        tail: the last of the text read from there.
    """

    found: set[str] = field(default_factory=set)
    missed: dict[str, int] = field(default_factory=dict)
    reached: ReadPosition | None = None
    tail: str = ""

    def copy(self) -> MessageMatch:
        """Another that can be added to."""
        return MessageMatch(set(self.found), dict(self.missed), self.reached, self.tail)


class MatchedTerms(Container[str]):
    """The terms of a query that are in the messages of a session, as far as they are in memory.

    Args:
        text: the text of the session.
        query: the query.
        heard: what is known from before; it is added to.
    """

    def __init__(self, text: MessageText, query: Query, heard: MessageMatch) -> None:
        self._text = text
        self._query = query
        self._heard = heard

    def __contains__(self, term: object) -> bool:
        text, heard = self._text, self._heard
        if not isinstance(term, str):
            return False
        if term in heard.found:
            return True
        missed = heard.missed.get(term, 0)
        if self._query.patterns:
            start = 0 if _LOOKS_BACK.search(term) else max(0, missed - _OVERLAP)
            part = text.whole(start)
            # In the middle of a word a pattern would see a border that is not there.
            present = self._query.matches(part.partition(" ")[2] if start else part)
            heard.missed[term] = text.size
        else:
            folded, needle = text.folded(fold), term.encode("utf-8", "surrogatepass")
            present = folded.find(needle, max(0, missed - len(needle) - 1)) >= 0
            heard.missed[term] = len(folded)
        if present:
            heard.found.add(term)
        return present


def read_messages(
    info: SessionInfo, query: Query, stopped: Callable[[], bool], before: MessageMatch | None
) -> MessageMatch:
    """Look for the terms of a query (or its pattern) in the messages of a session, read from its file.

    The text goes by in windows, so that a session of any size can be looked through. What is longer than the
    overlap of two windows, and lies across their border, is not found.

    Args:
        before: what was heard before the file grew; then only what came is read.
    """
    if before is not None and before.reached is not None:
        try:
            return _read(info.path, query, stopped, before.copy())
        except FileReplaced:
            pass
    return _read(info.path, query, stopped, MessageMatch())


def _read(path: str, query: Query, stopped: Callable[[], bool], heard: MessageMatch) -> MessageMatch:
    wanted = set(query.patterns or query.terms)
    held = [heard.tail] if heard.tail else []
    size = 0

    def look() -> None:
        nonlocal held, size
        text = " ".join(held)
        if query.patterns:
            if query.matches(text):
                heard.found.update(query.patterns)
        else:
            folded = fold(text)
            heard.found.update(term for term in wanted - heard.found if term in folded)
        held = [text[-_OVERLAP:]]
        size = 0

    if heard.found >= wanted:
        return heard
    reached = replace(heard.reached) if heard.reached is not None else ReadPosition()
    try:
        for _, text in messages(path, stopped, _worth(query), reached):
            held.append(text)
            size += len(text)
            if size >= _WINDOW:
                look()
                if stopped() or heard.found >= wanted:
                    return heard
    except (OSError, NoSessionFile, ReadCancelled):
        return heard
    look()
    heard.reached, heard.tail = reached, held[0]
    return heard


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
