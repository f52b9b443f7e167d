"""Markdown that somebody else wrote, made safe to stand in a Markdown file: no HTML, no odd links.

What a CommonMark parser takes for code stays as it is. Elsewhere `<` becomes `&lt;`, so that no HTML is left,
pictures become links, and a link that is not http, https or mailto becomes text. A link by reference gets its
address behind it, and footnotes get names of their own, since other texts in the file may use the same. Where
parsers of other Markdowns may see things differently (a table), the cautious reading counts.
"""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pitree.entry.export import links
from pitree.entry.export.safe_text import clean

if TYPE_CHECKING:
    from markdown_it.token import Token

LONGEST = 100_000
"""Characters of text that is parsed; a longer one goes into a fence."""

_SIGNS = ("<", "&", "[", "```", "~~~")
"""A text without any of these has neither HTML, links and pictures nor code that may be left open."""
_BACKTICKS = re.compile(r"`+")
_OWN_LINK = re.compile(r"<(?!(?:https?://|mailto:)[^\s<>]*>)", re.IGNORECASE)
_OPENING = re.compile(r"(?<!\\)((?:\\\\)*)\[")
_PICTURE = re.compile(r"(?<!\\)((?:\\\\)*)!(?=\[)")
"""The sign of a picture that no backslash takes away."""
_ENTITY = re.compile(
    r"&(?=#|(?:af|ApplyFunction|ic|InvisibleComma|InvisibleTimes|it|lrm|rlm|shy|zwj|zwnj"
    r"|NoBreak|Negative\w{1,20}|ZeroWidthSpace);)"
)
_PIECE = re.compile(r"\\[!-/:-@\[-`{-~]|`+")


def fence(text: str) -> str:
    """A fence of backticks longer than any run of them in a text."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    return "`" * max(3, longest + 1)


def fenced(text: str, language: str = "") -> str:
    """A clean text as a code block."""
    bars = fence(text)
    return f"{bars}{language}\n{text}\n{bars}"


def prose(text: str) -> str:
    """Markdown as it may stand in a Markdown file, closed: what follows it is not swallowed."""
    text = clean(text).strip("\n")
    if len(text) > LONGEST:
        return fenced(text, "markdown")
    if not any(sign in text for sign in _SIGNS):
        return text
    lines = text.split("\n")
    environment: dict[str, Any] = {}
    tokens = links.parser().parse(text, environment)
    made = "\n".join(_Blocks(text, tokens, environment.get("references", {})).lines(lines)).rstrip("\n")
    return made + _missing_end(made, tokens)


class _Blocks:
    """The blocks of a text, made safe.

    Args:
        text: the whole text.
        tokens: its blocks.
        references: its definitions of links.
    """

    def __init__(self, text: str, tokens: Sequence[Token], references: Any) -> None:
        self._tokens = tokens
        self._references = references
        notes = links.notes_of(token.content for token in tokens if token.type == "inline")
        mark = f"{zlib.crc32(text.encode(errors='surrogatepass')):08x}"
        self._notes = {note: f"{note[:-1]}-{mark}]" for note in notes}
        """Footnote → its name in the export, which no other entry has."""
        self._used: set[str] = set()

    def lines(self, lines: Sequence[str]) -> Iterator[str]:
        """The lines, block by block; those that belong to none (blank) one by one."""
        made = {
            place: self._inline("\n".join(lines[token.map[0] : token.map[1]]), token.content)
            for place, token in enumerate(self._tokens)
            if token.type == "inline" and token.map is not None
        }
        done = 0
        for place, token in enumerate(self._tokens):
            if token.map is None or token.type not in ("inline", "fence", "code_block", "definition"):
                continue
            start, end = token.map
            if start < done:
                continue
            yield from map(_between, lines[done:start])
            if token.type == "inline":
                yield made[place]
            elif token.type != "definition":
                yield from lines[start:end]
            elif token.meta["url"] not in self._used or lines[start].lstrip()[:1] != "[":
                yield from map(_between, lines[start:end])
            done = end
        yield from map(_between, lines[done:])

    def _inline(self, text: str, content: str) -> str:
        """A paragraph or heading: odd links as text, links by reference with their address.

        Args:
            text: its lines.
            content: the same without the signs of what it is in.
        """
        if "[" not in text:
            return self._marked(text, set())
        escaped, found = links.without_odd_links(content, self._references, self._marked)
        self._used.update(link.address for link in found if link.end >= 0)
        return links.with_addresses(self._marked(text, escaped), found)

    def _marked(self, text: str, escaped: set[links.Bracket]) -> str:
        """A paragraph with some brackets escaped, and harmless but for its links.

        Its code spans stay as they are, unless a table might cut them.
        """
        spans = list(_code_spans(text)) if "|" not in text else []
        made: list[str] = []
        done = 0
        for start, end in [*spans, (len(text), len(text))]:
            piece = links.escape_brackets(text[done:start], escaped, text[:done])
            for note, name in self._notes.items():
                piece = piece.replace(note, name)
            made += (_harmless(piece), text[start:end])
            done = end
        return "".join(made)


def _between(line: str) -> str:
    """A line outside the blocks, or a definition that stays, as text: no other entry may refer to it."""
    return _harmless(_OPENING.sub(r"\1\\[", line))


def _harmless(text: str) -> str:
    return _PICTURE.sub(r"\1\\!", _ENTITY.sub("&amp;", _OWN_LINK.sub("&lt;", text)))


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the code spans of a paragraph are, by CommonMark: from a run of backticks to the next as long.

    One that goes over a line break is none here.
    """
    runs: dict[int, deque[int]] = {}
    for found in _BACKTICKS.finditer(text):
        runs.setdefault(len(found[0]), deque()).append(found.start())
    at = 0
    while piece := _PIECE.search(text, at):
        start, at = piece.span()
        closing = runs.get(at - start)
        if text[start] == "\\" or closing is None:
            continue
        while closing and closing[0] < at:
            closing.popleft()
        if closing:
            at = closing[0] + at - start
            if "\n" not in text[start:at]:
                yield start, at


def _missing_end(made: str, tokens: Sequence[Token]) -> str:
    """What closes a code block that was left open at the end; it would take in all that follows."""
    if not tokens or tokens[-1].type != "fence":
        return ""
    last = links.parser().parse(f"{made}\n\nend")[-1]
    return f"\n{last.markup}" if last.type == "fence" else ""
