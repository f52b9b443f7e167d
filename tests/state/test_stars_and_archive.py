"""Stars and the archive: kept, found again, not lost between several pitrees or by a broken file."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pitree.session.format.errors import WriteError
from pitree.state.stars_and_archive import NOTHING, Marks, Shelf


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "shelf.json"


def read(file: Path) -> Shelf:
    shelf = Shelf(file)
    shelf.refresh()
    return shelf


def test_what_is_kept_is_there_for_the_next_one(file: Path) -> None:
    shelf = Shelf(file)
    shelf.change("a", "/s/a", starred=True)
    shelf.change("a", "/s/a", archive_branches=["e1", "e2"])
    assert shelf.change("a", "/s/a", restore_branches=["e1"], archived=True) == Marks(
        True, True, frozenset({"e2"})
    )
    assert read(file).of("a", "/s/a") == Marks(True, True, frozenset({"e2"}))
    assert read(file).of("b", "/s/b") == NOTHING
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    shelf.change("a", "/s/a", starred=False, archived=False, restore_branches=["e2"])
    assert json.loads(file.read_bytes())["sessions"] == []
    assert os.listdir(file.parent) == [file.name]


def test_a_session_goes_by_id_and_file(file: Path, tmp_path: Path) -> None:
    old, copy = tmp_path / "old.jsonl", tmp_path / "copy.jsonl"
    old.touch()
    copy.touch()
    shelf = Shelf(file)
    shelf.change("a", str(old), starred=True)
    assert shelf.of("a", str(copy)) == NOTHING
    shelf.change("a", str(copy), archived=True)
    assert shelf.of("a", str(old)) == Marks(starred=True)
    (tmp_path / "link").symlink_to(tmp_path)
    assert shelf.of("a", str(tmp_path / "link/old.jsonl")) == Marks(starred=True)
    moved = old.rename(tmp_path / "moved.jsonl")
    assert shelf.of("a", str(moved)) == Marks(starred=True)
    assert shelf.change("a", str(moved), archived=True) == Marks(True, True)
    assert read(file).of("a", str(moved)) == Marks(True, True)


def test_without_a_file_it_is_kept_as_long_as_the_program_runs() -> None:
    shelf = Shelf()
    shelf.change("a", "/a", starred=True)
    assert not shelf.refresh()
    assert shelf.of("a", "/a").starred


def test_another_pitree_sees_it_and_loses_nothing(file: Path) -> None:
    one, other = Shelf(file), Shelf(file)
    one.change("a", "/a", starred=True)
    other.change("b", "/b", starred=True)
    assert one.refresh()
    assert one.of("b", "/b").starred
    assert not one.refresh()
    one.change("a", "/a", starred=False)
    other.refresh()
    assert not other.of("a", "/a").starred
    assert other.of("b", "/b").starred


_MANY = """
import sys
from pathlib import Path
from pitree.state.stars_and_archive import Shelf
shelf = Shelf(Path(sys.argv[1]))
for number in range(40):
    shelf.change(f"{sys.argv[2]}-{number}", "/x", starred=True)
"""


def test_programs_that_write_at_the_same_time_lose_nothing(file: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", _MANY, str(file), name]) for name in "abc"]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(json.loads(file.read_bytes())["sessions"]) == 120


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1]",
        b'{"sessions": [1]}',
        b'{"sessions": [{"id": 1, "path": ""}]}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_a_broken_file_is_told_and_put_aside_whole(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    shelf = read(file)
    assert str(file) in shelf.trouble
    assert "shelf.json.broken" in shelf.trouble
    shelf.change("a", "/a", starred=True)
    file.write_bytes(content)
    with_star = Shelf(file)
    with_star.change("b", "/b", starred=True)  # without having looked before
    assert read(file).of("b", "/b").starred
    aside = sorted(one.name for one in file.parent.iterdir())
    assert aside == ["shelf.json", "shelf.json.broken", "shelf.json.broken1"]
    assert all((file.parent / name).read_bytes() == content for name in aside[1:])


def test_a_file_of_a_later_pitree_is_left_alone(file: Path) -> None:
    file.parent.mkdir()
    file.write_text('{"version": 2, "sessions": {}}')
    shelf = read(file)
    assert "newer pitree" in shelf.trouble
    with pytest.raises(WriteError, match="newer pitree"):
        shelf.change("a", "/a", starred=True)
    assert file.read_text() == '{"version": 2, "sessions": {}}'


def test_what_cannot_be_written_is_told(file: Path) -> None:
    file.parent.write_text("a file where a folder should be")
    with pytest.raises(WriteError, match="nothing was saved"):
        Shelf(file).change("a", "/a", starred=True)
