"""Entries that forks have taken along are listed once, with how many other sessions have them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pitree.pi.places import find_places
from pitree.query.index.copies import also_words, each_once
from pitree.query.index.finder import Group, search
from pitree.query.index.index import Index
from pitree.query.index.index_update import update
from pitree.query.index.scope import SearchScope, all_files
from pitree.query.language.query_parser import SearchQuery
from pitree.session.manager.manager import SessionManager
from tests.conftest import Ran
from tests.support.stores import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A session with two forks, one of which goes on, and a session of its own that says the same."""
    store = Store(tmp_path / "store")
    first = store.add("/w/app", "where is the marmalade", "in the pantry", id="first")
    for number in range(2):
        fork = SessionManager.fork_from(first, "/w/app", first.parent)
        if number:
            fork.append_message({"role": "user", "content": "more marmalade", "timestamp": 1})
    store.add("/w/app", "where is the marmalade", id="another")
    return store


def found(store: Store, query: str, index: Index | None = None) -> tuple[Group, ...]:
    places = find_places("/w/app", None, {"PI_CODING_AGENT_DIR": str(store.agent)})
    if index is not None:
        update(index, all_files(places))
        index.refresh()
    *_, last = search(SearchQuery.parse(query), SearchScope(places, True), index)
    return last.groups


@pytest.mark.parametrize("indexed", [True, False])
def test_fault_25_copies_in_forks_are_listed_once(store: Store, tmp_path: Path, indexed: bool) -> None:
    groups = found(store, "marmalade", Index(tmp_path / "index") if indexed else None)
    assert sum(len(group.hits) for group in groups) == 5
    once = each_once(groups)
    lines = [(hit.line, len(group.also.get(hit.offset, ()))) for group in once for hit in group.hits]
    assert sorted(lines) == [
        ("more marmalade", 0),
        ("where is the marmalade", 0),
        ("where is the marmalade", 2),
    ]
    every = {hit.path for group in groups for hit in group.hits}
    shown = {hit.path for group in once for hit in group.hits}
    assert shown | {path for group in once for paths in group.also.values() for path in paths} == every
    assert each_once(once) == tuple(replace(group, also={}) for group in once)


def test_fault_25_what_has_no_id_or_stands_twice_in_a_file_stays(store: Store) -> None:
    group = found(store, "more")[0]
    (hit,) = group.hits
    twice = replace(group, hits=(hit, replace(hit, offset=hit.offset + 100)))
    assert each_once([twice]) == (twice,)
    nameless = replace(hit, entry_id="")
    groups = [replace(group, hits=(nameless,)), replace(group, hits=(replace(nameless, path="other"),))]
    assert each_once(groups) == tuple(groups)
    assert [also_words(1), also_words(1200)] == [
        "also in 1 other session",
        "also in 1,200 other sessions",
    ]


def test_fault_25_the_command_prints_them_once(
    store: Store, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(store.agent))
    ran = run("search", "--all", "marmalade")
    assert ran.out.count("where is the marmalade  also in 2 other sessions") == 1
    assert ran.out.count("more marmalade") == 1
    hits = [json.loads(line) for line in run("search", "--all", "--json", "marmalade").out.splitlines()]
    assert sorted(len(hit["alsoIn"]) for hit in hits) == [0, 0, 2]
    assert all(Path(path).exists() for hit in hits for path in hit["alsoIn"])
