"""Fuzzy names: the scores Pi 1.6.0 gives, found by asking it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.query.language.fuzzy import fuzzy_score
from tests.support.work import computing_at_most

SHORT = st.text("abAB12 -/é😀", max_size=12)


@pytest.mark.parametrize(
    ("query", "text", "score"),
    [
        ("opus", "openrouter openrouter/anthropic/claude-opus", -23.8),
        ("1024", "1a0b2c4d", -7.800000000000001),
        ("1024", "port 1024", -37.400000000000006),
        ("", "", 0),
        ("", "x", 0),
        ("abc", "ab", None),
        ("zz", "abc", None),
        ("login", "fix the login", -54.99999999999999),
        ("ftl", "fix the login", -21.8),
        ("FTL", "Fix The Login", -21.8),
        ("codex52", "gpt-5.2-codex", -64.99999999999999),
        ("52codex", "gpt 52 codex", -67.60000000000001),
        ("gpt5", "5gpt", -154.4),
        ("5gpt", "GPT-5", -42.3),
        ("a1b", "1ab", None),
        ("refactor", "Refactor", -287.20000000000005),
        ("refactor", "refactor the parser", -187.20000000000002),
        ("😀", "hi 😀", -14.299999999999999),
        ("😀x", "😀😀x", -20.5),
        ("é", "Café", 0.30000000000000004),
        ("src", "~/src/app", -24.1),
        ("app", "~/src/app", -22.900000000000002),
        ("ab", "xab/ab", -14.1),
        ("İ", "İstanbul", -24.9),
        ("pp", "app.p/p-p", -4.7),
    ],
)
def test_scores(query: str, text: str, score: float | None) -> None:
    assert fuzzy_score(query, text) == score


def is_in_order(query: str, text: str) -> bool:
    rest = iter(text)
    return all(character in rest for character in query)


@given(SHORT, SHORT)
def test_matches_when_all_characters_come_in_order(query: str, text: str) -> None:
    query, text = query.lower(), text.lower()
    if is_in_order(query, text):
        assert fuzzy_score(query, text) is not None
    elif not any(character.isdigit() for character in query):
        assert fuzzy_score(query, text) is None


@given(SHORT.filter(bool), SHORT, SHORT)
def test_no_alignment_in_one_piece_scores_better(query: str, before: str, after: str) -> None:
    text = f"{before}{query}{after}"
    score = fuzzy_score(query, text)
    assert score is not None
    lone = fuzzy_score(query, query)
    assert lone is not None
    assert lone < score or text.lower() == query.lower()


@pytest.mark.parametrize("text", ["a" * 1_000_000, "a-" * 500_000, "b" * 1_000_000])
def test_a_name_of_a_megabyte_is_no_trouble(text: str) -> None:
    with computing_at_most(2):
        fuzzy_score("a" * 50, text)
