"""The table of what styles a text as a whole, in a thread: Markdown, code, images.

To give a syntax such a styler: one function, and its name in `STYLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.style import Style

from pitree.entry.parts import Body, Syntax
from pitree.text.sanitize import visible
from pitree.ui.entry.document.lines import Gutter, Row
from pitree.ui.entry.styling.image_drawing import picture_rows
from pitree.ui.entry.styling.style_names import Palette

Styler = Callable[[str, Body, int, Palette, Style, Gutter | None], list[Row] | None]
"""Safe text, the body it is of, cells a row may take, colors, base style, line numbers → rows, or None."""


def _markdown(
    text: str, body: Body, width: int, palette: Palette, base: Style, gutter: Gutter | None
) -> list[Row] | None:
    from pitree.ui.entry.styling.markdown import markdown_rows

    return markdown_rows(text, width, palette, base)


def _code(
    text: str, body: Body, width: int, palette: Palette, base: Style, gutter: Gutter | None
) -> list[Row] | None:
    from pitree.ui.entry.styling.code import code_rows

    return code_rows(text, body.language, width, palette, base, gutter) if body.language else None


def _picture(
    text: str, body: Body, width: int, palette: Palette, base: Style, gutter: Gutter | None
) -> list[Row] | None:
    return picture_rows(text, width, palette["ground"])


STYLERS: Mapping[Syntax, Styler] = {
    Syntax.MARKDOWN: _markdown,
    Syntax.CODE: _code,
    Syntax.PICTURE: _picture,
}
"""Syntax → styler. Texts of the others are styled as they come into view (`block_styles`)."""


def gutter_of(body: Body, start: int, palette: Palette) -> Gutter | None:
    """The line numbers of a body's text from a place on; None if it has none."""
    if not body.first_line:
        return None
    first = body.first_line + body.text.count("\n", 0, start)
    last = first + body.text.count("\n", start)
    return Gutter(first, len(str(last)), palette["gutter"])


def styled_rows(
    body: Body, start: int, end: int, width: int, palette: Palette, base: Style
) -> list[Row] | None:
    """A stretch of a body's text in styled rows; None if it is to stay plain.

    A text that a styler cannot cope with stays plain: it is made by strangers, and being read matters more.
    """
    styler = STYLERS.get(body.syntax)
    if styler is None:
        return None
    text = visible(body.text[start:end], keep_newlines=True)
    try:
        return styler(text, body, width, palette, base, gutter_of(body, start, palette))
    except Exception:
        return None
