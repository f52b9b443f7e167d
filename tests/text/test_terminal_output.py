"""What programs printed, as a terminal would have left it: links, titles, progress bars, half sequences."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pitree.entry.parts.copying import copy_text
from pitree.entry.parts.model import Part, PartKind
from pitree.entry.parts.registry import parts_of
from pitree.query.entries.searchable import searchable_text
from pitree.query.entries.text_parts import PartMaker
from pitree.session.format.entry_type import Kind
from pitree.session.format.jsonl import dump
from pitree.text.sanitize import visible
from pitree.text.terminal_output import ProgramOutput, printed, printed_words, without_colours
from tests.support.stories import Story
from tests.text.test_sanitize import FORBIDDEN_LINES

DOCS = "https://example.org/docs"
LINK = f"see \x1b]8;;{DOCS}\x1b\\the docs\x1b]8;;\x1b\\ now"
NOISE = (
    f"\x1b]0;npm test\x07\x1b]133;A\x07{LINK}\x1b]1337;File=inline=1:AAAA\x07\n"
    "\x1bP1$r0m\x1b\\\x1b[32mok\x1b[0m\x1b[K  10%\r  50%\r 100%\x1b[?25h\n"
)
READ = f"see the docs ({DOCS}) now\n 100%"


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (LINK, f"see the docs ({DOCS}) now"),
        (f"\x1b]8;id=1;{DOCS}\x07the docs\x1b]8;;\x07", f"the docs ({DOCS})"),
        (f"\x1b]8;;{DOCS}\x07{DOCS}\x1b]8;;\x07", DOCS),
        (f"\x1b]8;;{DOCS}/\x07{DOCS}\x1b]8;;\x07", DOCS),
        (f"\x1b]8;;{DOCS}\x07\x1b[34m{DOCS}\x1b[0m\x1b]8;;\x07", f"\x1b[34m{DOCS}\x1b[0m"),
        ("\x1b]8;;mailto:a@b.c\x07a@b.c\x1b]8;;\x07", "a@b.c (mailto:a@b.c)"),
        ("\x1b]8;;file://host/x\x07x\x1b]8;;\x07\n", "x (file://host/x)\n"),
        ("\x1b]8;;one:1\x07a\x1b]8;;two:2\x07b\x1b]8;;\x07c", "a (one:1)b (two:2)c"),
        (f"\x1b]8;;{DOCS}\x07never closed\nnext", f"never closed ({DOCS})\nnext"),
        (f"\x1b]8;;{DOCS}\x07\x1b]8;;\x07", ""),
        (f"\x1b]8;;{DOCS} never ended", f"\x1b]8;;{DOCS} never ended"),
        ("\x1b]0;a title\x07then\x1b]2;more\x1b\\.", "then."),
        ("\x1b]133;A\x07$ \x1b]133;B\x07ls\x1b]633;E;ls\x07", "$ ls"),
        ("\x1b]1337;File=name=x:QUJD\x07shown", "shown"),
        ("\x1bPq#0;2;0;0;0~~@@\n-\x1b\\after\x1b_Gf=100;AAAA\x1b\\", "after"),
        ("\x1b[2J\x1b[H\x1b[?25lx\x1b[3A\x1b[?25h\x1b7\x1b8\x1b(B\x1b[>4;2m", "x"),
        ("a\x1b[3Cb", "a   b"),
        ("\x1b[1;31mred\x1b[0m \x1b[38:2::1:2:3mx", "\x1b[1;31mred\x1b[0m \x1b[38:2::1:2:3mx"),
        ("  1%\r 50%\r100%\nnext\r\n", "100%\nnext\n"),
        ("longer\rshort\n", "shortr\n"),
        ("longer\r\x1b[Kshort\n", "short\n"),
        ("longer\x1b[2K\rshort", "short"),
        ("longer\x1b[1G\x1b[0Kshort", "short"),
        ("match\x1b[K of grep\x1b[K\n", "match of grep\n"),
        ("100%\r", "100%"),
        ("\x1b[31mred 1%\rred 2%\x1b[0m\n", "\x1b[31mred 2%\x1b[0m\n"),
        ("N\bNA\bAM\bME\bE _\bx", "NAME x"),
        ("wait |\b/\b-\b\\\bdone", "wait done"),
        ("\b\b\bx", "x"),
        ("ding\x07", "ding"),
        ("half \x1b[31", "half \x1b[31"),
        ("half \x1b]", "half \x1b]"),
        ("half \x1bPtext", "half \x1bPtext"),
        ("x\x1b", "x\x1b"),
    ],
)
def test_fault_19_output_is_read_as_a_terminal_leaves_it(raw: str, read: str) -> None:
    assert printed(raw).text == read


def test_fault_19_links_are_named_in_order() -> None:
    assert printed(f"{LINK} {LINK}").links == (DOCS, DOCS)
    assert printed(f"\x1b]8;;{DOCS}/\x07{DOCS}\x1b]8;;\x07").links == (DOCS,)
    assert printed("plain") == ProgramOutput("plain", ())


def test_fault_19_a_search_finds_text_and_address_and_what_was_written_over() -> None:
    words = printed_words(NOISE)
    assert f"the docs ({DOCS})" in words
    assert "ok  10%\r  50%" in words
    assert not re.search(r"\x1b|\x07|8;;|npm test|133;", words)


PIECES = (
    *(
        "\x1b",
        "\x1b]8;;",
        "\x1b]8;;u:1\x07",
        "\x1b]8;;\x1b\\",
        "\x1b]0;",
        "\x07",
        "\x1b\\",
        "\x1bP",
        "\x1bPq",
        "q",
    ),
    *(
        "\x1b[",
        "\x1b[K",
        "\x1b[2K",
        "31",
        "m",
        ";",
        "a",
        "bc",
        " ",
        "\n",
        "\r",
        "\b",
        "\t",
        "\x9b",
        "\x9d",
        "日",
    ),
    *("\u0301", "\u202e", "\ud800", "\x1b[31m", "\x1b[0m", "\x1b[9C", "\x1b[1G", "[", "]"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("\x1b\x1b]0;x\x07[31mred")
@example("\x1b\x1b]0;x\x07]8;;u\x07")
def test_fault_19_whatever_was_printed_nothing_reaches_the_terminal(raw: str) -> None:
    read = printed(raw)
    for shown in (read.text, without_colours(read.text), printed_words(raw)):
        assert FORBIDDEN_LINES.search(visible(shown, keep_newlines=True)) is None
    kept = re.sub(r"[^a-zA-Z日]", "", raw)
    assert set(re.sub(r"[^日]", "", without_colours(read.text))) <= set(kept)


def result(raw: str) -> Story:
    return Story().user("u1", "run it").tool("t1", "bash", {"command": "npm test"}, raw)


def texts(parts: list[Part]) -> list[str]:
    return [
        text
        for part in parts
        for text in [
            part.body.plain if part.kind is PartKind.RESULT and part.body else "",
            *texts(list(part.children)),
        ]
        if text
    ]


def test_fault_19_an_entry_and_what_is_copied_of_it() -> None:
    session = result(NOISE).session()
    for index in (1, 2):
        (said,) = texts(parts_of(session, index))
        assert said.startswith(READ), said
    assert copy_text(session, 2).startswith(READ)
    bash = {"role": "bashExecution", "command": "x", "output": NOISE, "exitCode": 0}
    session = Story().add("b1", "message", message=bash).session()
    (said,) = texts(parts_of(session, 0))
    assert said.startswith(READ)


def test_fault_19_both_makers_of_searchable_texts_agree() -> None:
    story = result(NOISE)
    bash = {"role": "bashExecution", "command": "x", "output": NOISE, "exitCode": 0}
    story.add("b1", "message", message=bash)
    session = story.session()
    maker = PartMaker()
    kinds = bytes(session.table.kinds)
    maker.take_lines([dump(entry) for entry in story.entries], kinds, [""])
    part = maker.made()
    for place in (2, 3):
        folded = part.blob[part.starts[place] : part.starts[place + 1]].decode()
        assert f"the docs ({DOCS})" in folded
        assert "8;;" not in folded
        assert f"the docs ({DOCS})" in searchable_text(story.entries[place], Kind(kinds[place]))
