"""HTML exports: one page, valid, that loads nothing and runs nothing, whatever the session holds."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

import pytest

from pitree.entry.export.html import html_page
from pitree.entry.export.page import POLICY, STYLE
from pitree.entry.export.rendering import rendered
from pitree.entry.export.safe_text import data_uri
from pitree.entry.parts.model import Picture
from pitree.session.manager.manager import SessionManager
from tests.entry.export.conftest import PNG, harmful_session
from tests.entry.export.test_prose import CONTROLS
from tests.support.hostile_markdown import HOSTILE
from tests.support.stories import Story

VOID = frozenset({"meta", "link", "img", "br", "hr"})
TAGS = VOID | {
    *("html", "head", "body", "title", "style", "header", "main", "article", "nav", "details", "summary"),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "dl",
        "dt",
        "dd",
        "ol",
        "ul",
        "li",
        "p",
        "div",
        "span",
        "time",
        "a",
    ),
    *("pre", "code", "ins", "del", "blockquote", "strong", "em", "s"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = frozenset(
    {
        *("lang", "charset", "http-equiv", "content", "name", "rel", "href", "class", "id", "datetime"),
        *("open", "alt", "src", "start"),
    }
)


class Reader(HTMLParser):
    """Reads a page and checks on the way that elements close in turn and nothing in it could run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self.texts: list[str] = []
        self.articles = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES, (tag, name)
            if name == "href" and tag == "a":
                self.links.append(str(value))
            if name == "src":
                self.images.append(str(value))
        self.articles += tag == "article"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style",):
            self.texts.append(data)

    def handle_decl(self, decl: str) -> None:
        assert decl == "DOCTYPE html"

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")


def written(session: SessionManager) -> str:
    return "".join(html_page(session, session.leaf_index))


def read(page: str) -> Reader:
    """Read a page, and make sure that what it links to or shows may be in it."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    for link in reader.links:
        assert re.match(r"https?://|mailto:|#e\d+$", link), link
    for image in reader.images:
        assert re.match(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$", image)
    return reader


def test_a_page_says_what_the_session_says(rich: SessionManager) -> None:
    page = written(rich)
    reader = read(page)
    said = "".join(reader.texts)
    for words in (
        "Better & <best>",
        "Make it ",
        "fence inside",
        "- old",
        "All ",
        "Done, shorter",
        "checkpoint",
    ):
        assert words in said
    assert "<strong>good</strong>" in page
    assert reader.articles == 17
    assert len(reader.images) == 1
    assert base64.b64decode(reader.images[0].partition(",")[2]) == PNG
    assert ">another way<" not in page
    assert "default-src 'none'" in page
    assert POLICY in page
    assert STYLE in page


@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_hostile_lives(kind: str) -> None:
    page = written(harmful_session(HOSTILE[kind]))
    reader = read(page)
    page.encode()
    assert not CONTROLS.search(page)
    assert not CONTROLS.search("".join(reader.texts))
    assert "the very end" in reader.texts[-3:] or any("the very end" in text for text in reader.texts)


def test_only_three_kinds_of_links_live() -> None:
    text = "[a](https://x.y/z?a=1&b=2) [b](mailto:a@b.c) <http://x.y> [c](javascript:x) [d](/etc) [e](#x) [f](ftp://x)"
    assert re.findall(r'href="([^"]*)"', rendered(text)) == [
        "https://x.y/z?a=1&amp;b=2",
        "mailto:a@b.c",
        "http://x.y",
    ]
    assert "[c](javascript:x)" in rendered(text)


def test_pictures_in_prose_are_links_and_aligned_tables_have_no_style() -> None:
    assert rendered("![shot](https://a.b/c.png)").startswith('<p><a href="https://a.b/c.png"')
    table = rendered("| a | b |\n|:-:|--:|\n| 1 | 2 |")
    assert "style" not in table
    assert '<th class="center">a</th>' in table


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "png"),
        (b"\xff\xd8\xff\xe0 jpeg", "jpeg"),
        (b"GIF89a gif", "gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "webp"),
        (b"<svg onload=alert(1)>", ""),
        (b"BM a bitmap", ""),
        (b"RIFF\x00\x00\x00\x00WAVE", ""),
        (b"", ""),
    ],
)
def test_the_first_bytes_tell_what_an_image_is(data: bytes, kind: str) -> None:
    uri = data_uri(Picture(base64.b64encode(data).decode()))
    assert uri.partition(";")[0] == (f"data:image/{kind}" if kind else "")


@pytest.mark.parametrize(
    "data", ["not base64!", 'iVBORw0KGgo"><script>', "iVBO=Rw0", "data:text/html,<b>", "é"]
)
def test_what_is_no_base64_is_no_image(data: str) -> None:
    assert data_uri(Picture(data)) == ""


def test_five_thousand_entries_are_all_there_and_their_links_dead() -> None:
    story = Story()
    for number in range(5_000):
        story.user(f"u{number}", f"number {number} [x](javascript:alert({number}))")
    reader = read(written(story.session()))
    assert reader.articles == 5_000
    said = "".join(reader.texts)
    assert all(f"number {number} [x](javascript:alert({number}))" in said for number in range(5_000))
    assert {link[0] for link in reader.links} == {"#"}


def test_fault_24_only_odd_links_stay_as_they_were_written() -> None:
    said = (
        "[t][ok] [b][bad] [i](javascript:1) [j](https://j.org) ![p](data:1) <https://c.d> <javascript:2>\n\n"
        "[bad]: javascript:3\n[ok]: https://a.b"
    )
    page = rendered(said)
    reader = read(f"<div>{page}</div>")
    assert reader.links == ["https://a.b", "https://j.org", "https://c.d"]
    shown = "".join(reader.texts)
    assert shown.startswith("t [b][bad] [i](javascript:1) j ![p](data:1) https://c.d <javascript:2>\n")
    assert "[bad]: javascript:3" in shown


def test_fault_19_hyperlinks_of_output_are_live_if_they_may_be() -> None:
    links = [("https://a.org/?x=1&y", "docs"), ("javascript:alert(1)", "bad"), ("file://h/x", "file")]
    printed = " ".join(f"\x1b]8;;{address}\x1b\\{words}\x1b]8;;\x1b\\" for address, words in links)
    printed += " \x1b]8;;https://b.org\x07https://b.org\x1b]8;;\x07 \x1b[31m<b>\x1b[0m"
    page = written(Story().user("u1", "x").tool("t1", "bash", {"command": "x"}, printed).session())
    reader = read(page)
    assert reader.links == ["https://a.org/?x=1&y", "https://b.org"]
    said = "".join(reader.texts)
    assert "docs (https://a.org/?x=1&y) bad (javascript:alert(1)) file (file://h/x) https://b.org <b>" in said
    assert "␛" not in page
