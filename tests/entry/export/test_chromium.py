"""The HTML page in a real browser: nothing leaves it, nothing runs; it prints how long a long one takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pitree.entry.export.html import html_page
from pitree.session.manager.manager import SessionManager
from tests.entry.export.conftest import harmful_session, rich_story
from tests.support.chromium import Chromium, NoBrowserError, chromium, find_chromium
from tests.support.hostile_markdown import HOSTILE
from tests.support.stories import Story


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    program = find_chromium()
    if program is None:
        pytest.skip("there is no Chromium here: install it, or name one in PITREE_CHROMIUM")
    with ExitStack() as stack:
        try:
            started = stack.enter_context(chromium(program, tmp_path_factory.mktemp("chromium")))
        except NoBrowserError as error:
            pytest.skip(f"{program} does not start here: {error}")
        yield started


def page(session: SessionManager, folder: Path) -> str:
    """The address of a page with the session's branch."""
    path = folder / "page.html"
    path.write_text("".join(html_page(session, session.leaf_index)), encoding="utf-8")
    return path.as_uri()


def loaded(requests: list[str], address: str) -> list[str]:
    """What was asked for besides the page and the images in it."""
    return [request for request in requests if request != address and not request.startswith("data:image/")]


def test_every_kind_of_entry(browser: Chromium, tmp_path: Path) -> None:
    address = page(rich_story().session(), tmp_path)
    visit = browser.visit(address)
    assert address in visit.requests
    assert loaded(visit.requests, address) == []
    assert visit.complaints == []
    assert browser.ask("document.querySelectorAll('article').length") == 17
    assert browser.ask("document.images[0].naturalWidth") == 1
    assert browser.ask("getComputedStyle(document.body).maxWidth") == "960px"


@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_hostile_lives(browser: Chromium, tmp_path: Path, kind: str) -> None:
    address = page(harmful_session(HOSTILE[kind]), tmp_path)
    visit = browser.visit(address)
    assert loaded(visit.requests, address) == []
    assert visit.complaints == []
    assert browser.ask("document.scripts.length") == 0
    assert (
        browser.ask("document.body.lastElementChild.lastElementChild.textContent")
        .strip()
        .endswith("the very end")
    )


def test_the_page_forbids_what_is_put_into_it(browser: Chromium, tmp_path: Path) -> None:
    """The policy holds even where the escaping would fail, and this file would notice."""
    address = page(rich_story().session(), tmp_path)
    path = tmp_path / "page.html"
    evil = '<img src="http://x.invalid/p.png"><script>window.ran = 1</script><p style="color:red">x</p>'
    path.write_text(path.read_text(encoding="utf-8").replace("</main>", f"{evil}</main>"), encoding="utf-8")
    visit = browser.visit(address)
    assert len(visit.complaints) >= 2
    assert browser.ask("window.ran === undefined")


def test_five_thousand_entries(browser: Chromium, tmp_path: Path) -> None:
    story = Story()
    for number in range(1_000):
        story.user(f"u{number}", f"number {number} [x](javascript:alert(1))")
        story.tool(f"t{number}", "bash", {"command": f"ls {number}"}, "line\n" * 20)
        story.assistant(f"a{number}", f"## Answer\n\n- **{number}**\n- `code`\n\n```py\nprint({number})\n```")
        story.add(f"s{number}", "thinking_level_change", thinkingLevel="high")
    session = story.session()
    assert session.get_entry_count() == 5_000
    address = page(session, tmp_path)
    visit = browser.visit(address)
    assert loaded(visit.requests, address) == []
    assert visit.complaints == []
    assert browser.ask("document.querySelectorAll('article').length") == 4_000  # results stand with calls
    assert browser.ask("document.querySelectorAll('details.call').length") == 1_000
    print(f"5,000 entries: {visit.seconds:.2f} s")
