"""Other people's Markdown: what is left of it lives in no renderer."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pitree.entry.export import prose as module
from pitree.entry.export import rendering
from pitree.entry.export.prose import fenced, prose
from pitree.entry.export.safe_text import is_live
from tests.support.hostile_markdown import HOSTILE

COMMONMARK = MarkdownIt("commonmark", {"html": True})
WITH_TABLES = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
for reader in (COMMONMARK, WITH_TABLES):
    reader.validateLink = lambda url: True  # type: ignore[method-assign]  # let through whatever is there

NEXT = "\n\n## the next entry\n"
CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def alive(text: str, reader: MarkdownIt) -> list[str]:
    """What would be more than text in a rendering: HTML, pictures, odd links, and an entry swallowed."""
    found = []
    tokens = reader.parse(text + NEXT)
    for token in flat(tokens):
        if token.type in ("html_block", "html_inline", "image"):
            found.append(f"{token.type} {token.content}")
        if token.type == "link_open" and not is_live(str(token.attrGet("href"))):
            found.append(f"link {token.attrGet('href')}")
    if [token.content for token in tokens[-3:-1]][-1:] != ["the next entry"]:
        found.append("the next entry is gone")
    return found


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("reader", [COMMONMARK, WITH_TABLES], ids=["commonmark", "tables"])
def test_nothing_hostile_lives(kind: str, reader: MarkdownIt) -> None:
    made = prose(HOSTILE[kind])
    assert alive(made, reader) == []
    assert not CONTROLS.search(made)
    assert not CONTROLS.search(reader.render(made))


def test_pieces_of_all_kinds_live_in_no_order() -> None:
    pieces = [piece for text in HOSTILE.values() if len(text) < 2_000 for piece in re.split(r"(?<=\W)", text)]
    pieces += [
        "`",
        "``",
        "```\n",
        "~~~\n",
        "\n",
        "\n\n",
        "    ",
        "> ",
        "- ",
        "1. ",
        "|",
        "\\",
        "[",
        "](",
        "<",
        "&",
    ]
    pieces += [
        "<b>",
        "<https://a.b>",
        "[a](http://a.b)",
        "javascript:x",
        "\n---|---\n",
        "  ",
        "\t",
        "![",
        "[x]: ",
        "[^1]: ",
        "[^1]",
        "[x][",
        "]",
        "https://a.b",
    ]
    for seed in range(1_500):
        chance = random.Random(seed)
        text = "".join(chance.choices(pieces, k=chance.randrange(2, 30)))
        for reader in (COMMONMARK, WITH_TABLES):
            assert alive(prose(text), reader) == [], (seed, text, prose(text))


def test_what_is_harmless_stays_as_it_was_written() -> None:
    text = (
        "# Title\n\nA [link](https://example.com/a?b=1&c=2), <https://example.com>, `a < b`, **bold**.\n\n"
        "- one\n- two\n\n```html\n<script>in code</script>\n```\n\n    <b>indented code</b>\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n> 1 &amp; 2 < 3"
    )
    assert prose(text) == text.replace("2 < 3", "2 &lt; 3")


def test_a_picture_becomes_a_link_and_an_odd_link_text() -> None:
    assert prose("![shot](https://a.b/c.png)") == "\\![shot](https://a.b/c.png)"
    assert prose("[a](src/x.py) and `[b]`") == "\\[a\\](src/x.py) and `[b]`"


def test_a_definition_reaches_no_other_entry() -> None:
    both = prose("[evil]: javascript:alert(1)") + "\n\n" + prose("see [evil]")
    assert alive(both, COMMONMARK) == []


def live_links(text: str, reader: MarkdownIt = COMMONMARK) -> list[str]:
    return [str(token.attrGet("href")) for token in flat(reader.parse(text)) if token.type == "link_open"]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[ok](https://a.b) [bad](javascript:1) [ok2](https://c.d)", ["https://a.b", "https://c.d"]),
        ("[file](src/x.py) and <https://a.b>", ["https://a.b"]),
        ("speaks of javascript: and of [ok](https://a.b)", ["https://a.b"]),
        (
            "[![bad](javascript:1)](https://a.b) [n [bad](data:1)](https://c.d)",
            ["https://a.b", "https://c.d"],
        ),
        ("[![ok](https://i.j)](https://a.b)", ["https://i.j"]),
        ("<b>[ok](https://a.b)</b> <javascript:1> <a href='javascript:1'>x</a>", ["https://a.b"]),
        ("> - [bad](vbscript:1)\n>   [ok](https://a.b)", ["https://a.b"]),
        ("| [bad](javascript:1) | [ok](https://a.b) |\n|---|---|\n", ["https://a.b"]),
        ("# [bad](javascript:1) [ok](https://a.b)", ["https://a.b"]),
        ("[t][x], [x][], [X]\n\n[x]: https://a.b", ["https://a.b"] * 3),
        ("[t][x]\n\n[bad]: javascript:1\n[x]: https://a.b", ["https://a.b"]),
        ("[t][bad] [bad] [x]\n\n> [bad]: javascript:1\n> [x]: https://a.b", ["https://a.b"]),
        ("[a\nb][x] `[x]`\n\n[x]: <https://a.b/(c)> 'title'", ["https://a.b/(c)"]),
        ("\\[x] \\\\[x]\n\n[x]: https://a.b", ["https://a.b"]),
    ],
)
def test_fault_24_only_the_odd_link_becomes_text(text: str, links: list[str]) -> None:
    made = prose(text)
    assert live_links(made) == links, made
    assert alive(made, WITH_TABLES) == []
    assert prose(made) == made


def test_fault_24_references_hold_in_their_own_text_only() -> None:
    both = prose("see [1]\n\n[1]: https://one.org") + NEXT + prose("and [1], a[1]\n\n[1]: https://two.org")
    assert live_links(both) == ["https://one.org", "https://two.org", "https://two.org"]
    assert live_links(prose("[1]: https://one.org") + NEXT + prose("a [1]")) == []


def test_fault_24_footnotes_stay_and_have_names_of_their_own() -> None:
    one = prose("said[^1] and[^n]\n\n[^1]: https://a.b\n[^n]: Two words, [ok](https://c.d)")
    other = prose("said[^1]\n\n[^1]: Other words")
    names = re.findall(r"\[\^([\w-]+)\]", one + other)
    assert len(names) == 6
    assert len(set(names)) == 3
    assert sorted(re.findall(r"^\[\^1-\w+\]: (.*)$", one + "\n" + other, re.MULTILINE)) == [
        "Other words",
        "https://a.b",
    ]
    assert "[ok](https://c.d)" in one
    assert prose("[^1]: javascript:alert(1)").startswith("\\[^1")
    assert prose("no note [^1] `[^1]`") == "no note [^1] `[^1]`"


def test_a_fence_is_longer_than_any_inside() -> None:
    text = "a\n`````\nb ``` c\n```"
    (token,) = COMMONMARK.parse(fenced(text, "md"))
    assert (token.type, token.content) == ("fence", text + "\n")


def test_a_huge_text_goes_into_a_fence() -> None:
    text = "<b> [x](javascript:1)\n" * 20_000
    made = prose(text)
    assert made.startswith("```markdown\n")
    assert alive(made, COMMONMARK) == []


_PLAIN_PIECES = [
    *"abé🙂æ日= +-1.)(\"'#>&\u00a0\u2003",
    " ",
    "\n",
    "\n\n",
    "  \n",
    "    ",
    "1. ",
    "word ",
    "`",
    "\u200d",
]


@given(st.lists(st.sampled_from(_PLAIN_PIECES), max_size=25).map("".join))
def test_what_needs_no_parser_is_the_same_with_one(said: str) -> None:
    made, page = prose(said), rendering.rendered(said)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SIGNS", ("",))
        patch.setattr(rendering, "_MARKED", re.compile(""))
        assert (prose(said), rendering.rendered(said)) == (made, page)
