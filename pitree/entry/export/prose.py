"""Markdown that somebody else wrote, made safe to stand in a Markdown file: no HTML, no odd links.

What a CommonMark parser takes for code stays as it is. Elsewhere `<` becomes `&lt;`, so that no HTML is left,
pictures become links, and a paragraph with a link that is not http, https or mailto loses its links. Where
parsers of other Markdowns may see things differently (a table), the cautious reading counts.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pitree.entry.export.safe_text import clean, is_live

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 100_000
"""Characters of text that is parsed; a longer one goes into a fence."""

_SIGNS = ("<", "&", "[", "```", "~~~")
"""A text without any of these has neither HTML, links and pictures nor code that may be left open."""
_BACKTICKS = re.compile(r"`+")
_OWN_LINK = re.compile(r"<(?!(?:https?://|mailto:)[^\s<>]*>)", re.IGNORECASE)
_ODD_SCHEME = re.compile(r"(?:javascript|vbscript|data|file)\s*(?::|&|\\)", re.IGNORECASE)
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
    environment: dict[str, object] = {}
    tokens = _parser().parse(text, environment)
    made = "\n".join(_lines(lines, tokens))
    return made + _missing_end(made, tokens)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 100})
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # odd links are to be found
    return parser


def _lines(lines: Sequence[str], tokens: Sequence[Token]) -> Iterator[str]:
    """The lines made safe, block by block; those that belong to none (blank, definitions) one by one."""
    done = 0
    for token in tokens:
        if token.map is None or token.type not in ("inline", "fence", "code_block"):
            continue
        start, end = token.map
        if start < done:
            continue
        yield from map(_between, lines[done:start])
        if token.type == "inline":
            yield _inline("\n".join(lines[start:end]), token)
        else:
            yield from lines[start:end]
        done = end
    yield from map(_between, lines[done:])


def _between(line: str) -> str:
    """A line outside the blocks: if it defines a link, nothing may refer to it but what is seen here."""
    return _harmless(line.replace("[", "\\["))


def _harmless(text: str) -> str:
    return _ENTITY.sub("&amp;", _OWN_LINK.sub("&lt;", text)).replace("![", "\\![")


def _inline(text: str, token: Token) -> str:
    """A paragraph or heading: its code spans as they are, unless a table might cut them."""
    spans = list(_code_spans(text)) if "|" not in text else []
    odd = _has_odd_link(token)
    made = []
    done = 0
    for start, end in [*spans, (len(text), len(text))]:
        piece = text[done:start]
        odd_here = odd or _ODD_SCHEME.search(piece) is not None
        made.append(_harmless(_unlinked(piece) if odd_here else piece))
        made.append(text[start:end])
        done = end
    return "".join(made)


def _unlinked(text: str) -> str:
    return re.sub(r"(?<!\\)\[", r"\\[", text)


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


def _has_odd_link(token: Token) -> bool:
    """Whether a paragraph has a link, or a picture that will be one, which may not live."""
    waiting = list(token.children or ())
    while waiting:
        child = waiting.pop()
        waiting += child.children or ()
        target = child.attrGet({"link_open": "href", "image": "src"}.get(child.type, ""))
        if target is not None and not is_live(str(target)):
            return True
    return False


def _missing_end(made: str, tokens: Sequence[Token]) -> str:
    """What closes a code block that was left open at the end; it would take in all that follows."""
    if not tokens or tokens[-1].type != "fence":
        return ""
    last = _parser().parse(f"{made}\n\nend")[-1]
    return f"\n{last.markup}" if last.type == "fence" else ""
