"""Highlighting code: Pygments' tokens in the colors of the theme. Imports Pygments when first called."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style

from pitree.ui.entry.document.lines import Gutter, Row, Spans, lay_lines
from pitree.ui.entry.styling.style_names import Palette

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_LONGEST_LINE = 5_000
"""A line longer than this is no code anybody reads; some lexers take very long over it."""
_LONGEST = 64 * 1024

_TOKENS = (
    ("Token.Comment", "comment"),
    ("Token.Keyword", "keyword"),
    ("Token.Operator.Word", "keyword"),
    ("Token.Literal.String", "string"),
    ("Token.Literal.Number", "number"),
    ("Token.Name.Tag", "keyword"),
    ("Token.Name.Attribute", "name"),
    ("Token.Name.Function", "name"),
    ("Token.Name.Class", "name"),
    ("Token.Name.Decorator", "name"),
    ("Token.Name.Builtin", "name"),
    ("Token.Name.Namespace", "name"),
    ("Token.Generic.Inserted", "added"),
    ("Token.Generic.Deleted", "removed"),
    ("Token.Generic.Heading", "hunk"),
    ("Token.Generic.Subheading", "hunk"),
    ("Token.Operator", "operator"),
    ("Token.Punctuation", "operator"),
)


def code_rows(
    code: str, language: str, width: int, palette: Palette, base: Style, gutter: Gutter | None = None
) -> list[Row] | None:
    """Code in rows of at most `width` cells.

    Args:
        code: code made safe before, with its line breaks.
        language: a file name or the name of a language.
        width: cells a row may take.
        palette: the colors.
        base: style of what has no color of its own.
        gutter: line numbers.

    Returns:
        The rows; None if the language is unknown or the code is not to be highlighted.
    """
    lines = code_lines(code, language, palette, base)
    if lines is None:
        return None
    return lay_lines(
        lines, width, words=False, gutter=gutter, number=gutter.first if gutter is not None else 0
    ).rows


def code_lines(code: str, language: str, palette: Palette, base: Style) -> list[Spans] | None:
    """Code in highlighted lines; None if the language is unknown or the code is not to be highlighted."""
    if len(code) > _LONGEST or any(len(line) > _LONGEST_LINE for line in code.split("\n")):
        return None
    lexer = _lexer(language)
    if lexer is None:
        return None
    lines: list[Spans] = []
    spans: Spans = []
    for token, value in lexer.get_tokens(code):
        style = base + palette[_style_name(str(token))]
        first, *others = value.split("\n")
        if first:
            spans.append((first, style))
        for line in others:
            lines.append(spans or [("", base)])
            spans = [(line, style)] if line else []
    if spans:
        lines.append(spans)
    return lines


@lru_cache(maxsize=256)
def _style_name(token: str) -> str:
    return next((name for prefix, name in _TOKENS if token.startswith(prefix)), "")


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import find_lexer_class_for_filename, get_lexer_by_name
    from pygments.util import ClassNotFound

    options = {"stripnl": False, "ensurenl": False}
    if "." in language or "/" in language:
        found = find_lexer_class_for_filename(language.replace("\\", "/").rsplit("/", 1)[-1])
        return found(**options) if found is not None else None
    try:
        lexer: Lexer = get_lexer_by_name(language, **options)
    except ClassNotFound:
        return None
    return lexer
