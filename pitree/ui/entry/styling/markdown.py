"""Markdown in rows, by way of Rich's renderer. Imports Rich's Markdown, so import this only in a thread.

Of a session's text nothing is lost and nothing is live: HTML is shown as the text it is, links and images as
their words and address, single line breaks stay, and what entities and escapes spell out is made safe again.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any, ClassVar

from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import (
    CodeBlock,
    Heading,
    HorizontalRule,
    ListItem,
    Markdown,
    MarkdownContext,
    TableElement,
)
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from pitree.text.commonmark import markdown_parser
from pitree.text.sanitize import visible
from pitree.ui.entry.document.lines import Row, rows_of, whole
from pitree.ui.entry.styling.code import code_rows
from pitree.ui.entry.styling.style_names import Palette

_PARSER_OPTIONS = {"linkify": False, "maxNesting": 20}

_STYLES = {
    "markdown.em": "emphasis",
    "markdown.strong": "strong",
    "markdown.s": "struck",
    "markdown.code": "code",
    "markdown.block_quote": "quote",
    "markdown.item.bullet": "bullet",
    "markdown.item.number": "bullet",
    "markdown.link": "link",
    "markdown.link_url": "link",
    "markdown.hr": "rule",
    "markdown.table.border": "rule",
    "markdown.table.header": "strong",
    **{f"markdown.h{level}": "heading" for level in range(1, 7)},
}
_UNSTYLED = (
    "markdown.paragraph",
    "markdown.item",
    "markdown.code_block",
    "table.header",
    "table.footer",
    "table.cell",
    "table.title",
    "table.caption",
)


def markdown_rows(text: str, width: int, palette: Palette, base: Style) -> list[Row]:
    """Markdown in rows of at most `width` cells, without line breaks and blank rows at the ends.

    Args:
        text: Markdown made safe before.
        width: cells a row may take.
        palette: the colors.
        base: style of what has none of its own.
    """
    styles = {name: base + palette[style] for name, style in _STYLES.items()}
    styles |= dict.fromkeys(_UNSTYLED, base)
    console = Console(
        file=io.StringIO(),
        width=width,
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
        theme=Theme(styles, inherit=False),
        emoji=False,
        markup=False,
        highlight=False,
    )
    document = _SessionMarkdown(text, palette, base)
    rendered = console.render_lines(document, console.options.update(width=width), pad=False)
    rows = [_plain(line) for line in rendered]
    while rows and not any(segment.text.strip() for segment in rows[-1]):
        rows.pop()
    while rows and not any(segment.text.strip() for segment in rows[0]):
        rows.pop(0)
    return rows


def _plain(line: list[Segment]) -> Row:
    """A row with text made safe once more and styles cut down to looks: no links, no meta data."""
    pieces = [
        (visible(text), _looks(style) if style else Style.null())
        for text, style, control in line
        if text and not control
    ]
    row = [Segment(text, style) for text, style in whole(pieces)]
    while row and not row[-1].text.strip() and not (row[-1].style and row[-1].style.bgcolor):
        row.pop()
    return row


@lru_cache(maxsize=512)
def _looks(style: Style) -> Style:
    return Style(
        color=style.color,
        bgcolor=style.bgcolor,
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=style.reverse,
    )


class _LeftHeading(Heading):
    """A heading at the left, its level shown as it is written."""

    def on_enter(self, context: MarkdownContext) -> None:
        super().on_enter(context)
        self.text.append("#" * int(self.tag[1:]) + " ", context.current_style)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = self.text.copy()
        text.justify = "left"
        yield text


class _Code(CodeBlock):
    """A code block, indented, in the colors of the theme."""

    palette: ClassVar[Palette]

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> _Code:
        assert isinstance(markdown, _SessionMarkdown)
        return cls(token.info.strip().partition(" ")[0], markdown)

    def __init__(self, language: str, markdown: _SessionMarkdown) -> None:
        super().__init__(language, "")
        self.markdown = markdown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        palette, base = self.markdown.palette, self.markdown.base
        width = max(1, options.max_width - 2)
        code = visible(self.text.plain.rstrip("\n"), keep_newlines=True)
        rows = code_rows(code, self.lexer_name, width, palette, base) if self.lexer_name else None
        if rows is None:
            style = base + palette["code"]
            rows = [row for line in code.split("\n") for row in rows_of([(line, style)], width, words=False)]
        indent = Segment("  ", base)
        for row in rows:
            yield indent
            yield from row
            yield Segment.line()


class _Table(TableElement):
    """A table with one line, below its head."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                table.show_edge = False
            yield table


class _Item(ListItem):
    """An item of a list, its number as it is written."""

    def render_number(
        self, console: Console, options: ConsoleOptions, number: int, last_number: int
    ) -> RenderResult:
        numeral = f"{number}. ".rjust(len(str(last_number - 1)) + 2)
        width = max(1, options.max_width - len(numeral))
        lines = console.render_lines(self.elements, options.update(width=width), style=self.style)
        style = console.get_style("markdown.item.number")
        for line in lines:
            yield Segment(numeral, style)
            yield from line
            yield Segment.line()
            numeral = " " * len(numeral)

    def render_bullet(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(1, options.max_width - 2)
        lines = console.render_lines(self.elements, options.update(width=width), style=self.style)
        sign = "• "
        style = console.get_style("markdown.item.bullet")
        for line in lines:
            yield Segment(sign, style)
            yield from line
            yield Segment.line()
            sign = "  "


class _Rule(HorizontalRule):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("─" * min(options.max_width, 24), style=console.get_style("markdown.hr"))


class _SessionMarkdown(Markdown):
    """Rich's Markdown with a parser that keeps HTML as text and line breaks as they are."""

    elements: ClassVar[dict[str, Any]] = {
        **Markdown.elements,
        "heading_open": _LeftHeading,
        "fence": _Code,
        "code_block": _Code,
        "table_open": _Table,
        "list_item_open": _Item,
        "hr": _Rule,
    }

    def __init__(self, text: str, palette: Palette, base: Style) -> None:
        super().__init__("", hyperlinks=False)
        self.palette = palette
        self.base = base
        self.parsed = markdown_parser(_PARSER_OPTIONS, ("strikethrough", "table")).parse(text)
        for token in self.parsed:
            for child in token.children or ():
                if child.type == "softbreak":
                    child.type = "hardbreak"
                elif child.type == "image":
                    _image_as_text(child)


def _image_as_text(token: Token) -> None:
    """An image as its words and address: nothing is fetched, and it stays where it is in its paragraph."""
    address = token.attrs.get("src", "")
    token.type, token.tag, token.children = "text", "", None
    token.content = f"[image: {token.content} {address}]"
