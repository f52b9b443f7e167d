"""The store of searchable texts: filling, searching, what goes to disk."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.query.entries import text_chunks, text_store
from pitree.query.entries.text_store import TextStore
from pitree.query.language.query import Query
from pitree.session.manager.manager import SessionManager
from tests.support.records import message


def session_of(*texts: str) -> SessionManager:
    """A chain of user messages."""
    records = [message(f"e{n}", f"e{n - 1}" if n else None, text) for n, text in enumerate(texts)]
    return SessionManager.in_memory("/w", records)


def filled(session: SessionManager, **more: Any) -> TextStore:
    store = TextStore(session, **more)
    store.cover(session.get_entry_count())
    return store


def hits(store: TextStore, query: str) -> list[int]:
    return [index for index, hit in enumerate(store.matching(Query.parse(query))) if hit]


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few texts, so that a handful of entries makes many."""
    monkeypatch.setattr(text_store, "_SLICE_BYTES", 40)


TEXTS = (
    "Fix the login",
    "the LOGIN page\n\n   fails",
    "",
    "page after page",
    "straße 修正 naïve",
    "a\tb",
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("login", [0, 1]),
        ("LOGIN the", [0, 1]),
        ("page", [1, 3]),
        ("page login", [1]),
        ('"page fails"', [1]),
        ('"page page"', []),
        ('"a b"', [5]),
        ("修", [4]),
        ("STRASSE", [4]),
        ("re:log.n\\s", [1]),
        ("re:^user", [0, 1, 2, 3, 4, 5]),
        ("user", [0, 1, 2, 3, 4, 5]),
        ("", [0, 1, 2, 3, 4, 5]),
        ("re:(", []),
        ("logout", []),
    ],
)
@pytest.mark.parametrize("memory_limit", [1 << 20, 0])
@pytest.mark.usefixtures("small_slices")
def test_what_is_found(query: str, found: list[int], memory_limit: int) -> None:
    store = filled(session_of(*TEXTS), memory_limit=memory_limit)
    assert hits(store, query) == found
    assert hits(store, query) == found


def test_no_match_runs_from_one_entry_into_the_next() -> None:
    store = filled(session_of("first end", "start second"))
    assert hits(store, "end") == [0]
    assert hits(store, '"end start"') == []
    assert hits(store, '"end user start"') == []
    assert hits(store, "re:end.*start") == []


@pytest.mark.usefixtures("small_slices")
def test_typing_on_and_back_finds_what_a_fresh_search_finds() -> None:
    session = session_of(*TEXTS, *(f"word{n} page{n % 7}" for n in range(200)))
    store = filled(session)
    typed = [
        "p",
        "pa",
        "page1",
        "page1 w",
        "page1 wor",
        "page1 word1",
        "page1 word10",
        "page1 word1",
        "pa",
        "l",
    ]
    for query in typed:
        assert hits(store, query) == hits(filled(session), query)


def test_a_longer_query_looks_only_where_the_shorter_one_hit(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_of(*(["other"] * 500), "login page")
    store = filled(session)
    hits(store, "log")
    scanned: list[tuple[bytes, ...]] = []
    monkeypatch.setattr(text_chunks.TextChunk, "mark", lambda *args: scanned.append(args[2]))
    assert hits(store, "login") == [500]
    assert hits(store, "login pa") == [500]
    assert scanned == []
    hits(store, "age")
    assert scanned


def test_a_second_word_leaves_out_what_the_first_did_not_find() -> None:
    store = filled(session_of("red apple", "green apple", "red pear", "green pear", "red apple tree"))
    assert hits(store, "red") == [0, 2, 4]
    assert hits(store, "red apple") == [0, 4]
    assert hits(store, "red apple tree") == [4]


def test_filling_in_slices() -> None:
    session = session_of(*(f"text {n}" for n in range(300)))
    store = TextStore(session)
    assert store.covered == 0
    assert not store.complete
    assert store.matching(Query.parse("text")) == b""
    steps = 0
    while store.step(0.0001):
        steps += 1
        assert hits(store, "text") == list(range(store.covered))
        assert steps < 10_000
    assert store.complete
    assert hits(store, "text 299") == [299]
    assert len(store.matching(Query.parse("text"), 250)) == 50


def test_entries_that_come_later() -> None:
    session = session_of("one", "two")
    store = filled(session)
    assert hits(store, "o") == [0, 1]
    assert hits(store, "three") == []
    for number, text in enumerate(("three", "four"), 2):
        append(session, message(f"e{number}", f"e{number - 1}", text))
        assert not store.complete
        assert not store.step(10)
    assert hits(store, "three") == [2]
    assert hits(store, "o") == [0, 1, 3]
    assert [store.text(index) for index in range(5)] == [
        "user one",
        "user two",
        "user three",
        "user four",
        "",
    ]


def append(session: SessionManager, record: dict[str, Any]) -> None:
    """Let a session in memory read one more line."""
    from pitree.session.format.jsonl import dump

    line = dump(record) + b"\n"
    session._source.append(line)  # type: ignore[union-attr]
    session._reader.feed(line)


def test_an_outline_follows_the_store() -> None:
    session = session_of("red one", "blue", "red two")
    store = TextStore(session)
    outline = Outline(session, texts=store)
    outline.set_query("red")
    assert len(outline) == 0
    store.cover(2)
    outline.refresh()
    assert [row.index for row in outline.rows()] == [0]
    store.cover(3)
    outline.refresh()
    assert [row.index for row in outline.rows()] == [0, 2]
    append(session, message("e3", "e2", "red three"))
    outline.refresh()
    assert outline.hit_count == 2
    store.step(10)
    outline.refresh()
    assert outline.hit_count == 3


def test_a_tool_result_is_found_by_its_call() -> None:
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "x" * 60 + " needle"}}
    session = SessionManager.in_memory(
        "/w",
        [
            message("u1", None, "go"),
            {
                "type": "message",
                "id": "a2",
                "parentId": "u1",
                "timestamp": "2026-01-01T00:00:02.000Z",
                "message": {"role": "assistant", "content": [call], "stopReason": "toolUse"},
            },
            message("t3", "a2", "done", role="toolResult", toolCallId="c1", toolName="bash"),
        ],
    )
    outline = Outline(session, texts=filled(session))
    outline.set_query("needle")
    assert [row.id for row in outline.rows()] == ["t3"]
    outline.set_query("bash:")
    assert [row.id for row in outline.rows()] == ["t3"]


def test_the_whole_text_is_searched_not_its_beginning() -> None:
    session = session_of("x" * 5000 + " needle")
    outline = Outline(session, FilterMode.ALL, texts=filled(session))
    outline.set_query("needle")
    assert len(outline) == 1


def test_what_is_over_the_limit_goes_to_a_nameless_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_store, "_SLICE_BYTES", 1000)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    session = session_of(*(f"text {n} {'x' * 500}" for n in range(100)))
    store = filled(session, memory_limit=10_000)
    in_memory = sum(len(chunk.blob) for chunk in store._chunks if chunk.blob is not None)
    assert in_memory <= 10_000
    assert sum(chunk.size for chunk in store._chunks) > 50_000
    assert list(tmp_path.iterdir()) == []
    assert hits(store, '"text 7 x"') == [7]
    assert hits(store, "text") == list(range(100))
    assert store.text(3).startswith("user text 3 x")
    store.close()
    assert store.covered == 0
    assert hits(store, "text") == []


def test_without_room_on_disk_the_texts_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **more: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(text_store, "_SLICE_BYTES", 1000)
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    store = filled(session_of(*(f"text {n} {'x' * 500}" for n in range(20))), memory_limit=0)
    assert hits(store, '"text 7 x"') == [7]


def test_searching_while_another_thread_fills() -> None:
    session = session_of(*(f"text {n}" for n in range(3000)))
    store = TextStore(session)
    worker = threading.Thread(target=lambda: [None for _ in iter(lambda: store.step(0.001), False)])
    worker.start()
    seen = 0
    while worker.is_alive():
        found = hits(store, "text")
        assert found == list(range(len(found)))
        assert len(found) >= seen
        seen = len(found)
    worker.join()
    assert len(hits(store, "text")) == 3000


def test_a_search_can_be_given_up() -> None:
    store = filled(session_of(*TEXTS))
    assert not store.prepare(Query.parse("login"), lambda: True)
    assert store.prepare(Query.parse("login"), lambda: False)
    assert hits(store, "login") == [0, 1]


def test_a_pattern_that_takes_too_long_finds_nothing_and_says_so() -> None:
    session = session_of("a" * 5000, "b")
    outline = Outline(session, texts=filled(session))
    outline.set_query("re:(a|aa)+$(?<!a)")
    assert len(outline) == 0
    assert outline.query.error is not None


words = st.sampled_from(["ab", "abc", "b", "c a", "ß", "修正", "a\nb", "bca", "  "])


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.lists(words, max_size=4).map(" ".join), min_size=1, max_size=12),
    queries=st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=6),
    quoted=st.booleans(),
)
def test_against_the_query_itself(texts: list[str], queries: list[str], quoted: bool) -> None:
    """Searching bytes with all its shortcuts finds what matching text by text finds."""
    session = session_of(*texts)
    store = filled(session)
    for typed in queries:
        query = Query.parse(f'"{typed}"' if quoted else typed)
        assert hits(store, f'"{typed}"' if quoted else typed) == [
            index for index, text in enumerate(texts) if query.matches(f"user {text}")
        ]


@pytest.mark.usefixtures("small_slices")
def test_a_long_search_tells_what_it_has_found_around_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_store, "_MOMENT", 0.0)
    store = filled(session_of(*(f"{'red' if n % 2 else 'blue'} {n} {'x' * 40}" for n in range(40))))
    told: list[bytes] = []
    assert store.prepare(Query.parse("red"), lambda: False, 21, told.append)
    assert [index for index, hit in enumerate(told[0]) if hit] == [21]
    assert len(told) == 1
    assert hits(store, "red") == list(range(1, 40, 2))
    assert store.prepare(Query.parse("red 3"), lambda: False, 21, told.append)
    assert hits(store, "red 3") == [3, 13, 23, *range(31, 40, 2)]


def test_an_outline_shows_what_a_search_has_found_so_far() -> None:
    session = session_of("red one", "blue", "red two", "red three")
    outline = Outline(session, texts=filled(session))
    outline.set_query("red", so_far=b"\0\0\1")
    assert [row.index for row in outline.rows()] == [2]
    append(session, message("e4", "e3", "red four"))
    outline.refresh()
    assert outline.partly_searched
    assert outline.hit_count == 1
    outline.set_query("red")
    assert not outline.partly_searched
    assert [row.index for row in outline.rows()] == [0, 2, 3]
