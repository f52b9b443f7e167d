"""The index gives what a plain scan gives, whatever is asked."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from pitree.pi.places import Places
from pitree.query.index.finder import Limits
from pitree.query.index.index import Index
from pitree.query.index.index_update import update
from pitree.query.index.scope import all_files
from tests.support.records import HEADER, encode, message
from tests.support.search_store import hits_of, random_query, write_store

DATA = Path(__file__).parents[2] / "data"
SEED = 20261130


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Places, Index]:
    """A store, with the recorded sessions among the others, and its index."""
    base = tmp_path_factory.mktemp("equal")
    places = write_store(base / "agent", SEED, sessions=12, entries=25)
    for path in (DATA / "v2.jsonl", DATA / "v3-generated-9001.jsonl"):
        shutil.copy(path, base / "agent" / "sessions" / "--home-dev-app-0--" / path.name)
    index = Index(base / "cache")
    update(index, all_files(places))
    return places, index


@pytest.mark.parametrize("part", range(4))
def test_random_queries(store: tuple[Places, Index], part: int) -> None:
    places, index = store
    chance = random.Random(SEED + part)
    found_something = 0
    for _ in range(50):
        query = random_query(chance)
        everywhere = chance.random() < 0.8
        plain = hits_of(query, places, None, everywhere=everywhere)
        assert hits_of(query, places, index, everywhere=everywhere) == plain, query
        found_something += bool(plain)
    assert found_something > 15


def test_limits_leave_the_newest(store: tuple[Places, Index]) -> None:
    places, index = store
    every = hits_of("parse", places, index)
    some = hits_of("parse", places, index, Limits(hits=7, of_session=3))
    assert len(some) == 7
    assert [hit[:3] for hit in some if hit[0] == every[0][0]] == [hit[:3] for hit in every[:3]]
    assert some[0][4]


def test_long_words_that_the_index_cuts(tmp_path: Path) -> None:
    path = tmp_path / "agent" / "sessions" / "--w--" / "s.jsonl"
    path.parent.mkdir(parents=True)
    words = [letter * length for letter in "xy" for length in (31, 32, 33, 40, 500)]
    texts = [*words, "-".join(words), "a\n".join(words), "z" + "x" * 40, "ü" * 40 + "." + "x" * 33]
    path.write_bytes(encode(HEADER, *(message(f"m{at}", None, text) for at, text in enumerate(texts))))
    places = Places("/w", str(tmp_path / "agent"))
    index = Index(tmp_path / "cache")
    update(index, all_files(places))
    queries = [
        *words,
        *(f"{word} " for word in words),
        f'"{words[4]}-{words[5]}"',
        f"{words[1]} -{words[3]} ",
    ]
    for query in (*queries, "ü" * 40 + ".", "Ü" * 33, f'"{words[0]}a {words[1]}a"'):
        plain = hits_of(query, places, None)
        assert hits_of(query, places, index) == plain
        assert plain
    assert index.size < 120_000
