"""The open session while others write to it: rows, cursor, header, and what is told. On real files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pitree.catalog.watch import fs_events
from pitree.ui.toolkit.choice_window import ChoiceWindow
from tests.support.living import Living, lines, record, said
from tests.support.seeing import line_with, text


@pytest.fixture(params=["events", "poll"])
def poll(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "poll")


@pytest.fixture
def living(tmp_path: Path) -> Living:
    return Living(tmp_path)


# -- growing ----------------------------------------------------------------------------------------


async def test_entries_appear_in_order_and_the_cursor_goes_along_with_the_leaf(
    living: Living, poll: bool
) -> None:
    async with living.shown(poll=poll) as seen:
        assert seen.here == "m5"
        for at in range(6, 10):
            living.append(said(f"m{at}", f"m{at - 1}", f"new {at}", "user"))
            await seen.until_last(f"m{at}")
            await seen.until(lambda at=at: seen.here == f"m{at}")
        assert seen.ids == [f"m{at}" for at in range(10)]
        assert seen.screen.header.facts.entries == "10 entries"
        await seen.until(lambda: "new 9" in line_with(seen.app, "◆"))
        await seen.until(lambda: seen.screen.detail_pane.index == 9)


async def test_a_cursor_elsewhere_stays_and_what_came_is_counted(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("up")
        await seen.until(lambda: seen.here == "m4")
        living.append(said("m6", "m5", "new", "user"), said("m7", "m6", "newer", "assistant"))
        await seen.until(lambda: "2 new · . leaf" in seen.border)
        assert seen.here == "m4"
        await seen.pilot.press("full_stop")
        await seen.until(lambda: seen.here == "m7")
        assert "new" not in seen.border
        living.append(said("m8", "m7", "newest", "user"))
        await seen.until(lambda: seen.here == "m8")


async def test_labels_names_and_totals(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        living.append(record("label", "l1", "m5", targetId="m2", label="checkpoint"))
        await seen.until(lambda: "[checkpoint]" in line_with(seen.app, "text 2"))
        living.append(record("session_info", "i1", "l1", name="a name"))
        await seen.until(lambda: seen.screen.header.facts.name == "a name")
        living.append(record("label", "l2", "i1", targetId="m2", label=None))
        await seen.until(lambda: "[checkpoint]" not in text(seen.app))
        usage = {"input": 1000, "output": 500, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": 1.5}}
        living.append(said("m6", "l2", "done", "assistant", usage=usage, model="claude-new"))
        await seen.until(lambda: seen.screen.header.facts.cost == "$1.50")
        facts = seen.screen.header.facts
        assert (facts.tokens, facts.model, facts.entries) == ("1.5k tokens", "claude-new", "10 entries")
        assert seen.here == "m6"


async def test_bookkeeping_is_not_counted_as_new(living: Living) -> None:
    async with living.shown() as seen:
        await seen.pilot.press("up")
        living.append(record("label", "l1", "m5", targetId="m2", label="checkpoint"))
        await seen.until(lambda: "[checkpoint]" in text(seen.app))
        assert "new" not in seen.border


async def test_search_and_filter_follow(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("ctrl+u")
        await seen.until_ids("m0", "m2", "m4")
        living.append(said("m6", "m5", "a marmalade", "user"), said("m7", "m6", "no", "assistant"))
        await seen.until_ids("m0", "m2", "m4", "m6")
        await seen.pilot.press("slash", *"marm", "enter")
        await seen.until_ids("m6")
        living.append(said("m8", "m7", "more marmalade", "user"), said("m9", "m8", "other", "user"))
        await seen.until_ids("m6", "m8")
        await seen.until(lambda: "2 matches" in text(seen.app))
        living.append(record("label", "l1", "m9", targetId="m9", label="marmalade too"))
        await seen.until_ids("m6", "m8", "m9")
        await seen.pilot.press("escape")
        await seen.until_ids("m0", "m2", "m4", "m6", "m8", "m9")


async def test_a_silent_answer_shows_while_it_is_the_leaf(living: Living) -> None:
    async with living.shown() as seen:
        call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}}
        living.append(said("m6", "m5", "", "assistant", content=[call], stopReason="toolUse"))
        await seen.until(lambda: seen.here == "m6")
        living.append(said("m7", "m6", "out", "toolResult", toolCallId="c1", toolName="bash"))
        await seen.until(lambda: seen.ids[-2:] == ["m5", "m7"])
        assert seen.here == "m7"


async def test_folds_and_scroll_stay(tmp_path: Path) -> None:
    living = Living(tmp_path, entries=60)
    living.append(said("b1", "m3", "side", "user"), said("b2", "b1", "side 2", "assistant"))
    living.append(said("m60", "m59", "back", "user"))
    async with living.shown(size=(140, 20)) as seen:
        outline = seen.tree.outline
        assert outline is not None
        side = outline.row_of(60)
        assert side is not None
        seen.tree.go_to(60)
        await seen.pilot.press("ctrl+left")
        assert outline.row(side).fold == "closed"
        seen.tree.go_to(30)
        seen.tree.rows.scroll_to(y=3, animate=False, force=True)
        await seen.pilot.pause()
        living.append(said("m61", "m60", "on", "user"), said("b3", "b2", "hidden", "user"))
        await seen.until(lambda: seen.screen.header.facts.entries == "65 entries")
        assert seen.here == "m30"
        assert seen.tree.rows.scroll_offset.y == 3
        folded = outline.row_of(60)
        assert folded is not None
        assert outline.row(folded).fold == "closed"
        assert outline.row(folded).hidden == 2
        assert "b3" not in seen.ids


async def test_the_rows_above_move_and_the_row_of_the_cursor_does_not(tmp_path: Path) -> None:
    living = Living(tmp_path, entries=20)
    living.append(said("b1", "m3", "side", "user"))
    async with living.shown(size=(140, 16)) as seen:
        seen.tree.go_to(15)
        await seen.pilot.pause()
        height = seen.tree.rows.cursor - seen.tree.rows.scroll_offset.y
        before = seen.tree.rows.cursor
        for at in range(1, 9):
            living.append(said(f"b{at + 1}", f"b{at}", "more", "user"))
        await seen.until(lambda: "b9" in seen.ids)
        assert seen.here == "m15"
        assert seen.tree.rows.cursor > before  # the branch with the leaf goes first
        assert seen.tree.rows.cursor - seen.tree.rows.scroll_offset.y == height


@pytest.mark.parametrize("empty", [True, False])
async def test_a_session_without_entries_gets_its_first(living: Living, empty: bool) -> None:
    living.path.write_bytes(b"" if empty else lines(living.header))
    async with living.shown() as seen:
        await seen.until(lambda: "no entries yet" in text(seen.app))
        if empty:
            living.append(living.header)
        for at, one in enumerate(living.chain(3)):
            living.append(one)
            await seen.until(lambda at=at: seen.here == f"m{at}")
        assert seen.ids == ["m0", "m1", "m2"]
        assert seen.screen.header.facts.name == "text 0"


async def test_a_filter_that_shows_nothing_tells_how_much_it_hides(living: Living) -> None:
    async with living.shown() as seen:
        await seen.pilot.press("ctrl+l")
        await seen.until(lambda: "hides all 6 entries" in text(seen.app))
        living.append(said("m6", "m5", "new"))
        await seen.until(lambda: "hides all 7 entries" in text(seen.app))
        living.append(record("label", "l1", "m6", targetId="m2", label="x"))
        await seen.until_ids("m2")


async def test_many_at_once_lose_nothing(living: Living, poll: bool) -> None:
    count = 3000
    async with living.shown(poll=poll) as seen:
        before = "m5"
        records = []
        for at in range(count):
            records.append(said(f"n{at}", before, f"flood {at} " + "x" * 300, "user"))
            before = f"n{at}"
        for at in range(0, count, 50):
            living.append_bytes(lines(*records[at : at + 50]))
        await seen.until_last(f"n{count - 1}")
        assert seen.ids == [*(f"m{at}" for at in range(6)), *(f"n{at}" for at in range(count))]
        assert seen.here == f"n{count - 1}"


def short(entry_id: str, parent: str, text: str) -> bytes:
    """A message in few bytes."""
    message = {"role": "user", "content": text}
    entry = {"type": "message", "id": entry_id, "parentId": parent, "message": message}
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


async def test_torn_writes_at_every_byte(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        session = seen.screen.opened.session if seen.screen.opened else None
        assert session is not None
        last, rounds = "m5", len(short("000a", "000b", "zwei 修 🙂") + short("000b", "000a", "drei")) - 1
        cuts = range(1, rounds + 1, 8 if poll else 1)
        for cut in cuts:
            ids = [f"{cut:03}a", f"{cut:03}b"]
            one = short(ids[0], last, "zwei 修 🙂")
            tail = one + short(ids[1], ids[0], "drei")
            whole = sum(cut >= end for end in (len(one) - 1, len(tail) - 1))
            living.append_bytes(tail[:cut])
            await seen.until(lambda: session.size == living.path.stat().st_size)
            assert [entry for entry in ids if entry in session.table.by_id] == ids[:whole]
            living.append_bytes(tail[cut:])
            await seen.until_last(ids[1])
            last = ids[1]
        assert not session.notices
        assert len(seen.ids) == 6 + 2 * len(cuts)
        rows = list(seen.tree.outline.rows(6)) if seen.tree.outline else []
        assert {row.text for row in rows} == {"zwei 修 🙂", "drei"}


async def test_a_torn_line_waits(living: Living, poll: bool) -> None:
    tail = lines(said("m6", "m5", "修正 🙂", "user"), said("m7", "m6", "done", "assistant"))
    async with living.shown(poll=poll) as seen:
        session = seen.screen.opened.session if seen.screen.opened else None
        assert session is not None
        for start, end in ((0, 150), (150, 153), (153, len(tail) - 1)):
            living.append_bytes(tail[start:end])
            await seen.until(lambda: session.size == living.path.stat().st_size)
        await seen.until_last("m7")  # whole, though its LF is missing
        living.append_bytes(tail[-1:])
        living.append(said("m8", "m7", "on", "user"))
        await seen.until_last("m8")
        assert not session.notices


# -- following --------------------------------------------------------------------------------------


async def test_f_follows_from_the_entry_and_stops(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("up", "F")
        await seen.until(lambda: seen.here == "m5")
        assert "following" in seen.border
        await seen.pilot.press("tab")
        living.append(said("m6", "m5", "new", "user"))
        await seen.until(lambda: seen.here == "m6")
        await seen.pilot.press("F")
        assert "not following" in seen.border
        living.append(said("m7", "m6", "newer", "assistant"))
        await seen.until(lambda: "1 new · . leaf" in seen.border)
        assert seen.here == "m6"


async def test_the_entry_being_read_is_not_taken_away(living: Living) -> None:
    async with living.shown() as seen:
        await seen.pilot.press("tab")
        assert seen.app.focused is seen.screen.detail_pane
        living.append(said("m6", "m5", "new", "user"))
        await seen.until(lambda: "1 new · . leaf" in seen.border)
        assert seen.here == "m5"
        assert seen.screen.detail_pane.index == 5


async def test_moving_up_ends_following(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("F", "up")
        await seen.until(lambda: "following" not in seen.border)
        living.append(said("m6", "m5", "new", "user"))
        await seen.until(lambda: "1 new" in seen.border)
        assert seen.here == "m4"


async def test_a_reader_who_scrolled_away_stays_there(tmp_path: Path) -> None:
    living = Living(tmp_path, entries=60)
    async with living.shown(size=(140, 20)) as seen:
        rows = seen.tree.rows
        rows.scroll_to(y=5, animate=False, force=True)
        await seen.pilot.pause()
        living.append(said("m60", "m59", "new", "user"))
        await seen.until(lambda: "1 new · . leaf" in seen.border)
        assert (seen.here, rows.scroll_offset.y) == ("m59", 5)


async def test_while_another_session_opens_the_state_is_not_told(living: Living) -> None:
    async with living.shown() as seen:
        await seen.until(lambda: "waiting for you" in seen.state)
        seen.screen.opening.wanted = living.folder / "other.jsonl"
        seen.screen.header.state = "loading"
        seen.screen.following.state.tell()
        assert seen.state == "loading"
        seen.screen.following.state.tell()
        seen.screen.opening.wanted = None
        seen.screen.following.state.tell()
        assert "waiting for you" in seen.state


async def test_the_entry_under_the_cursor_tells_what_is_new_about_it(living: Living) -> None:
    async with living.shown(size=(160, 40)) as seen:
        await seen.pilot.press("up")
        await seen.until(lambda: seen.screen.detail_pane.index == 4)
        living.append(record("label", "l1", "m5", targetId="m4", label="checkpoint"))
        await seen.until(lambda: text(seen.app).count("[checkpoint]") == 2)


# -- two tips, old bookkeeping --------------------------------------------------------------------------


async def test_two_growing_tips_are_told_and_a_key_goes_to_each(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        living.append(said("a1", "m5", "one writer", "user"))
        await seen.until(lambda: seen.here == "a1")
        living.append(said("b1", "m5", "another writer", "user"))
        await seen.until(lambda: "Another branch grows: “user: another writer”" in seen.told)
        assert "2 growing branches · e" in seen.border
        assert seen.here == "b1"  # it was the leaf that moved
        living.append(said("a2", "a1", "the first again", "assistant"))
        await seen.until(lambda: "This file has 2 growing branches" in seen.told)
        assert {"a1", "a2", "b1"} <= set(seen.ids)
        assert seen.here == "b1"  # hopping to and fro would be no reading
        living.append(said("b2", "b1", "the second again", "assistant"))
        await seen.until(lambda: seen.here == "b2")
        await seen.pilot.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceWindow))
        shown = text(seen.app)
        assert re.search(r"1  2 entries · (?:just now|\d+ s ago) · assistant: the second again", shown)
        assert re.search(r"2  2 entries · (?:just now|\d+ s ago) · assistant: the first again", shown)
        await seen.pilot.press("2")
        await seen.until(lambda: seen.here == "a2")


async def test_one_writer_that_goes_to_another_branch_is_followed(living: Living) -> None:
    async with living.shown() as seen:
        living.append(said("a1", "m5", "on", "user"))
        await seen.until(lambda: seen.here == "a1")
        living.append(said("b1", "m1", "elsewhere", "user"), said("b2", "b1", "answer", "assistant"))
        await seen.until(lambda: seen.here == "b2")
        assert "two programs" not in seen.told


async def test_a_leaf_of_old_bookkeeping_is_told(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        living.append(said("a1", "m5", "on", "user"))
        await seen.until(lambda: seen.here == "a1")
        living.append(record("session_info", "i1", "m3", name="by another program"))
        await seen.until(lambda: "leaf is an old bookkeeping entry · m newest" in seen.border)
        await seen.pilot.press("home")
        await seen.pilot.press("m")
        await seen.until(lambda: seen.here == "a1")
        living.append(said("a2", "a1", "went on", "assistant"))
        await seen.until(lambda: "bookkeeping" not in seen.border)


# -- the file -----------------------------------------------------------------------------------------


async def test_rename_over_with_an_entry_less_leaves_no_ghost(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("up", "up")
        await seen.until(lambda: seen.here == "m3")
        living.rename_over(lines(living.header, *living.chain(5)))
        await seen.until_ids(*(f"m{at}" for at in range(5)))
        assert seen.here == "m3"
        await seen.until(lambda: "another file has taken its place" in seen.told)
        living.append(said("m9", "m4", "after", "user"))
        await seen.until_last("m9")
        assert seen.here == "m3"


async def test_following_goes_on_in_another_file_and_folds_stay(living: Living, poll: bool) -> None:
    living.append(said("b1", "m1", "side"), said("b2", "b1", "side 2"), said("m6", "m5", "back"))
    story = [*living.chain(6), said("b1", "m1", "side"), said("b2", "b1", "side 2"), said("m6", "m5", "back")]
    async with living.shown(poll=poll) as seen:
        outline = seen.tree.outline
        assert outline is not None
        seen.tree.go_to(6)
        await seen.pilot.press("ctrl+left")
        assert [row.id for row in outline.rows() if row.fold == "closed"] == ["b1"]
        await seen.pilot.press("F", "tab")
        living.rename_over(lines(living.header, *story, said("m7", "m6", "and on")))
        await seen.until(lambda: seen.here == "m7")
        outline = seen.tree.outline
        assert outline is not None
        assert [row.id for row in outline.rows() if row.fold == "closed"] == ["b1"]
        assert "b2" not in seen.ids
        living.append(said("m8", "m7", "followed still"))
        await seen.until(lambda: seen.here == "m8")


async def test_an_entry_that_is_gone_leaves_the_cursor_on_the_one_above(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("up")
        await seen.until(lambda: seen.here == "m4")
        living.rename_over(lines(living.header, *living.chain(3)))
        await seen.until_ids("m0", "m1", "m2")
        assert seen.here == "m2"


async def test_rewritten_in_place_keeps_the_place(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("up", "up")
        await seen.until(lambda: seen.here == "m3")
        chain = living.chain(8)
        chain[1]["message"]["content"][0]["text"] = "text one, in other words that are longer"
        living.path.write_bytes(lines(living.header, *chain))
        await seen.until_last("m7")
        assert seen.here == "m3"
        await seen.until(lambda: "in other words" in text(seen.app))
        await seen.until(lambda: "the file was" in seen.told)


async def test_truncated_and_written_again_piece_by_piece(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("up", "up")
        await seen.until(lambda: seen.here == "m3")
        living.path.write_bytes(b"")
        await seen.until_ids()
        await seen.until(lambda: "the file was cut short" in seen.told)
        whole = lines(living.header, *living.chain(6))
        for start in range(0, len(whole), 400):
            living.append_bytes(whole[start : start + 400])
        await seen.until_ids(*(f"m{at}" for at in range(6)))
        await seen.until(lambda: seen.here == "m3")


async def test_cut_short_in_the_middle_of_a_line(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        size = len(lines(living.header, *living.chain(4)))
        with living.path.open("r+b") as file:
            file.truncate(size - 20)
        await seen.until_ids("m0", "m1", "m2")
        assert seen.here == "m2"


async def test_gone_and_back(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        data = living.path.read_bytes()
        living.path.unlink()
        await seen.until(lambda: "the file is gone" in seen.state)
        await seen.until(lambda: "What was loaded is still shown" in seen.told)
        assert seen.ids == [f"m{at}" for at in range(6)]
        living.path.write_bytes(data + lines(said("m6", "m5", "again", "user")))
        await seen.until_last("m6")
        await seen.until(lambda: "gone" not in seen.state)
        living.append(said("m7", "m6", "and on", "user"))
        await seen.until_last("m7")


async def test_moved_away_and_back(living: Living, tmp_path: Path, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        away = tmp_path / "away.jsonl"
        living.path.rename(away)
        await seen.until(lambda: f"The file was moved to {away}" in seen.told)
        away.rename(living.path)
        await seen.until(lambda: "The file is back" in seen.told)
        assert "gone" not in seen.state
        living.append(said("m6", "m5", "on", "user"))
        await seen.until_last("m6")


async def test_moved_to_another_folder_of_sessions_is_followed_there(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        await seen.pilot.press("up")
        await seen.until(lambda: seen.here == "m4")
        folder = living.agent / "sessions" / "--other--"
        folder.mkdir()
        moved = folder / "moved.jsonl"
        living.path.rename(moved)
        await seen.until(lambda: seen.screen.opened is not None and seen.screen.opened.path == moved)
        assert seen.here == "m4"
        living.path = moved
        living.append(said("m6", "m5", "on", "user"))
        await seen.until_last("m6")


async def test_a_new_folder_under_the_old_name(living: Living, poll: bool) -> None:
    async with living.shown(poll=poll) as seen:
        data = living.path.read_bytes()
        living.folder.rename(living.folder.with_name("old"))
        await seen.until(lambda: seen.state != "" and "m5" in seen.ids)
        living.folder.mkdir()
        living.path.write_bytes(data + lines(said("m6", "m5", "new folder", "user")))
        await seen.until(lambda: seen.screen.opened is not None)
        if seen.screen.opened is not None and seen.screen.opened.path == living.path:
            await seen.until_last("m6")
        else:  # the file was followed to where its folder went
            assert seen.screen.opened is not None
            assert seen.screen.opened.path.parent.name == "old"


async def test_a_touched_file_changes_nothing_and_one_of_the_same_size_is_read(
    living: Living, poll: bool
) -> None:
    async with living.shown(poll=poll) as seen:
        session = seen.screen.opened.session if seen.screen.opened else None
        data = living.path.read_bytes()
        with living.path.open("r+b") as file:
            file.write(data.replace(b"text 2", b"TEXT 2"))
        await seen.until(lambda: "TEXT 2" in text(seen.app))
        assert seen.screen.opened is not None
        assert seen.screen.opened.session is not session
        assert seen.here == "m5"


async def test_what_cannot_be_shown_is_shown_once_it_can(living: Living, poll: bool) -> None:
    data = living.path.read_bytes()
    living.path.write_bytes(b'{"type":"something else"}\n' + data[:100])
    async with living.shown(poll=poll, path=living.path) as seen:
        await seen.until(lambda: "cannot be shown" in text(seen.app))
        living.path.write_bytes(data)
        await seen.until_last("m5")
        living.append(said("m6", "m5", "on", "user"))
        await seen.until_last("m6")
        living.path.write_bytes(b"nothing\n")
        await seen.until(lambda: "cannot be shown" in text(seen.app))
        living.path.write_bytes(data)
        await seen.until_last("m5")


async def test_an_old_format_brought_to_the_new_one_by_pi_is_read_anew(living: Living, poll: bool) -> None:
    old = [{k: v for k, v in one.items() if k not in ("id", "parentId")} for one in living.chain(4)]
    header = {k: v for k, v in living.header.items() if k != "version"}
    living.path.write_bytes(lines(header, *old))
    async with living.shown(poll=poll) as seen:
        assert len(seen.ids) == 4
        living.path.write_bytes(lines(living.header, *living.chain(5)))
        await seen.until_ids(*(f"m{at}" for at in range(5)))


# -- ourselves --------------------------------------------------------------------------------------


async def test_what_is_written_here_goes_the_same_way(living: Living) -> None:
    async with living.shown() as seen:
        await seen.pilot.press("up", "l", *"mine", "enter")
        await seen.until(lambda: "[mine] user: text 4" in text(seen.app))
        assert "new" not in seen.border
        living.append(said("m6", "m5", "theirs", "user"))
        await seen.until(lambda: "1 new" in seen.border)
        await seen.pilot.press("u")
        await seen.until(lambda: "[mine] user: text 4" not in text(seen.app))
        assert seen.here == "m4"


async def test_an_upgrade_here_shows_the_new_file(living: Living) -> None:
    old = [{k: v for k, v in one.items() if k not in ("id", "parentId")} for one in living.chain(4)]
    header = {k: v for k, v in living.header.items() if k != "version"}
    living.path.write_bytes(lines(header, *old))
    async with living.shown() as seen:
        await seen.pilot.press("l", *"mine", "enter")
        await seen.until(lambda: "Older format" in text(seen.app))
        await seen.pilot.press("b")
        await seen.until(lambda: "[mine]" in line_with(seen.app, "text 3"))
        opened = seen.screen.opened
        assert opened is not None
        living.append(said("m6", opened.session.get_leaf_id(), "on", "user"))
        await seen.until_last("m6")


async def test_a_refusal_of_events_is_told_and_files_are_followed(
    living: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folders: list[str]) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fs_events, "open_events", refuse)
    async with living.shown() as seen:
        await seen.until(lambda: "No file events" in seen.told)
        living.append(said("m6", "m5", "new", "user"))
        await seen.until_last("m6")


async def test_leaving_ends_the_watch(living: Living) -> None:
    async with living.shown() as seen:
        await seen.until(lambda: seen.screen.following.watcher._thread)
        thread = seen.screen.following.watcher._thread
        assert thread is not None
        assert thread.is_alive()
    assert not thread.is_alive()
