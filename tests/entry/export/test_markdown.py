"""Markdown exports: read back by a parser they say what the session says, whatever it says."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pitree.entry.export.markdown import code, markdown, plain
from pitree.session.manager.manager import SessionManager
from tests.entry.export.conftest import harmful_session
from tests.entry.export.test_prose import COMMONMARK, CONTROLS, WITH_TABLES, alive
from tests.support.hostile_markdown import HOSTILE
from tests.support.stories import Story


def written(session: SessionManager, end: int | None = None) -> str:
    return "".join(markdown(session, session.leaf_index if end is None else end))


def headings(text: str) -> list[str]:
    tokens = COMMONMARK.parse(text)
    return [
        after.content
        for token, after in pairwise(tokens)
        if token.type == "heading_open" and token.tag == "h2"
    ]


def fences(text: str) -> list[tuple[str, str]]:
    return [(token.info, token.content) for token in COMMONMARK.parse(text) if token.type == "fence"]


def test_every_entry_of_the_branch_is_a_heading(rich: SessionManager) -> None:
    found = [heading.split(" · ")[0] for heading in headings(written(rich))]
    assert found == [
        *("model change", "user", "assistant", "assistant", "assistant", "assistant", "user", "bash"),
        *("compaction", "branch summary", "custom message", "custom", "session info", "context edit"),
        *("label", r"from the future", "assistant"),
    ]


def test_texts_come_back_as_they_were(rich: SessionManager) -> None:
    made = written(rich)
    assert "Make it **good**" in made
    assert ("py", "print('hi')\n") in fences(made)
    assert ("", "one\n```\nfence inside\n````\nred\n") in fences(made)
    assert ("bash", "cat x\n") in fences(made) or "`cat x`" in made
    assert any(info == "diff" and "- old" in text and "+ new" in text for info, text in fences(made))
    assert "> Hmm, a `thought`" in made
    assert "*image: image/png 70 B · 1 × 1 pixels*" in made
    assert "All *so* far" in made
    assert "Done, shorter" in made
    assert "\nanother way\n" not in made
    assert made.startswith("# Better \\& \\<best\\>\n")
    assert "\\[checkpoint\\]" in made


def test_the_branch_ends_where_it_is_asked_to(rich: SessionManager) -> None:
    made = written(rich, rich.table.by_id["left"])
    assert made.endswith("\nanother way\n")
    assert "The end" not in made
    assert "up to left" in made


def test_an_empty_session() -> None:
    assert written(SessionManager.in_memory("/w")).startswith("# ")


@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_hostile_lives(kind: str) -> None:
    made = written(harmful_session(HOSTILE[kind]))
    for reader in (COMMONMARK, WITH_TABLES):
        assert alive(made, reader) == []
    assert not CONTROLS.search(made)
    made.encode()
    assert len([heading for heading in headings(made) if heading.startswith("user · ")]) >= 2
    assert made.rstrip().endswith("the very end")


@pytest.mark.parametrize(
    "line", ["`a`", "``", " x", "*a* _b_ [c](d) <e> # f | ~g~ ! & $h$", "1. x", "- y", "= z"]
)
def test_lines_say_what_they_say(line: str) -> None:
    for made in (plain(line), code(line)):
        (inline,) = [token for token in WITH_TABLES.parse(made) if token.type == "inline"]
        said = "".join(child.content for child in inline.children or [])
        assert said.strip() == line.strip()


def test_fault_19_output_has_its_links_and_no_sequences() -> None:
    printed = "\x1b]0;t\x07\x1b]8;;https://a.org\x1b\\docs\x1b]8;;\x1b\\ \x1b[31mred\x1b[0m\n 1%\r 2%\n"
    made = written(Story().user("u1", "x").tool("t1", "bash", {"command": "x"}, printed).session())
    assert ("", "docs (https://a.org) red\n 2%\n") in fences(made)
    assert "␛" not in made
