"""The border for untrusted text: nothing a terminal would obey or a reader could not see gets through."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len as painted_len

from pitree.text.cells import cell_len
from pitree.text.sanitize import MAX_MARKS, TAB, visible
from pitree.text.widths import WIDTHS
from tests.support.work import computing_at_most

FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    "\ufff9-\ufffb\U000e0001\ud800-\udfff]"
)
FORBIDDEN_LINES = re.compile(FORBIDDEN.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))

HOSTILE = st.text(
    st.sampled_from(
        "ab1#m;[]()B?\\ \t\n\r\x00\x07\x1b\x7f\x80\x85\x9b\x9d\xad\u0301\u0308\u061c\u093f\u094d\u0915\u0937"
        "\u0645\u06cc\u200b\u200c\u200d\u200e\u2028\u202e\u2066\u20e3\u2640\u2764\u26a0\u3164\u65e5\ufe0e\ufe0f"
        "\ufe01\ufeff\ud800\udc00\U0001d400\U0001f1e9\U0001f1ea\U0001f3f4\U0001f3fd\U0001f468\U0001f469"
        "\U000e0067\U000e007f\U000e0100"
    ),
    max_size=40,
)
ANY_TEXT = st.text(st.characters(codec=None)) | HOSTILE


def test_every_code_point_becomes_harmless_and_measurable() -> None:
    shown = [visible(chr(code)) for code in range(sys.maxunicode + 1)]
    assert FORBIDDEN.search("".join(shown)) is None
    assert [hex(code) for code, text in enumerate(shown) if not 1 <= cell_len(text) <= 2] == []
    changed = {text for code, text in enumerate(shown) if text != chr(code)}
    assert [text for text in changed if painted_len(text) != cell_len(text)] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("naïve – „quoted“ ✓ 日本語", "naïve – „quoted“ ✓ 日本語"),
        ("a\x1b[2Jb\x07c\td\re\x9bf", "a␛b␇c d e�f"),
        ("\x1b[1;32mok\x1b[0m", "␛ok␛"),
        ("\x9b31mred", "␛red"),
        ("tput\x1b(B", "tput␛"),
        ("\x1b]0;a title\x07then", "␛]0;a title␇then"),
        ("\x1b]8;;https://pi.dev\x1b\\link\x1b]8;;\x1b\\", "␛]8;;https://pi.dev␛\\link␛]8;;␛\\"),
        ("\x1bP1;2q\x9c", "␛P1;2q�"),
        ("\x1b" * 3 + "[31m", "␛␛␛"),
        ("ends with \x1b", "ends with ␛"),
        ("\x1b[" + "1;" * 100 + "m", "␛[" + "1;" * 100 + "m"),
        ("\x00\x7f\x85\x9f", "␀␡��"),
        ("one\r\ntwo\nthree\u2028four\u2029five\rsix", "one two three four five six"),
        ("user\u202egnp.exe", "user◦gnp.exe"),
        ("\u2066a\u2069\u200e\u200f\u061c", "◦a◦◦◦◦"),
        ("\ufeffzero\u200bwidth\u2060so\xadft", "◦zero◦width◦so◦ft"),
        ("blank\u3164", "blank◦"),
        ("bad \ud83d surrogate \udc00", "bad � surrogate �"),
        ("ok\U000e0048\U000e0069", "ok◦◦"),
        ("a\u200db", "a◦b"),
        ("a\ufe0fb", "a◦b"),
        ("\U0001f44d\ufe0f\ufe0e\ufe0f", "\U0001f44d◦◦"),
        ("漢\U000e0100字", "漢\U000e0100字"),
        ("漢\U000e0100\U000e0101", "漢\U000e0100◦"),
        ("skin \U0001f3fd alone", "skin ◦ alone"),
    ],
)
def test_stand_ins(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "cafe\u0301",
        "क्षि",
        "می\u200cخواهم",
        "ශ්\u200dරී",
        "سلام",
        "שלום",
        "ภาษาไทย",
        "한국어 \u1112\u1161\u11ab",
        "🇩🇪🇫🇷",
        "👍🏽",
        "👨‍👩‍👧‍👦",
        "👩🏻‍❤️‍💋‍👨🏼",
        "🏳️‍🌈",
        "🏃‍♀️",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "𝐛𝐨𝐥𝐝",
        "\u00a0non\u202fbreaking",
        "\ue0b0 private use",
    ],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_emoji_style_goes_where_terminals_disagree_about_the_width() -> None:
    assert visible("⚠️ 1️⃣ ✅️ ©️ ☺︎") == "⚠ 1⃣ ✅ © ☺"


def test_marks_are_capped_and_get_a_letter_to_stand_on() -> None:
    assert visible("e" + "\u0301" * 1000 + "x") == "e" + "\u0301" * MAX_MARKS + "◦x"
    assert visible("\u0301 x") == "◌\u0301 x"
    assert visible("a\n\u0301", keep_newlines=True) == "a\n◌\u0301"
    assert visible("a\n\u0301") == "a \u0301"


def test_an_endless_joined_emoji_comes_apart() -> None:
    shown = visible("👨\u200d" * 1000 + "👨")
    assert shown.startswith("👨\u200d" * 7 + "👨◦👨◦")
    assert cell_len(shown) == 2 + 3 * 993


def test_a_first_message_full_of_controls_is_one_clean_line() -> None:
    shown = visible("\x1b[2J\x1b]2;owned\x07Fix\tthe\r\nlogin\x9b")
    assert shown == "␛␛]2;owned␇Fix the login�"
    assert shown.isprintable()


def test_lines_are_kept_on_request() -> None:
    text = "one\r\ntwo\rthree\u2028four\u2029\x0bfive\x0csix\x85\x1c"
    assert visible(text, keep_newlines=True) == "one\ntwo\nthree\nfour\n␋five␌six�␜"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\ta\tb", " " * TAB + "a   b"),
        ("abcd\te\n\tf", "abcd    e\n    f"),
        ("é\tb", "é   b"),
        ("日\tb\n\tc", "日  b\n    c"),
        ("e\u0301\tb", "e\u0301   b"),
        ("\x1b[1m\tb", "␛   b"),
    ],
)
def test_tabs_expand_to_stops_in_cells(text: str, shown: str) -> None:
    assert visible(text, keep_newlines=True) == shown


@given(ANY_TEXT)
def test_one_line_without_controls(text: str) -> None:
    shown = visible(text)
    assert FORBIDDEN.search(shown) is None
    assert painted_len(shown) == cell_len(shown)


@given(ANY_TEXT)
def test_lines_without_controls(text: str) -> None:
    shown = visible(text, keep_newlines=True)
    assert FORBIDDEN_LINES.search(shown) is None
    assert shown.split("\n") == shown.splitlines() or shown.endswith("\n") or not shown


@example("\u0600\u200d\u3164", False)
@given(ANY_TEXT, st.booleans())
def test_nothing_is_left_to_do_the_second_time(text: str, lines: bool) -> None:
    shown = visible(text, keep_newlines=lines)
    assert visible(shown, keep_newlines=lines) == shown


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_printable_ascii_is_untouched(text: str) -> None:
    assert visible(text) is text
    assert visible(text, keep_newlines=True) is text


@given(ANY_TEXT)
def test_nothing_readable_is_dropped(text: str) -> None:
    text = text.replace("\x1b", "").replace("\x9b", "")
    assert re.findall("[!-~]", visible(text)) == re.findall("[!-~]", text)


@given(ANY_TEXT)
def test_no_cell_carries_a_heap_of_marks(text: str) -> None:
    heap = 0
    for character in visible(text + "\u0301" * 20):
        heap = 0 if WIDTHS[ord(character)] else heap + 1
        assert heap <= MAX_MARKS + 3  # a selector, a skin tone and a joiner may come on top


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[" * 200_000,
        "\x1b[" + "1;" * 200_000,
        ("\x1b[" + "1" * 60) * 5_000,
        "\x1b]0;" + "x" * 400_000,
        "\x9b1;" * 100_000,
        "\u0301" * 300_000,
        "a\u0301" * 150_000,
        "👨\u200d" * 150_000,
        "क्\u200d" * 100_000,
        "🏴" + "\U000e0061" * 300_000,
        "🏴\U000e0061" * 150_000,
        "\ufe0f" * 300_000,
        "\t\n日" * 100_000,
        "日\t" * 150_000,
        "\x00" * 400_000,
    ],
    ids=lambda text: ascii(text[:4]),
)
def test_time_is_linear_in_hostile_text(text: str) -> None:
    with computing_at_most(5):  # quadratic work would be minutes
        visible(text, keep_newlines=True)
        visible(text)
