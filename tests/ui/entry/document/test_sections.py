"""Laying out parts: wrapping, folding, long text drawn as it comes into view, styled text, documents."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.style import Style

from pitree.entry.parts import Body, Fact, Part, PartKind, Preview, Syntax
from pitree.text import cells
from pitree.text.sanitize import visible
from pitree.text.wrap import wrap
from pitree.ui.entry.document.document import Document, DocumentItem
from pitree.ui.entry.document.facts_rows import flow, table
from pitree.ui.entry.document.fold import Fold, stretches
from pitree.ui.entry.document.lines import Row, line_styler, rows_of
from pitree.ui.entry.document.sections import LayoutStyle, Signs, lay_out
from pitree.ui.entry.document.views import BLOCK, KEPT_BLOCKS, LazyText, Rows
from pitree.ui.entry.styling.block_styles import block_style
from pitree.ui.entry.styling.code import code_rows
from pitree.ui.entry.styling.markdown import markdown_rows
from pitree.ui.entry.styling.style_names import Palette
from pitree.ui.entry.styling.stylers import styled_rows

PLAIN = Palette.plain()
NONE = Style.null()
ODD = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from("\n\t\r \x1b\x07\x9b\u202e\u200b\u200d\u0301日本👩👧🇩🇪*`#>|-[]()<&_~\\"),
    ),
    max_size=300,
)


def said(row: Row) -> str:
    return "".join(segment.text for segment in row)


def width_of(row: Row) -> int:
    return sum(cells.cell_len(segment.text) for segment in row)


def lazy(text: str, width: int = 20, *, colours: bool = False) -> LazyText:
    style = block_style(Body(text, Syntax.OUTPUT if colours else Syntax.PLAIN), width, PLAIN, NONE)
    return LazyText(text, 0, len(text), width=width, words=False, style=style)


def all_rows(view: LazyText | Rows) -> list[str]:
    view.settle(0, 10**9)
    return [said(view.row(at)) for at in range(view.height)]


# -- wrapping -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words", "rows"),
    [
        ("", False, [""]),
        ("abcdefgh", False, ["abcde", "fgh"]),
        ("ab cdefg hi", True, ["ab", "cdefg", "hi"]),
        ("日本語です", False, ["日本", "語で", "す"]),
        ("e\u0301" * 7, False, ["e\u0301" * 5, "e\u0301" * 2]),
    ],
)
def test_lines_are_broken_by_cells(line: str, words: bool, rows: list[str]) -> None:
    assert [line[start:end] for start, end in wrap(line, 5, words=words)] == rows


@given(ODD, st.integers(5, 60), st.booleans())
def test_no_row_is_wider_than_asked_and_no_letter_is_lost(text: str, width: int, words: bool) -> None:
    line = visible(text)
    pieces = [line[start:end] for start, end in wrap(line, width, words=words)]
    assert all(cells.cell_len(piece) <= width for piece in pieces)
    kept, whole = "".join(pieces), line
    if words:
        kept, whole = kept.replace(" ", ""), whole.replace(" ", "")
    assert kept == whole


def test_pieces_that_tear_a_character_are_put_together() -> None:
    red, blue = Style(color="red"), Style(color="blue")
    (row,) = rows_of(
        [("👩", red), ("\u200d", blue), ("👧 x", blue), ("e", red), ("\u0301", blue)], 20, words=False
    )
    assert [segment.text for segment in row] == ["👩\u200d👧 x", "e\u0301"]


# -- facts --------------------------------------------------------------------------------------------


def test_facts_break_between_facts() -> None:
    assert [said(row) for row in flow(["in 12k", "out 823", "$0.03"], 17, NONE)] == [
        "in 12k · out 823",
        "$0.03",
    ]


def test_named_facts_stand_in_two_columns_or_below_each_other() -> None:
    facts = [Fact("id", "a1"), Fact("parent", "none: a root")]
    assert [said(row) for row in table(facts, 30, NONE, NONE)] == ["id      a1", "parent  none: a root"]
    assert [said(row) for row in table(facts, 15, NONE, NONE)] == ["id", "  a1", "parent", "  none: a root"]


# -- folding ------------------------------------------------------------------------------------------


def test_a_long_text_shows_head_and_tail() -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    shown = stretches(Body(text), Preview(10, 5), Fold.PREVIEW)
    assert shown.tail is not None
    assert text[slice(*shown.head)].split("\n")[-2] == "line 9"
    assert text[slice(*shown.tail)].split("\n")[0] == "line 95"
    assert shown.left_out == "85 lines"
    assert stretches(Body(text), Preview(10, 5), Fold.OPEN).tail is None


def test_a_long_line_is_cut_by_characters() -> None:
    shown = stretches(Body("x" * 5_000_000), Preview(10, 5, 1_000, 500), Fold.PREVIEW)
    assert (shown.head, shown.tail) == ((0, 1_000), (4_999_500, 5_000_000))
    assert shown.left_out == "4,998,500 characters"


def test_little_is_not_left_out_and_short_markdown_never() -> None:
    text = "\n".join("x" for _ in range(20))
    assert stretches(Body(text), Preview(10, 5), Fold.PREVIEW).tail is None
    text = "\n".join("word" for _ in range(2_000))
    assert stretches(Body(text, Syntax.MARKDOWN), Preview(10, 5), Fold.PREVIEW).tail is None


def test_line_breaks_at_the_end_do_not_show() -> None:
    assert stretches(Body("a\nb\n\n\r\n"), Preview(10, 5), Fold.PREVIEW).head == (0, 3)


# -- long text ----------------------------------------------------------------------------------------


def test_text_is_drawn_only_where_it_is_looked_at() -> None:
    view = lazy("\n".join(f"{number:07d} some words" for number in range(500_000)), 80)
    view.settle(200_000, 200_040)
    assert said(view.row(200_000)).startswith("0200000")
    assert len(view._drawn) <= 3


def test_one_line_of_megabytes_is_drawn_in_whole_rows() -> None:
    view = lazy("abcdefghij" * 500_000, 77)
    view.settle(0, 50)
    assert len(view._drawn) == 1
    assert view.height == -(-5_000_000 // 77)
    view.settle(view.height - 50, view.height)
    assert said(view.row(view.height - 1)) == ("abcdefghij" * 500_000)[-(5_000_000 % 77) :]


def test_drawn_text_is_bounded() -> None:
    view = lazy(f"{'x' * 900}\n" * (BLOCK // 400 * KEPT_BLOCKS), 900)
    view.settle(0, view.height)
    assert len(view._drawn) <= KEPT_BLOCKS


def test_long_lines_are_not_cut_within_a_character() -> None:
    text = "e" + "\u0301" * 3
    whole = "".join(all_rows(lazy(text * BLOCK, 10)))
    assert whole.replace("\u25cc", "") == text * BLOCK


def test_colours_are_taken_out_and_other_sequences_shown() -> None:
    view = lazy("\x1b[32mok\x1b[0m \x1b[2J\x1b]0;t\x07", 40, colours=True)
    assert all_rows(view) == ["ok ␛␛]0;t␇"]


@given(ODD, st.integers(5, 40), st.data())
@settings(max_examples=50)
def test_a_place_is_found_again_after_heights_became_exact(
    text: str, width: int, data: st.DataObject
) -> None:
    view = lazy(text * 100 + "end", width)
    at = data.draw(st.integers(0, view.height - 1))
    mark = view.mark(at)
    view.settle(0, 10**9)
    assert 0 <= view.find(mark) < view.height
    exact = view.mark(view.height // 2)
    assert view.find(exact) == view.height // 2


def test_going_up_into_text_not_drawn_yet_meets_its_last_rows() -> None:
    text = "\n".join("wide " * 50 for _ in range(2_000)) + "\n"
    view = lazy(text, 20)
    bottom = view.height - 1
    mark = view.mark(bottom)
    view.settle(bottom, bottom + 1)
    assert view.find(mark) == view.height - 1


# -- lines and whole texts styled -------------------------------------------------------------------------


def test_json_is_coloured_by_line_and_loses_nothing() -> None:
    line = '  "na\\"me": [1.5e3, true, null, "x", {"y": -2}],'
    spans = line_styler(Syntax.JSON, PLAIN, NONE)(line)
    assert "".join(text for text, _ in spans) == line
    assert len(spans) > 10


@given(st.text(max_size=200))
def test_json_colouring_loses_nothing_of_any_line(text: str) -> None:
    line = visible(text)
    assert "".join(piece for piece, _ in line_styler(Syntax.JSON, PLAIN, NONE)(line)) == line


def test_code_is_highlighted_by_file_name_or_language() -> None:
    palette = Palette(tuple(Style(color=f"#0000{number:02x}") for number in range(len(PLAIN.styles))))
    for language in ("a/b.py", "python"):
        rows = code_rows("def f():\n    return 1\n", language, 40, palette, NONE)
        assert rows is not None
        assert [said(row) for row in rows] == ["def f():", "    return 1"]
        assert rows[0][0].style == palette["keyword"]
    assert code_rows("x", "no-such-language", 40, palette, NONE) is None
    assert code_rows("x" * 10_000, "a.py", 40, palette, NONE) is None


MARKDOWN = """# Title
one
two <b>bold</b> <script>alert(1)</script>

1. first
2. second
   - inner

| a | b |
|---|--:|
| 1 | 22 |

```py
if x:
    y()
```

> quoted [words](https://example.org) and [bad](javascript:alert(1)) ![pic](https://x.org/p.png)

---
~~gone~~ **strong** *soft* `code` &#x202e; &amp; &lt;
"""


def test_markdown_keeps_html_line_breaks_and_addresses() -> None:
    rows = markdown_rows(MARKDOWN, 80, PLAIN, NONE)
    assert [said(row).rstrip() for row in rows] == [
        "# Title",
        "",
        "one",
        "two <b>bold</b> <script>alert(1)</script>",
        "",
        "1. first",
        "2. second",
        "   • inner",
        "",
        "a   b",
        "─────",
        "1  22",
        "",
        "  if x:",
        "      y()",
        "",
        "▌ quoted words (https://example.org) and [bad](javascript:alert(1)) [image:",
        "▌ pic https://x.org/p.png]",
        "",
        "────────────────────────",
        "gone strong soft code ◦ & <",
    ]


def test_styled_text_carries_neither_links_nor_meta_data() -> None:
    for row in markdown_rows(MARKDOWN, 60, PLAIN, NONE):
        for segment in row:
            assert segment.control is None
            assert not (segment.style and (segment.style.link or segment.style.meta))


@given(ODD, st.integers(1, 60))
@settings(max_examples=150, deadline=None)
def test_markdown_of_any_text_is_safe(text: str, width: int) -> None:
    rows = styled_rows(Body(text, Syntax.MARKDOWN), 0, len(text), width, PLAIN, NONE)
    assert rows is not None, "a text the styler cannot cope with"
    for row in rows:
        assert visible(said(row)) == said(row)


@pytest.mark.parametrize(
    "text", [">" * 5_000, "- " * 3_000, "[" * 5_000, "*a " * 4_000, "`" * 4_001, "|" * 3_000]
)
def test_markdown_made_to_hurt_is_styled_or_left_plain(text: str) -> None:
    styled_rows(Body(text, Syntax.MARKDOWN), 0, len(text), 60, PLAIN, NONE)


# -- documents ----------------------------------------------------------------------------------------


def numbered(count: int, word: str = "row") -> Rows:
    return Rows([rows_of([(f"{word} number {number}", NONE)], 80, words=False)[0] for number in range(count)])


def test_a_document_stacks_views() -> None:
    document = Document([DocumentItem(numbered(3)), DocumentItem(numbered(2, "other"))], [])
    assert document.height == 5
    assert said(document.row(3)[1]) == "other number 0"
    with pytest.raises(IndexError):
        document.row(5)


def test_swapping_a_text_above_the_window_moves_the_window_along() -> None:
    document = Document([DocumentItem(numbered(3)), DocumentItem(numbered(10, "next"))], [])
    assert document.swap(0, numbered(8), 5) == 10
    assert said(document.row(10)[1]) == "next number 2"


def test_swapping_the_text_being_read_keeps_its_first_row() -> None:
    plain = lazy("\n".join(f"- item number {n}" for n in range(300)), 60)
    document = Document([DocumentItem(plain)], [])
    document.settle(0, 400)
    spaced: list[Row] = []
    for number in range(300):
        spaced += [*rows_of([(f"• item number {number}", NONE)], 60, words=False), []]
    top = document.swap(0, Rows(spaced), 100)
    assert said(document.row(top)[1]) == "• item number 100"


def text_part(key: str, text: str, **more: Any) -> Part:
    return Part(PartKind.PROSE, key, body=Body(text), **more)


def shown(parts: list[Part], folds: dict[str, Fold] | None = None, width: int = 40) -> list[str]:
    document = lay_out(parts, folds or {}, LayoutStyle(width, PLAIN, signs=Signs("⏎")), lambda wish: None)
    document.settle(0, 10**9)
    rows = []
    for at in range(document.height):
        item, row = document.row(at)
        rows.append("".join(segment.text for segment in (*item.prefix, *row)).rstrip())
    return rows


CALL = Part(
    PartKind.CALL,
    "call",
    title="bash",
    subject="npm test",
    note="exit 0",
    body=Body("npm test"),
    children=(Part(PartKind.RESULT, "result", body=Body("14 passed")),),
)


def test_a_call_stands_above_its_result() -> None:
    assert shown([CALL]) == ["▾ bash  npm test" + " " * 18 + "exit 0", "  │ 14 passed"]
    assert shown([CALL], {"call": Fold.CLOSED}) == ["▸ bash  npm test" + " " * 18 + "exit 0"]


def test_what_does_not_fit_beside_a_title_goes_below_it() -> None:
    part = Part(PartKind.CALL, "c", title="read", subject="src/a/long/path/name.ts", note="lines 1 to 9")
    assert shown([part], width=30) == ["· read" + " " * 12 + "lines 1 to 9", "  src/a/long/path/name.ts"]
    assert shown([part], width=17) == ["· read", "  lines 1 to 9", "  src/a/long/path", "  /name.ts"]


def test_a_command_of_several_lines_is_shown_as_it_is() -> None:
    part = Part(PartKind.CALL, "c", title="bash", subject="a b", body=Body("a\nb"))
    assert shown([part]) == ["▾ bash", "  a", "  b"]


def test_empty_rows_stand_around_prose_only() -> None:
    fold = Part(PartKind.THINKING, "t", title="thinking", body=Body("hm"), folded=True)
    parts = [text_part("a", "one"), fold, CALL, text_part("b", "two")]
    assert shown(parts) == [
        "one",
        "",
        "▸ thinking",
        "▾ bash  npm test" + " " * 18 + "exit 0",
        "  │ 14 passed",
        "",
        "two",
    ]


def test_long_text_tells_how_much_is_left_out() -> None:
    part = Part(PartKind.RESULT, "r", body=Body("\n".join(map(str, range(50)))), preview=Preview(3, 2))
    assert shown([part]) == ["0", "1", "2", "… 45 lines more · ⏎ shows all", "48", "49"]
    assert len(shown([part], {"r": Fold.OPEN})) == 50


@pytest.mark.parametrize("width", [1, 2, 5, 20, 200])
def test_any_width_will_do(width: int) -> None:
    parts = [
        CALL,
        text_part("a", "日本語 words " * 20),
        Part(PartKind.NOTICE, "n", title="a notice of some length"),
    ]
    parts.append(Part(PartKind.DETAILS, "d", title="details", facts=(Fact("name", "value " * 10),)))
    rows = shown(parts, width=width)
    if width >= 5:
        assert all(cells.cell_len(row) <= width for row in rows)
    assert rows


def test_markdown_and_highlighting_are_not_imported_at_start() -> None:
    code = "import sys, pitree.ui.entry; print([name for name in sys.modules if name.split('.')[0] in %r])"
    late = ("pygments", "markdown_it")
    ran = subprocess.run([sys.executable, "-c", code % (late,)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
