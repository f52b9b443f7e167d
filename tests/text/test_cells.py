"""Measuring, cutting and wrapping in cells: never wider than asked for, never through a character."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len as painted_len
from rich.cells import set_cell_size
from wcwidth import iter_graphemes

from pitree.text.cells import cell_len, clusters, crop, cut, pad, snap, wrap, wrap_iter, wrap_spans
from pitree.text.sanitize import visible
from tests.support.work import computing_at_most, lines_run

NAME = "日本語👨‍👩‍👧‍👦क्षि"
WORLD = [
    "plain ASCII",
    "Grüße, naïve café",
    "cafe\u0301 e\u0301\u0308",
    "日本語のテキスト、全角",
    "한국어 \u1112\u1161\u11ab",
    "👨‍👩‍👧‍👦 family",
    "👩🏻‍❤️‍💋‍👨🏼 kiss",
    "👍🏽 🏽",
    "🇩🇪🇫🇷🇬",
    "1️⃣#️⃣",
    "❤️ ⚠️ ☺︎ ✅",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "🏳️‍🌈 🏃‍♀️",
    "क्षि नमस्ते দুনিয়া ക്ഷ",
    "ශ්\u200dරී ලංකාව",
    "می\u200cخواهم שלום",
    "ภาษาไทย กำ",
    "box ├─└ ⊞⊟ • … ␛ ◦",
    "𝐛𝐨𝐥𝐝 𐐀",
    "a\u200db \u200dx y\u200d",
    "\ufe0f❤\ufe0f\ufe0f\u0301\ufe0f",
    "tab\tbell\x07null\x00 c1\x9b",
    "lone \ud83d surrogate",
]
MIXED = st.lists(
    st.sampled_from([*"ab é日❤👨", "\u0301", "\ufe0f", "\u200d", "क", "्", "ि", "🇩", "🏽", "  "])
).map("".join)
ANY_TEXT = st.text(st.characters(codec=None)) | MIXED | st.lists(st.sampled_from(WORLD)).map(" ".join)
SHOWN = ANY_TEXT.map(visible)
WIDTHS = st.integers(0, 30)


def wrong_code_points() -> list[str]:
    """Code points that are not as wide as Rich paints them."""
    return [hex(code) for code in range(sys.maxunicode + 1) if cell_len(chr(code)) != painted_len(chr(code))]


def test_every_code_point_is_as_wide_as_it_is_painted() -> None:
    assert wrong_code_points() == []


def test_an_older_unicode_version_that_rich_paints_by_is_measured_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNICODE_VERSION", "9.0.0")
    code = "from tests.text import test_cells as t; print(t.wrong_code_points(), t.cell_len('\\U0001fae8'))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[] 1\n"


@pytest.mark.parametrize("text", WORLD)
def test_texts_of_the_world_are_as_wide_as_they_are_painted(text: str) -> None:
    assert cell_len(text) == painted_len(text)
    assert cell_len(text * 100) == painted_len(text * 100)


@given(ANY_TEXT)
def test_any_text_is_as_wide_as_it_is_painted(text: str) -> None:
    assert cell_len(text) == painted_len(text)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("abc", 3),
        (NAME, 10),
        ("👨‍👩‍👧‍👦", 2),
        ("क्षि", 2),
        ("🇩🇪", 2),
        ("1️⃣", 2),
        ("e\u0301", 1),
        ("␛◦�⊞…", 5),
    ],
)
def test_widths(text: str, width: int) -> None:
    assert cell_len(text) == width


@pytest.mark.parametrize(
    "text", ["👨‍👩‍👧‍👦", "क्षि", "🇩🇪", "1️⃣", "👍🏽", "e\u0301\u0308", "🏳️‍🌈", "각", "ක්\u200dෂ", "ക്ഷ", "க்", "న్మ"]
)
def test_one_character_to_a_reader_is_one_cluster(text: str) -> None:
    assert list(clusters(text)) == [(0, len(text), painted_len(text))]


@given(st.lists(st.sampled_from([text for text in WORLD if "\x00" not in text])).map(" ".join).map(visible))
def test_no_border_within_what_unicode_holds_together(text: str) -> None:
    borders = {0}
    for grapheme in iter_graphemes(text):
        borders.add(max(borders) + len(grapheme))
    assert {end for _, end, _ in clusters(text)} <= borders


@given(ANY_TEXT)
def test_clusters_cover_the_text_and_add_up(text: str) -> None:
    found = list(clusters(text))
    assert [start for start, _, _ in found] == [0, *(end for _, end, _ in found)][: len(found)]
    assert (found[-1][1] if found else 0) == len(text)
    assert sum(width for _, _, width in found) == cell_len(text)


def test_a_chain_of_conjuncts_does_not_outgrow_a_line() -> None:
    assert max(width for _, _, width in clusters("क्" * 1000)) == 4


@given(ANY_TEXT, WIDTHS, st.sampled_from(["…", "", "...", "日"]))
def test_a_cut_text_is_never_too_wide(text: str, width: int, ellipsis: str) -> None:
    assert painted_len(cut(text, width, ellipsis)) <= width


@given(SHOWN, WIDTHS)
def test_cutting_keeps_whole_characters_and_as_many_as_fit(text: str, width: int) -> None:
    shortened = cut(text, width)
    if cell_len(text) <= width and (width or not text):
        assert shortened == text
    elif width:
        kept = shortened.removesuffix("…")
        ends = {0: 0} | {end: own for _, end, own in clusters(text)}
        assert text.startswith(kept)
        assert len(kept) in ends
        after = next((own for start, _, own in clusters(text) if start == len(kept)), 0)
        assert cell_len(kept) + after + 1 > width
    else:
        assert shortened == ""


@pytest.mark.parametrize(
    ("text", "width", "shortened"),
    [
        ("hello world", 11, "hello world"),
        ("hello world", 8, "hello w…"),
        ("hello", 1, "…"),
        ("hello", 0, ""),
        ("hello", -3, ""),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("日本語", 1, "…"),
        (NAME, 9, "日本語👨‍👩‍👧‍👦…"),
        (NAME, 8, "日本語…"),
        ("🇩🇪🇫🇷", 3, "🇩🇪…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("ascii e\u0301", 7, "ascii e\u0301"),
        ("ascii e\u0301", 6, "ascii…"),
    ],
)
def test_cut(text: str, width: int, shortened: str) -> None:
    assert cut(text, width) == shortened


@given(SHOWN, WIDTHS, st.booleans())
def test_a_padded_text_has_exactly_the_width(text: str, width: int, right: bool) -> None:
    line = pad(text, width, right=right)
    assert painted_len(line) == width
    assert set_cell_size(line, width) == line


@pytest.mark.parametrize("width", range(10, 41))
def test_columns_stay_aligned_behind_a_name_of_wide_and_joined_characters(width: int) -> None:
    rows = [
        pad(visible(name), width - 4) + pad("12", 4, right=True) for name in (NAME, NAME * 3, "x", *WORLD)
    ]
    assert {painted_len(row) for row in rows} == {width}
    assert all(row.endswith("  12") for row in rows)


def grid(text: str) -> list[str]:
    """The text cell by cell; of a wide character each cell is a space but the first, which has it all."""
    cells: list[str] = []
    for start, end, width in clusters(text):
        if width:
            cells += [text[start:end]] + [""] * (width - 1)
    return cells


@given(SHOWN, st.integers(-2, 40), WIDTHS)
def test_a_window_shows_its_cells(text: str, start: int, width: int) -> None:
    shown = crop(text, start, width)
    start = max(start, 0)
    cells = grid(text)[start : start + width]
    assert painted_len(shown) == len(cells)
    for place, cell in enumerate(cells):
        whole = cell != "" and place + cell_len(cell) <= len(cells)
        if whole:
            assert crop(shown, place, cell_len(cell)) == cell


@pytest.mark.parametrize(
    ("text", "start", "width", "shown"),
    [
        ("hello", 1, 3, "ell"),
        ("hello", 4, 9, "o"),
        ("hello", 5, 9, ""),
        ("日本語", 0, 4, "日本"),
        ("日本語", 1, 4, " 本 "),
        ("日本語", 2, 3, "本 "),
        ("日本語", 1, 1, " "),
        ("ab👨‍👩‍👧‍👦cd", 3, 3, " cd"),
        ("e\u0301e\u0301x", 1, 2, "e\u0301x"),
    ],
)
def test_crop(text: str, start: int, width: int, shown: str) -> None:
    assert crop(text, start, width) == shown


@given(SHOWN, st.integers(5, 30))
@example("00000 \u093a", 5)
def test_wrapping_loses_only_spaces_at_breaks(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert lines
    assert all(painted_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    # A space with a mark on it is a character to be seen.
    assert all(line and next(iter_graphemes(line)) != " " for line in lines[1:])
    assert [text[start:end] for start, end in wrap_spans(text, width)] == lines


@given(SHOWN, st.integers(-1, 5))
@example("日本", 1)
@example("क्ष्म्य", 3)
def test_wrapping_to_almost_nothing_is_never_too_wide(text: str, width: int) -> None:
    assert all(painted_len(line) <= max(width, 1) for line in wrap(text, width))


@given(st.lists(st.text("abcé", min_size=1, max_size=8), min_size=1), st.integers(8, 30))
def test_words_that_fit_are_never_broken_and_lines_are_full(words: list[str], width: int) -> None:
    lines = wrap(" ".join(words), width)
    assert [word for line in lines for word in line.split(" ")] == words
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split(" ")[0]) > width


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10, [""]),
        ("the quick brown fox", 10, ["the quick", "brown fox"]),
        ("the quick", 9, ["the quick"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("ab cdefghij", 5, ["ab", "cdefg", "hij"]),
        ("    indented code line", 14, ["    indented", "code line"]),
        ("    abcdefgh", 6, ["    ab", "cdefgh"]),
        ("word      word", 6, ["word", "word"]),
        ("word     ", 5, ["word"]),
        ("a" + " " * 50, 5, ["a"]),
        ("          ", 4, [""]),
        ("日本語テキスト", 5, ["日本", "語テ", "キス", "ト"]),
        ("日本 語テキスト", 6, ["日本", "語テキ", "スト"]),
        ("aa 👨‍👩‍👧‍👦👨‍👩‍👧‍👦 b", 4, ["aa", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "b"]),
        ("aaa \u0301bbb", 5, ["aaa \u0301b", "bb"]),
        ("日", 1, ["…"]),
    ],
)
def test_wrap(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@pytest.mark.parametrize(
    "text", ["x" * 5_000_000, "日" * 500_000, "क्षि" * 200_000, "ab " * 500_000, " " * 5_000_000]
)
def test_a_line_of_megabytes_wraps_in_linear_time_and_piece_by_piece(text: str) -> None:
    first: list[str] = []
    with computing_at_most(1):
        assert lines_run(lambda: first.extend(islice(wrap_iter(text, 80), 3))) < 20_000
    with computing_at_most(10):  # quadratic work would be hours
        count = sum(1 for _ in wrap_iter(text, 80))
    assert count >= len(first)
    assert cell_len(first[0]) <= 80


def test_cutting_looks_at_no_more_than_it_keeps() -> None:
    def look(text: str) -> None:
        cut(text, 80)
        crop(text, 100, 80)

    short, long = "日" * 200, "日" * 2_000_000
    assert lines_run(lambda: look(short)) == lines_run(lambda: look(long))
    with computing_at_most(2):
        for _ in range(200):
            look(long)


@pytest.mark.parametrize(
    ("text", "spans", "whole"),
    [
        ("plain", [(1, 3)], [(1, 3)]),
        ("cafe\u0301s", [(3, 4)], [(3, 5)]),
        ("❤\ufe0f x", [(0, 1), (3, 4)], [(0, 2), (3, 4)]),
        ("👨‍👩‍👧‍👦!", [(2, 3), (4, 5), (7, 8)], [(0, 7), (7, 8)]),
        ("ab", [], []),
    ],
)
def test_highlights_are_widened_to_whole_characters(
    text: str, spans: list[tuple[int, int]], whole: list[tuple[int, int]]
) -> None:
    assert snap(text, spans) == whole


@given(ANY_TEXT, st.lists(st.integers(0, 40), unique=True).map(sorted))
def test_a_text_cut_at_highlights_is_as_wide_as_in_one_piece(text: str, edges: list[int]) -> None:
    edges = [edge for edge in edges if edge <= len(text)]
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    whole = snap(text, spans)
    places = [0, *(place for span in whole for place in span), len(text)]
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert sum(map(cell_len, pieces)) == cell_len(text)
    assert all(any(a <= start and end <= b for a, b in whole) for start, end in spans)
