"""The transcript: one text of a branch, moving with the tree, searched and scrolled to both its ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.style import Style
from textual.pilot import Pilot

from pitree.entry.branch_parts import Branch
from pitree.query.language.query import Query
from pitree.ui.app.app import PitreeApp
from pitree.ui.entry import DetailPane
from pitree.ui.entry.document.sections import LayoutStyle
from pitree.ui.entry.pane.branch_hits import BranchHits
from pitree.ui.entry.pane.transcript import Transcript
from pitree.ui.entry.styling.style_names import Palette
from tests.support.seeing import text, until, words
from tests.support.stories import Story, login_story
from tests.support.work import computing_at_most
from tests.ui.main.inspect.test_inspect import app_for, cursor_entry, file, shown

__all__ = ["file"]
SIZE = (100, 40)


def pane(app: PitreeApp) -> DetailPane:
    screen: Any = app.screen
    found = screen.detail_pane
    assert isinstance(found, DetailPane)
    return found


def at_top(app: PitreeApp) -> str:
    """Id of the entry at the top of the transcript."""
    screen: Any = app.screen
    return screen.opened.session.table.ids[pane(app).current_entry] if pane(app).document.height else ""


async def transcript(pilot: Pilot[Any]) -> None:
    app: Any = pilot.app
    await until(pilot, lambda: shown(app))
    await pilot.press("t")
    await until(pilot, lambda: "Transcript" in text(app) and " of " in str(pane(app).border_subtitle))


def long_story(turns: int) -> Story:
    story = Story()
    for number in range(turns):
        story.user(f"u{number}", f"question {number}").assistant(
            f"a{number}", f"answer {number}\n\n" + "word " * 30
        )
    return story


async def test_only_the_branch_through_the_cursor_is_told(file: Path) -> None:
    app = app_for(file)
    async with app.run_test(size=SIZE) as pilot:
        await transcript(pilot)
        pane(app).focus()
        await pilot.press("home")
        await until(pilot, lambda: "Add a login form" in words(app))
        said = " ".join(part.body.text for part in pane(app)._parts if part.body is not None)
        assert "Converted to TS" in said
        assert "Converted to JS" not in said
        app.screen.show_page(app.screen.page.TREE)  # type: ignore[attr-defined]
        app.screen.tree_pane.go_to(5)  # type: ignore[attr-defined]  # on the other branch
        await until(pilot, lambda: "Actually use JavaScript" in str([p.body for p in pane(app)._parts]))
        said = " ".join(part.body.text for part in pane(app)._parts if part.body is not None)
        assert "Converted to JS" in said
        assert "Converted to TS" not in said


async def test_it_moves_with_the_tree_and_the_tree_with_it(file: Path) -> None:
    app = app_for(long_story(40).write(file))
    async with app.run_test(size=SIZE) as pilot:
        await transcript(pilot)
        await pilot.press("up", "up", "up")
        await until(pilot, lambda: at_top(app) == cursor_entry(app) == "u38")
        await pilot.press("tab")
        await until(pilot, lambda: app.focused is pane(app))
        await pilot.press("K", "K", "K", "K")
        await until(pilot, lambda: cursor_entry(app) == "u37")
        assert at_top(app) == "u37"
        await pilot.press("t")
        await until(pilot, lambda: "Transcript" not in text(app) and "question 37" in words(app))


async def test_it_scrolls_from_one_end_to_the_other(file: Path) -> None:
    app = app_for(long_story(300).write(file))
    async with app.run_test(size=SIZE) as pilot:
        await transcript(pilot)
        await pilot.press("tab", "home")
        await until(
            pilot, lambda: "question 0" in words(app) and "entry 1 of 600" in str(pane(app).border_subtitle)
        )
        seen = set()
        for _ in range(400):
            seen.update(word for word in words(app).split() if word.isdecimal())
            if "answer 299" in words(app):
                break
            pane(app).action_page_down()
            await pilot.pause()
        assert {str(number) for number in range(300)} <= seen
        await pilot.press("end")
        await until(pilot, lambda: "entry 600 of 600" in str(pane(app).border_subtitle))


async def test_a_search_counts_and_visits_all_hits_of_the_branch(file: Path) -> None:
    story = long_story(150)
    story.entries[20]["message"]["content"] = "the first marmalade, and marmalade again"
    story.entries[250]["message"]["content"] = "the last marmalade"
    app = app_for(story.write(file))
    async with app.run_test(size=SIZE) as pilot:
        await transcript(pilot)
        await pilot.press("tab", "slash", *"marmalade", "enter")
        await until(pilot, lambda: app.focused is pane(app))
        here = pane(app)
        await until(pilot, lambda: here.hits_words == "match 3 of 3", 60)  # the stretch at the leaf has it
        for key, said, shows in [
            ("N", "match 2 of 3", "first marmalade"),
            ("N", "match 1 of 3", "first marmalade"),
            ("N", "match 3 of 3", "last marmalade"),
            ("n", "match 1 of 3", "first marmalade"),
            ("n", "match 2 of 3", "first marmalade"),
        ]:
            await pilot.press(key)
            await until(
                pilot, lambda said=said, shows=shows: here.hits_words == said and shows in words(app), 60
            )
        here.find('"nothing of the kind"')
        await until(pilot, lambda: here.hits_words == "no match", 60)


def test_stretches_are_due_near_their_ends_once_each() -> None:
    session = long_story(300).session()
    transcript = Transcript()
    assert (transcript.place(3), transcript.position(3), transcript.beyond(-1)) == (None, "", None)
    transcript.take(transcript.reader(session, 300, 300, same_branch=True)(lambda: False))
    assert transcript.position(300) == "entry 301 of 600"
    assert transcript.shows(300)
    assert not transcript.shows(0)
    assert (transcript.beyond(0), transcript.beyond(-1), transcript.beyond(300)) == (0, 599, None)
    assert transcript.due(300, top=500, rows=20, height=1_000) is None
    assert transcript.due(250, top=5, rows=20, height=1_000) == 250
    assert transcript.due(250, top=5, rows=20, height=1_000) is None, "it is being read"
    assert transcript.due(350, top=990, rows=20, height=1_000) == 350
    assert transcript.leads_to(250)
    assert not transcript.leads_to(250)
    assert not transcript.leads_to(5_000)


def test_hits_outside_the_stretch_are_counted_and_found() -> None:
    story = long_story(300)
    story.entries[20]["message"]["content"] = "marmalade, and marmalade again"
    transcript, look = Transcript(), LayoutStyle(60, Palette.read(lambda name: Style()))
    read = transcript.reader(story.session(), 300, None, same_branch=True)(lambda: False)
    transcript.take(read)
    hits = transcript.uncounted(Query.parse("marmalade"), look)
    assert hits is not None
    assert transcript.hits_around() == (0, 0, True)
    hits.fill(lambda: False, lambda: None)
    assert transcript.hits_around() == (2, 0, False)
    for step in (1, -1):
        found = transcript.finder(hits, step)(lambda: False)
        assert found is not None
        assert (found.go, found.step, found.hit_key) == (20, step, "e20.")
    assert transcript.finder(hits, 1)(lambda: True) is None
    assert transcript.uncounted(None, look) is None
    assert transcript.hits is None


def test_what_comes_to_a_branch_is_counted_too() -> None:
    story = long_story(100)
    branch = Branch(story.session(), 199)
    query = Query.parse("question")
    look = LayoutStyle(60, Palette.read(lambda name: Style()))
    before = BranchHits(branch, query, look)
    before.fill(lambda: False, lambda: None)
    assert (before.whole, before.between(0, 200), before.between(100, 200)) == (True, 100, 50)
    story.user("late", "one question, and another question")
    after = BranchHits(Branch(story.session(), 200), query, look, before)
    assert after.counted == 0, "another session"
    session = before.branch.session
    after = BranchHits(Branch(session, 199), query, look, before)
    assert after.counted == 150
    after.fill(lambda: False, lambda: None)
    assert after.between(0, 200) == 100
    stopped = BranchHits(branch, query, look)
    stopped.fill(lambda: stopped.counted == 7, lambda: None)
    assert (stopped.counted, stopped.whole) == (7, False)


async def test_the_entry_being_read_is_copied(file: Path) -> None:
    app = app_for(login_story().write(file))
    async with app.run_test(size=SIZE) as pilot:
        await transcript(pilot)
        copied: list[str] = []
        app.copy_text = copied.append  # type: ignore[method-assign]
        await pilot.press("tab", "home", "c")
        await until(pilot, lambda: copied == ["Add a login form"])
        await pilot.press("C")
        await until(pilot, lambda: "the whole branch, as Markdown" in text(app))
        await pilot.press("3")
        await until(pilot, lambda: len(copied) == 2)
        assert copied[1].index("Add a login form") < copied[1].index("Converted to TS")
        assert "Converted to JS" not in copied[1]


async def test_a_hundred_thousand_entries_stay_fluid(tmp_path: Path) -> None:
    file = long_story(50_000).write(tmp_path / "agent" / "sessions" / "--home-me-app--" / "long.jsonl")
    app = app_for(file)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: shown(app) and not app.screen.opened.provisional, 30)  # type: ignore[attr-defined]
        await pilot.press("t")
        await until(pilot, lambda: "100,000" in str(pane(app).border_subtitle), 30)
        pane(app).focus()
        for key in ["pageup"] * 40 + ["home", "pagedown", "end"]:
            with computing_at_most(0.5):
                await pilot.press(key)
        await until(pilot, lambda: "entry 100,000 of" in str(pane(app).border_subtitle), 30)
        assert len(pane(app)._parts) < 1_000
