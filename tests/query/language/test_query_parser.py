"""The query language, and what a word is."""

from __future__ import annotations

from datetime import datetime

import pytest

from pitree.query.language.query_parser import ROLES, SearchQuery
from pitree.query.language.tokenizer import Term, indexed, spans, words_in

NOW = datetime(2026, 11, 30, 15, 30)


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("foo", "a foo.bar() b", True),
        ("foo", "foobar", False),
        ("foo*", "foobar", True),
        ("bar*", "foobar", False),
        ("foo", "some_foo_there", True),
        ("foo.bar()", "x = Foo.Bar();", True),
        ("foo.bar", "foo bar", False),
        ("--flag", "run --flag=1", True),
        ("--flag", "run --flags", False),
        ("a/b/c.py", "./a/b/c.py:12", True),
        ("a/b/c.py", "a/b/c.pyc", False),
        ("正", "修正する", True),
        ("修正", "修 正", False),
        ("🙂", "a🙂🙂b", True),
        ("straße", "STRASSE", True),
        ("cafe", "cafe\u0301", False),
        ("café", "cafés", False),
        ("café*", "cafés", True),
        ("off by one", "Off\n  by\tone.", True),
        ("off by one", "off by ones", False),
        ("σίσυφος", "ΣΊΣΥΦΟΣ", True),
        ("v1.2.3", "v1.2.30", False),
        ("->", "x->y", True),
    ],
)
def test_terms(term: str, text: str, found: bool) -> None:
    assert Term.of(term.removesuffix("*"), term.endswith("*")).found_in(text) is found


def test_long_words_are_told_apart_by_the_text_alone() -> None:
    long = "ab" * 40
    assert Term.of(long).found_in(f"x {long} y")
    assert not Term.of(long).found_in(f"x {long}c y")
    assert long not in indexed(long)
    assert words_in(long) == [long]


def test_spans_are_places_in_the_text_as_it_stands() -> None:
    text = "İ Straße, straße"
    found = spans((Term.of("strasse"),), text)
    assert [text[start:end] for start, end in found] == ["Straße", "straße"]


def test_a_whole_query() -> None:
    asked = SearchQuery.parse(
        'Redis "rate  limit" -cluster -"red hat" role:user role:tool tool:bash dir:"my app" li', NOW
    )
    assert asked.terms == (Term("redis"), Term("rate limit"), Term("li", begun=True))
    assert asked.without == (Term("cluster"), Term("red hat"))
    assert asked.roles == ROLES["user"] | ROLES["tool"]
    assert asked.tools == (Term("bash"),)
    assert asked.dirs == ("my app",)
    assert asked.problems == ()
    assert asked.find_text == 'redis "rate limit" li'


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("foo ", (Term("foo"),)),
        ("foo", (Term("foo", True),)),
        ('"foo ba', (Term("foo ba", True),)),
        ('"foo ba"', (Term("foo ba"),)),
        ("--flag ", (Term("--flag"),)),
        ("http://x std::y ", (Term("http://x"), Term("std::y"))),
        ("re:x ", (Term("re:x"),)),
        ('""', ()),
        ("->", (Term("->", True),)),
    ],
)
def test_words(typed: str, terms: tuple[Term, ...]) -> None:
    asked = SearchQuery.parse(typed)
    assert asked.terms == terms
    assert not asked.problems
    assert asked.empty is not bool(terms)


@pytest.mark.parametrize("word", ["fix", "修正", "🙂", "→", "_x"])
def test_any_word_can_be_left_out(word: str) -> None:
    """An emoji too, which the index knows: else it would be looked for, as text, in all entries with one."""
    asked = SearchQuery.parse(f"cache -{word} ")
    assert (asked.terms, asked.without) == ((Term("cache"),), (Term(word),))


@pytest.mark.parametrize(
    ("typed", "nothing"),
    [
        ("foo -foo ", True),
        ('"a foo b" -foo ', True),
        ("修正 -正 ", True),
        ("foo -fo ", False),
        ("-fo foo", False),
        ("-foo foo", False),
        ("foo -bar ", False),
    ],
)
def test_what_is_wanted_and_left_out_is_nowhere(typed: str, nothing: bool) -> None:
    assert SearchQuery.parse(typed).contradicts_itself is nothing


@pytest.mark.parametrize(
    ("typed", "after"),
    [
        ("after:2026-10-01", datetime(2026, 10, 1)),
        ("after:2026-10", datetime(2026, 10, 1)),
        ("after:2026-10-01T12:30", datetime(2026, 10, 1, 12, 30)),
        ("after:7d", datetime(2026, 11, 23, 15, 30)),
        ("after:today", datetime(2026, 11, 30)),
        ("after:yesterday after:2020", datetime(2026, 11, 29)),
    ],
)
def test_dates(typed: str, after: datetime) -> None:
    assert SearchQuery.parse(typed, NOW).after == after.timestamp() * 1000


@pytest.mark.parametrize(
    "wrong",
    ["role:cook", "after:soon", "before:2026-13-01", "-role:user", "tool:", 'name:""', "after:99999y"],
)
def test_what_is_wrong_is_said_and_the_rest_holds(wrong: str) -> None:
    asked = SearchQuery.parse(f"{wrong} foo", NOW)
    assert len(asked.problems) == 1
    assert wrong.split(":")[0] in asked.problems[0]
    assert asked == SearchQuery.parse("foo", NOW)
