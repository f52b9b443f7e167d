"""The bookmarks of files: those with labels only, read again once they change."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitree.catalog import bookmarks
from pitree.catalog.bookmarks import KnownBookmarks
from pitree.pi.places import session_files
from pitree.session.manager.manager import SessionManager
from tests.support.stories import Story


def test_files_are_read_again_once_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Story().user("u1", "one").label("u1", "first").write(tmp_path / "one.jsonl")
    two = Story().user("u2", "two").write(tmp_path / "two.jsonl")
    (tmp_path / "broken.jsonl").write_text('{"type": "label"\n')
    Story().user("u3", '{"type": "label"}').write(tmp_path / "said.jsonl")
    read: list[str] = []
    opened: list[str] = []
    has_labels, open_session = bookmarks._has_labels, SessionManager.open
    monkeypatch.setattr(
        bookmarks, "_has_labels", lambda path, *rest: read.append(path.name) or has_labels(path, *rest)
    )
    monkeypatch.setattr(
        SessionManager, "open", lambda path, **more: opened.append(path.name) or open_session(path, **more)
    )
    known = KnownBookmarks()

    def labels() -> list[tuple[Path | None, str]]:
        return [
            (mark.path, mark.label) for marks in known.of(session_files([str(tmp_path)])[0]) for mark in marks
        ]

    assert labels() == [(one, "first")]
    assert sorted(opened) == ["broken.jsonl", "one.jsonl"]
    read.clear()
    assert labels() == [(one, "first")]
    assert read == []
    SessionManager.open(two).append_label_change("u2", "second")
    assert sorted(labels()) == [(one, "first"), (two, "second")]
    assert read == ["two.jsonl"]
