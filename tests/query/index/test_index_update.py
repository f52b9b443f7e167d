"""Bringing the index up to date: what is new is read, what is gone goes, small shards are put together."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pitree.pi.places import Places
from pitree.query.index import index_update
from pitree.query.index.index import Index
from pitree.query.index.index_update import Progress, index_lock, jobs_for, update
from pitree.query.index.scope import all_files
from pitree.query.index.shard import OFFSETS, shard_names
from tests.support.records import HEADER, encode, message
from tests.support.search_store import hits_of


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A store of three sessions."""
    for number in range(3):
        write(tmp_path / "agent" / "sessions" / "--w--" / f"{number}.jsonl", "first", f"alpha beta{number}")
    return Places("/w", str(tmp_path / "agent"))


@pytest.fixture
def file(places: Places) -> Path:
    """The first of them."""
    return Path(places.root) / "--w--" / "0.jsonl"


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path / "index")


def write(path: Path, *texts: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    said = [message(f"m{place}", None, text) for place, text in enumerate(texts)]
    path.write_bytes(encode({**HEADER, "id": path.stem, "cwd": "/w"}, *said))


def add(path: Path, text: str, name: str = "more") -> None:
    with path.open("ab") as out:
        out.write(encode(message(name, "m0", text)))


def bring_up(index: Index, places: Places) -> list[Progress]:
    """Bring the index up to date; how it went on."""
    told: list[Progress] = []
    with index_lock(index.folder) as ours:
        assert ours
        update(index, all_files(places), on_progress=told.append)
    assert not jobs_for(index, all_files(places))
    return told


def found(index: Index, places: Places, query: str) -> list[str]:
    """The names of the sessions with a hit, by the index alone."""
    return sorted({os.path.basename(hit[0]) for hit in hits_of(query, places, index, all_read=False)})


def parts_of(index: Index, file: Path) -> list[tuple[int, int]]:
    return [(part.start, part.end) for _, part in index.files[str(file)].parts]


def test_the_first_time_all_is_read_then_nothing(index: Index, places: Places) -> None:
    told = bring_up(index, places)
    assert (told[0].files_missing, told[-1].files_missing) == (3, 0)
    assert found(index, places, "alpha") == ["0.jsonl", "1.jsonl", "2.jsonl"]
    names = shard_names(index.folder)
    bring_up(index, places)
    assert shard_names(index.folder) == names


def test_of_a_file_that_grew_only_the_new_bytes_are_read(index: Index, places: Places, file: Path) -> None:
    bring_up(index, places)
    size = file.stat().st_size
    add(file, "gamma")
    assert found(index, places, "gamma") == []
    bring_up(index, places)
    assert parts_of(index, file) == [(0, size), (size, file.stat().st_size)]
    newest = index.shards[max(index.shards)]
    rows = [row & OFFSETS for rows in newest.candidates('"gamma" OR "alpha"') for row in rows]
    assert rows == [size]
    assert found(index, places, "gamma") == ["0.jsonl"]
    assert "0.jsonl" in found(index, places, "alpha")


def test_half_a_line_waits_for_its_rest(index: Index, places: Places, file: Path) -> None:
    line = encode(message("late", "m0", "gamma"))
    with file.open("ab") as out:
        out.write(line[:30])
    bring_up(index, places)
    assert found(index, places, "alpha") == ["0.jsonl", "1.jsonl", "2.jsonl"]
    with file.open("ab") as out:
        out.write(line[30:-1])
    bring_up(index, places)
    assert found(index, places, "gamma") == ["0.jsonl"]
    with file.open("ab") as out:
        out.write(b"\n" + encode(message("later", "late", "delta")))
    bring_up(index, places)
    assert found(index, places, "delta") == ["0.jsonl"]
    assert len(hits_of("gamma", places, index, all_read=False)) == 1


@pytest.mark.parametrize("how", ["over it", "in place", "shorter"])
def test_a_file_that_was_rewritten_is_read_anew(index: Index, places: Places, file: Path, how: str) -> None:
    bring_up(index, places)
    if how == "over it":
        write(file.with_suffix(".new"), "first", "other words, and more of them")
        file.with_suffix(".new").replace(file)
    elif how == "in place":
        file.write_bytes(file.read_bytes().replace(b"alpha", b"omega"))
        os.utime(file, (1, 1))
    else:
        write(file, "x")
    bring_up(index, places)
    assert found(index, places, "alpha") == ["1.jsonl", "2.jsonl"]
    for query in ("other", "omega", "x", "first"):
        assert hits_of(query, places, index, all_read=False) == hits_of(query, places, None)


def test_gone_files_and_small_shards_go(
    index: Index, places: Places, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_update, "SMALL_KEPT", 3)
    bring_up(index, places)
    for number in range(12):
        add(file, f"gamma{number} ", f"more{number}")
        bring_up(index, places)
        assert len(shard_names(index.folder)) <= 4
        assert len(hits_of("gamma", places, index, all_read=False)) == number + 1
    file.unlink()
    bring_up(index, places)
    assert found(index, places, "gamma") == []
    assert str(file) not in {part.path for shard in index.shards.values() for part in shard.parts}
    assert found(index, places, "alpha") == ["1.jsonl", "2.jsonl"]


def test_large_files_are_taken_in_parts(
    index: Index, places: Places, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_update, "SHARD_BYTES", 1_500_000)
    monkeypatch.setattr(index_update, "FIRST_BYTES", 1_500_000)
    write(file, *(f"word{number} " + "filler " * 30_000 for number in range(20)))
    bring_up(index, places)
    parts = parts_of(index, file)
    assert len(parts) > 1
    assert [end for _, end in parts[:-1]] == [start for start, _ in parts[1:]]
    assert len(hits_of("word filler", places, index)) == 0
    assert len(hits_of("filler word", places, index, all_read=False)) == 20


def test_names_and_labels_of_the_end_hold_for_the_whole(index: Index, places: Places, file: Path) -> None:
    bring_up(index, places)
    with file.open("ab") as out:
        for record in (
            {"type": "label", "id": "l", "parentId": "m1", "targetId": "m1", "label": "Best idea"},
            {"type": "session_info", "id": "n", "parentId": "l", "name": "Greek letters"},
        ):
            out.write(json.dumps(record).encode() + b"\n")
    for _ in range(2):
        assert [hit[2] for hit in hits_of("alpha name:greek", places, index)] == ["m1"]
        assert [hit[2] for hit in hits_of("label:idea", places, index)] == ["m1"]
        bring_up(index, places)
