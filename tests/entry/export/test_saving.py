"""Where exports go: whole or not at all, never over a session."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitree.entry.export import ExportError, Format, save, suggested_name
from pitree.session.manager.manager import SessionManager
from tests.support.stories import Story, login_story


def test_a_new_file(tmp_path: Path) -> None:
    assert save(tmp_path / "x.md", [b"one", b"two"]) == 6
    assert (tmp_path / "x.md").read_bytes() == b"onetwo"
    assert [path.name for path in tmp_path.iterdir()] == ["x.md"]


def test_an_old_export_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("old")
    path.chmod(0o640)
    save(path, [b"new"])
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("start", [b"", b"\n\n", b"garbage\n", b"\xef\xbb\xbf"])
def test_a_session_is_never_overwritten(tmp_path: Path, start: bytes) -> None:
    path = login_story().write(tmp_path / "s.jsonl")
    path.write_bytes(start + path.read_bytes())
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    for name in (path, tmp_path / "link"):
        with pytest.raises(ExportError, match="it is a session"):
            save(name, [b"new"])
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_no_session_may_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"type": "other"}\n{"type": "session", "id": "x"}\n')
    save(path, [b"new"])
    assert path.read_bytes() == b"new"


def test_an_error_on_the_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("old")

    def pieces() -> Iterator[bytes]:
        yield b"a beginning"
        raise RuntimeError("the session is gone")

    with pytest.raises(RuntimeError):
        save(path, pieces())
    assert path.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x.md"]


def test_places_that_cannot_be_written_to(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path, "a folder"),
        (tmp_path / "no" / "x.md", "no folder"),
        (Path("a\0b"), "null"),
    ):
        with pytest.raises(ExportError, match=words):
            save(path, [b"x"])


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("old")
    (tmp_path / "link.md").symlink_to("real.md")
    save(tmp_path / "link.md", [b"new"])
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    save(pipe, [b"through"])
    reader.join(10)
    assert found == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_formats_and_names() -> None:
    assert [Format.of_file(name) for name in ("a.html", "b.HTM", "c.jsonl", "d.md", "e")] == [
        *(Format.HTML, Format.HTML, Format.JSONL, Format.MARKDOWN, Format.MARKDOWN),
    ]
    named = Story().user("u1", "../../etc/passwd: <b>\x1b[2J\n 日本" + "x" * 100).session()
    assert suggested_name(named, Format.HTML).startswith("etc-passwd-b-")
    assert len(suggested_name(named, Format.HTML)) <= 65
    assert suggested_name(Story().user("u1", "...").session(), Format.MARKDOWN) == "session.md"
    assert suggested_name(SessionManager.in_memory("/w"), Format.JSONL).endswith(".jsonl")
