"""Keys that write, pressed faster than anything is written: all is done in their order, on real files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event

import pytest

from pitree.session import SessionManager
from pitree.state.stars_and_archive import Shelf
from pitree.ui.main.edit.write_queue import WriteQueue
from tests.ui.main.edit.test_edit import added, app_for, opened, session, until

__all__ = ["session"]

TIMES = 200


async def test_fault_11_two_quick_undos_end_with_the_first_label(session: Path) -> None:
    app = app_for(session)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        manager, entry = screen.opened.session, screen.opened.session.entry(3).id
        for time in range(TIMES):
            before = session.read_bytes()
            screen.edits.label_entry(manager, entry, f"first {time}")
            screen.edits.label_entry(manager, entry, f"second {time}")
            screen.edits.action_undo()
            screen.edits.action_undo()
            await until(pilot, lambda before=before: len(added(session, before)) == 4)
            labels = [record.get("label") for record in added(session, before)]
            assert labels == [f"first {time}", f"second {time}", f"first {time}", None]
        assert SessionManager.open(session).get_label(entry) is None


async def test_fault_11_a_name_and_its_undo(session: Path) -> None:
    app = app_for(session)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        manager, entry = screen.opened.session, screen.opened.session.entry(3).id
        name = manager.get_session_name() or ""
        before = session.read_bytes()
        screen.edits.label_entry(manager, entry, "kept")
        # As `r` in the list does it for a session that is not open.
        screen.edits.open_quietly(session, lambda other: screen.edits.name_session(other, "quick"))
        screen.edits.action_undo()
        await until(pilot, lambda: len(added(session, before)) == 3)
        label, named, back = added(session, before)
        assert (label["label"], named["name"], back.get("name", "")) == ("kept", "quick", name)


async def test_fault_11_a_fork_after_a_label_has_the_label(session: Path) -> None:
    app = app_for(session)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        manager = screen.opened.session
        leaf = manager.leaf_index
        entry = manager.entry(leaf).id
        screen.edits.label_entry(manager, entry, "before the fork")
        screen.leaf_edits.forking.fork(manager, leaf, None)
        screen.leaf_edits.forking.fork(manager, leaf, None)
        await until(pilot, lambda: len(list(session.parent.glob("*.jsonl"))) == 3)
        await until(pilot, lambda: len(app.screen_stack) == 3)
        for path in session.parent.glob("*.jsonl"):
            assert "before the fork" in {label.text for label in SessionManager.open(path).labels.values()}


@pytest.mark.parametrize("what", ["star", "archive_session"])
async def test_fault_11_a_star_turned_twice_is_as_it_was(session: Path, tmp_path: Path, what: str) -> None:
    shelf = Shelf(tmp_path / "shelf.json")
    app = app_for(session, shelf=shelf)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        turn = getattr(screen, f"action_{what}")
        id = screen.opened.session.get_session_id()
        for _ in range(25):
            turn()
            turn()
            turn()
            screen.edits.action_undo()
            screen.edits.action_undo()
        ended = Event()
        screen.edits.writing.add(ended.set)
        await until(pilot, ended.is_set)
        kept = shelf.of(id, str(session))
        assert kept.starred is (what == "star")
        assert kept.archived is (what != "star")
        assert len(screen.edits._changes) == 25


async def test_fault_11_nothing_is_taken_back_after_a_deletion(session: Path) -> None:
    app = app_for(session)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        screen = await opened(pilot)
        manager = screen.opened.session
        screen.edits.label_entry(manager, manager.entry(3).id, "gone with it")
        screen.deletion._delete(session, for_good=True)
        screen.edits.action_undo()
        ended = Event()
        screen.edits.writing.add(ended.set)
        await until(pilot, ended.is_set)
        assert not session.exists()
        assert len(screen.edits._changes) == 1


def test_jobs_run_in_order_and_what_is_added_inside_comes_first() -> None:
    waiting: list[object] = []
    done: list[str] = []
    queue = WriteQueue(waiting.append)

    def first() -> None:
        with queue.inside():
            queue.add(partial(done.append, "first, continued"))
            queue.add(partial(done.append, "first, ended"))
        done.append("first")

    queue.add(first)
    queue.add(partial(done.append, "second"))
    assert len(waiting) == 1
    queue._run()
    assert done == ["first", "first, continued", "first, ended", "second"]
    queue.add(partial(done.append, "third"))
    assert len(waiting) == 2


def test_a_job_that_fails_does_not_hold_up_the_next_ones() -> None:
    waiting: list[object] = []
    done: list[str] = []
    queue = WriteQueue(waiting.append)

    def fails() -> None:
        raise RuntimeError

    queue.add(fails)
    queue.add(partial(done.append, "second"))
    with pytest.raises(RuntimeError):
        queue._run()
    queue.add(partial(done.append, "third"))
    queue._run()
    assert done == ["second", "third"]
