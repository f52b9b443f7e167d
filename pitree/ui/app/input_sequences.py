"""Splits the bytes of a terminal into texts, escape sequences and pastes, whatever the pieces they come in.

A slow line tears sequences apart, so that a lone Escape may be a key or the beginning of one. It counts as a
key once nothing follows for a moment; what follows later and can only be the rest of a sequence is dropped,
never taken for letters.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

ESC = "\x1b"
PASTE_BEGIN, PASTE_END = "\x1b[200~", "\x1b[201~"

_TEXT = re.compile(r"[^\x1b]+")
_SEQUENCE = re.compile(
    r"\x1b(?:\[(?:\[[@-~]|M[^\x00-\x1f]{3}|(?![\[M])[ -?]*[@-~])|O[0-9;]*[A-Za-z])"
    r"|\x1b(?:\](?=\d)|P(?=[>01!$+])|_(?=G))[^\x00-\x1f]*(?:\x07|\x1b\\)"
)
"""A whole sequence of a key, the mouse or a report (CSI, SS3), or a whole answer (OSC, DCS, APC)."""

_BEGUN = re.compile(
    r"\x1b(?:\[(?:\[|M[^\x00-\x1f]{0,2}|(?![\[M])[ -?]*)?|O[0-9;]*"
    r"|\](?:\d[^\x00-\x1f]*\x1b?)?|P(?:[>01!$+][^\x00-\x1f]*\x1b?)?|_(?:G[^\x00-\x1f]*\x1b?)?)?\Z"
)
"""The beginning of a sequence, up to the end of what was read."""

_BROKEN = re.compile(r"\x1b\[(?:M[^\x00-\x1f]*|[ -?]*)|\x1b(?:\]\d|P[>01!$+]|_G)[^\x00-\x1f]*")
"""A sequence that something else interrupts."""

_REST = re.compile(r"\x1b(?:\[(?:\Z|[0-?A-Z~])|O(?:\Z|[A-DFHP-S])|\]\d|P[>01!$+]|_G)")
"""A sequence that a late rest could complete, or continue with."""
_REST_AT_ONCE = re.compile(r"\x1b(?:\[(?:\[[A-E]|[ -?]*[@-Z\\-~])|O[A-DFHMP-Sa-dj-y]|\]\d|P[>01!$+]|_G)")
"""One whose rest came in one piece, as no typing does."""


def _is_rest_at_once(pending: str, text: str) -> bool:
    """Whether a text came in one piece as only the rest of a sequence does."""
    return len(text) > 1 and _REST_AT_ONCE.match(pending + text) is not None


LONGEST = 1 << 14
"""Characters of an unfinished sequence that are kept."""

_ENDS_A_PASTE = frozenset({"\x03", "\x11", ESC, "\x1b[99;5u", "\x1b[113;5u", "\x1b[27u"})
"""Keys that terminals do not let into a paste: ctrl+c, ctrl+q and Escape."""


class TokenKind(Enum):
    """What a token is."""

    TEXT = auto()
    """Characters, each of them a key."""
    ESCAPE = auto()
    """The key Escape."""
    META = auto()
    """A character pressed with alt."""
    SEQUENCE = auto()
    """A sequence, from its Escape to its last character."""
    PASTE = auto()
    """A pasted text."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the input."""

    kind: TokenKind
    text: str


@dataclass(frozen=True, slots=True)
class Waits:
    """How long to wait for the rest of a sequence, in seconds.

    Attributes:
        alt: after an Escape, for the character pressed with alt.
        escape: after an Escape, for what can only continue a sequence.
        rest: after more than an Escape; as long again a rest is recognized as such.
    """

    alt: float = 0.1
    escape: float = 0.15
    rest: float = 1.0

    @classmethod
    def of(cls, env: Mapping[str, str], delay: float) -> Waits:
        """Those that fit the line to the terminal; `delay` is the wait for alt."""
        return cls(delay, delay * 3, 3.0) if env.get("SSH_CONNECTION") else cls(delay, delay * 1.5)


class SequenceReader:
    """Splits what is read, piece by piece. Times are those of a clock that never goes back.

    Bytes that are not UTF-8 become U+FFFD, one character for each broken run.
    """

    def __init__(self, waits: Waits) -> None:
        self._waits = waits
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._late = False
        self._taken, self._taken_until = "", 0.0
        self._paste: list[str] | None = None
        self._read_at = 0.0

    @property
    def deadline(self) -> float | None:
        """When to call `tick` if nothing was read until then; None if nothing is pending."""
        if self._pending:
            quick = self._pending == ESC or (len(self._pending) == 2 and not self._is_bracket_first)
            return self._read_at + (self._waits.escape if quick else self._waits.rest)
        return self._read_at + self._waits.rest if self._cut else None

    @property
    def _is_bracket_first(self) -> bool:
        """Whether no more came than alt and `[`: few people press that, and every arrow begins so."""
        return self._pending == "\x1b[" and not self._late

    @property
    def _cut(self) -> bool:
        """Whether the bytes of a character are incomplete."""
        return bool(self._decoder.getstate()[0])

    def feed(self, data: bytes, now: float) -> Iterator[Token]:
        """Split what was read at a time."""
        text = self._decoder.decode(data)
        paused = now - self._read_at
        self._read_at = now
        if self._paste is not None:
            if paused > self._waits.rest and text in _ENDS_A_PASTE:
                yield from self._end_paste("")
        elif self._pending:
            yield from self._give_up_unless_joined(text, paused)
        elif self._taken:
            if self._goes_on(text, now):
                self._pending, self._late = self._taken, True
            self._taken = "" if text else self._taken
        yield from self._split(text)

    def tick(self, now: float) -> Iterator[Token]:
        """Give up waiting, if it is time."""
        deadline = self.deadline
        if deadline is None or now < deadline:
            return
        if self._pending:
            self._taken, self._taken_until = self._pending, now + self._waits.rest
            yield from self._give_up()
        elif text := self._decoder.decode(b"", True):
            yield Token(TokenKind.TEXT, text)

    def _goes_on(self, text: str, now: float) -> bool:
        """Whether what was read continues with what was taken for keys, or dropped, before."""
        return _is_rest_at_once(self._taken, text) or (
            now < self._taken_until and _REST.match(self._taken + text) is not None
        )

    def _give_up_unless_joined(self, text: str, paused: float) -> Iterator[Token]:
        """Take what is pending for keys, if what came now does not continue with it."""
        joined = _REST.match(self._pending + text) is not None or _is_rest_at_once(self._pending, text)
        if not self._late:
            joined = joined or self._pending != ESC or paused <= self._waits.alt
        if text and not joined:
            yield from self._give_up()

    def _give_up(self) -> Iterator[Token]:
        """Take what is pending for keys, or drop it if it can be none."""
        pending, late = self._pending, self._late
        self._pending, self._late = "", False
        if pending == ESC:
            yield Token(TokenKind.ESCAPE, ESC)
        elif len(pending) == 2 and late:
            yield Token(TokenKind.TEXT, pending[1])
        elif len(pending) == 2 and pending != "\x1b[":
            yield Token(TokenKind.META, pending[1])

    def _split(self, text: str) -> Iterator[Token]:
        text, self._pending = self._pending + text, ""
        at = 0
        while at < len(text):
            if self._paste is not None:
                yield from self._end_paste(text[at:])
                return
            found = _TEXT.match(text, at)
            if found:
                yield Token(TokenKind.TEXT, found[0])
            elif found := _SEQUENCE.match(text, at):
                yield from self._sequence(found[0])
            elif _BEGUN.match(text, at):
                self._pending = text[at:][:LONGEST]
                return
            elif not (found := _BROKEN.match(text, at)):
                at += 1
                if text[at] == ESC:
                    yield Token(TokenKind.ESCAPE, ESC)
                else:
                    yield Token(TokenKind.META, text[at])
                    at += 1
                continue
            at, self._late = found.end(), False

    def _sequence(self, sequence: str) -> Iterator[Token]:
        """A whole sequence; of a late one only what is not a key counts."""
        if sequence == PASTE_BEGIN:
            self._paste = []
        elif not self._late or sequence[1] in "]P_":
            yield Token(TokenKind.SEQUENCE, sequence)

    def _end_paste(self, text: str) -> Iterator[Token]:
        """Add to a paste; continue behind its end, if that has come. Nothing ends it as it is."""
        pieces = self._paste or []
        end = (pieces.pop() if pieces else "") + text
        if text and PASTE_END not in end:
            cut = max(0, len(end) - len(PASTE_END) + 1)
            self._paste = pieces
            pieces += [end[:cut], end[cut:]]  # of which the second may hold a part of the end
            return
        pasted, _, after = end.partition(PASTE_END)
        self._paste = None
        yield Token(TokenKind.PASTE, "".join([*pieces, pasted]))
        yield from self._split(after)
