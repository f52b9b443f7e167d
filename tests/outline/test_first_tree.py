"""The session that a start shows first: read in a thread; what cannot be read is left to who tells of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitree.outline import first_tree
from pitree.outline.filters import FilterMode
from pitree.outline.first_tree import FirstTree
from tests.support.stores import Store

WAIT = 60.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Store(tmp_path).add("/w", *(f"said {number}" for number in range(200)))


def test_a_small_file_is_read_whole(file: Path) -> None:
    read = FirstTree(file, FilterMode.USER_ONLY).wait(WAIT)
    assert read is not None
    assert (read.session.partial, read.outline.entry_count, len(read.outline)) == (False, 200, 100)


def test_of_a_large_one_the_end(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_tree, "LARGE", 10_000)
    monkeypatch.setattr(first_tree, "TAIL", 10_000)
    read = FirstTree(file, FilterMode.DEFAULT).wait(WAIT)
    assert read is not None
    assert read.session.partial
    assert 0 < read.outline.entry_count < 200


@pytest.mark.skipif(os.name == "nt", reason="needs a named pipe")
def test_what_cannot_be_read_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("no session\n")
    os.mkfifo(tmp_path / "pipe")
    for name in ("missing", "words", "pipe", "."):
        first = FirstTree(tmp_path / name, FilterMode.DEFAULT)
        assert first.wait(WAIT) is None
        assert not first._thread.is_alive()
