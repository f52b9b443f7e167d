"""Where the links of a paragraph stand, which of them may not live, and how these alone become text.

Brackets are counted: a paragraph as it was written, and as the parser has it (without the signs of quotes and
lists), have the same ones in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pitree.entry.export.safe_text import is_live

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

Bracket = tuple[str, int]
"""`[` or `]`, and how many of its kind are before it in the paragraph."""
Marked = Callable[[str, set[Bracket]], str]
"""Gives a paragraph with some brackets escaped, as it will be written."""

_TRIES = 6
"""Times that a paragraph is looked at for links that come to light once others are text."""
_MOST = 2_000
"""Brackets of a paragraph whose links are looked for; with more, all of them become text."""
_BRACKET = re.compile(r"\\*([\[\]])")
_ODD_SCHEME = re.compile(r"(?:javascript|vbscript|data|file)\s*(?::|&|\\)", re.IGNORECASE)
_NOTE = re.compile(r"^[ >]*(\[\^[^\]\s]+\]):\s*(\S*)", re.MULTILINE)
_ENTITY_LIKE = re.compile(r"&(?=#?\w+;)")


class Link(NamedTuple):
    """A link in a paragraph.

    Attributes:
        address: where it leads.
        title: its title.
        opening: which `[` of the paragraph opens it.
        words_end: which `]` ends its words.
        end: which `]` ends it, of a link by reference; -1 of one with its address behind it.
    """

    address: str
    title: str
    opening: int
    words_end: int
    end: int


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """Finds every link, odd ones too, and notes definitions; a footnote's text is no definition."""
    from markdown_it.rules_inline.link import link

    from pitree.text.commonmark import any_address, markdown_parser

    made = markdown_parser({"maxNesting": 100, "inline_definitions": True}, live=any_address)
    made.inline.ruler.at("link", lambda state, silent: _noted(link, state, silent))
    made.block.ruler.at("reference", _no_note)
    return made


def _no_note(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """The rule for definitions, for which a footnote is none."""
    from pitree.text.commonmark import definition

    at = state.bMarks[first] + state.tShift[first]
    return not state.src.startswith("[^", at) and definition(state, first, end, silent)


def _noted(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """The rule for links, which notes where they stand."""
    start = state.pos
    if state.src.startswith("[^", start):
        return False
    found: list[Link] = state.env.setdefault("links", [])
    place, before = len(found), len(state.tokens)
    if not rule(state, silent):
        return False
    if not silent:
        end, source = state.pos, state.src
        words_end = state.md.helpers.parseLinkLabel(state, start, True)
        opened = next(token for token in state.tokens[before:] if token.type == "link_open")
        by_reference = source[end - 1] == "]"
        found.insert(
            place,
            Link(
                str(opened.attrGet("href")),
                str(opened.attrGet("title") or ""),
                source.count("[", 0, start),
                source.count("]", 0, words_end),
                source.count("]", 0, end - 1) if by_reference else -1,
            ),
        )
    return True


def links_of(paragraph: str, references: Any) -> list[Link]:
    """The links of a paragraph.

    Args:
        paragraph: its text as the parser has it.
        references: the definitions of the text it is from.
    """
    found: list[Link] = []
    parser().parseInline(paragraph, {"references": references, "links": found})
    return found


def without_odd_links(paragraph: str, references: Any, marked: Marked) -> tuple[set[Bracket], list[Link]]:
    """Which brackets to escape so that no odd link lives, and the links that are left.

    Args:
        paragraph: the text as the parser has it.
        references: the definitions of the text it is from.
        marked: escapes brackets.
    """
    escaped = suspects(paragraph)
    for _ in range(_TRIES if paragraph.count("[") <= _MOST else 0):
        links = links_of(marked(paragraph, escaped), references)
        odd = [link for link in links if not is_live(link.address)]
        if not odd:
            return escaped, links
        escaped |= {pair for link in odd for pair in (("[", link.opening), ("]", link.words_end))}
    return {("[", number) for number in range(paragraph.count("["))}, []


def suspects(paragraph: str) -> set[Bracket]:
    """The brackets of what another parser may take for an odd link: a table cuts code, a footnote defines."""
    found: set[Bracket] = set()
    for scheme in _ODD_SCHEME.finditer(paragraph):
        target = paragraph.rfind("](", 0, scheme.start())
        if target >= 0 and ")" not in paragraph[target : scheme.start()]:
            last = paragraph.count("[", 0, target)
            found.add(("]", paragraph.count("]", 0, target)))
            found.update(("[", number) for number in range(_opening(paragraph, target), last))
    for note in _NOTE.finditer(paragraph):
        if not is_live(note[2]):
            rest = paragraph[note.end() :].partition("\n")[0].strip()
            if not rest or rest[0] in "\"'(":
                found.add(("[", paragraph.count("[", 0, note.start(1))))
    return found


def _opening(text: str, end: int) -> int:
    """Which bracket opens what a `]` closes; the first of all if none does."""
    depth = 0
    for at in range(end, -1, -1):
        depth += (text[at] == "]") - (text[at] == "[")
        if not depth:
            return text.count("[", 0, at)
    return 0


def notes_of(paragraphs: Iterable[str]) -> set[str]:
    """The footnotes that paragraphs define, as `[^1]`."""
    return {note[1] for paragraph in paragraphs for note in _NOTE.finditer(paragraph)}


def escape_brackets(piece: str, escaped: set[Bracket], before: str) -> str:
    """A piece of a paragraph with some brackets escaped.

    Args:
        piece: the piece.
        escaped: which brackets of the paragraph.
        before: what of the paragraph is before the piece.
    """
    if not escaped:
        return piece
    numbers = {sign: before.count(sign) for sign in "[]"}

    def mark(found: re.Match[str]) -> str:
        sign = found[1]
        numbers[sign] += 1
        bare = len(found[0]) % 2 == 1
        return f"{found[0][:-1]}\\{sign}" if bare and (sign, numbers[sign] - 1) in escaped else found[0]

    return _BRACKET.sub(mark, piece)


def with_addresses(text: str, links: Sequence[Link]) -> str:
    """A paragraph in which each link by reference has its address behind it.

    References hold in the whole file of an export, and other entries may use the same names.
    """
    ends = [at for at, character in enumerate(text) if character == "]"]
    made: list[str] = []
    done = 0
    for link in sorted(links, key=lambda link: link.words_end):
        if link.end >= 0:
            made += (text[done : ends[link.words_end] + 1], f"({_target(link)})")
            done = ends[link.end] + 1
    return "".join(made) + text[done:]


def _target(link: Link) -> str:
    address = _ENTITY_LIKE.sub("&amp;", link.address)
    if "(" in address or ")" in address:
        address = f"<{address}>"
    plain = link.title and not re.search(r'["\\\n<&\[\]`|]', link.title)
    return f'{address} "{link.title}"' if plain else address
