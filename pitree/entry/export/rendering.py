"""Markdown that somebody else wrote, as HTML: no HTML of its own, no picture that is loaded, no odd link."""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

from pitree.entry.export.safe_text import clean, is_live

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 100_000
"""Characters of text that is rendered; a longer one stays as it was written."""

_SIDES = {"text-align:center": "center", "text-align:right": "right"}


def rendered(text: str) -> str:
    """The HTML of a text in Markdown.

    Links that are not http, https or mailto stay as they were written. A picture becomes a link.
    """
    text = clean(text)
    if len(text) > LONGEST:
        return f'<div class="plain">{escape(text)}</div>\n'
    if (plain := _plain(text)) is not None:
        return plain
    # Again, since an entity such as &#8238; has become the character it stands for.
    return clean(str(_parser().render(text)))


_MARKED = re.compile(r"[\\`*_\[\]<>&|~#\x00]|  \n|[^\S\n ]|^ {4}|^ *(?:[-+=]|\d+[.)])", re.MULTILINE)
"""What may be more than words in paragraphs."""


def _plain(text: str) -> str | None:
    """The HTML of a text that holds nothing but words in paragraphs, which many do; None if it holds more."""
    if _MARKED.search(text) is not None:
        return None
    made = []
    for paragraph in re.split(r"\n(?: *\n)+", text.replace('"', "&quot;").strip(" \n")):
        lines = "\n".join(line.strip(" ") for line in paragraph.split("\n"))
        made.append(f"<p>{lines}</p>\n" if lines else "")
    return "".join(made)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from pitree.text.commonmark import markdown_parser

    parser = markdown_parser({}, ("table", "strikethrough"), is_live)
    rules: MutableMapping[str, Any] = parser.renderer.rules  # type: ignore[attr-defined]
    rules["link_open"] = _link_open
    rules["image"] = _image
    rules["th_open"] = rules["td_open"] = _cell_open
    rules["fence"] = rules["code_block"] = _code
    return parser


def anchor(address: str, words: str) -> str:
    """A live link to an address that may be one (`texts.is_live`), both raw."""
    return f"{_opening(address)}{escape(words)}</a>"


def _opening(address: str) -> str:
    return f'<a href="{escape(address)}" rel="noopener noreferrer nofollow">'


def _link_open(tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    return _opening(str(tokens[place].attrGet("href")))


def _image(tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    token = tokens[place]
    target = str(token.attrGet("src"))
    return anchor(target, token.content or target)


def _cell_open(tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    token = tokens[place]
    side = _SIDES.get(str(token.attrGet("style")))
    return f'<{token.tag} class="{side}">' if side else f"<{token.tag}>"


def _code(tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    return f"<pre><code>{escape(tokens[place].content)}</code></pre>\n"
