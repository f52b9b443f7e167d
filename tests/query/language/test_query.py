"""Queries: Pi's syntax, what matches, and where to highlight it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pitree.query.language.query import Query
from pitree.query.language.text_forms import fold

LETTERS = 'abAB \n\t"é.İıßSΣςσǆŉﬁ日😀k\u212a\u00a0'
TEXT = st.text(st.sampled_from(LETTERS), max_size=30) | st.text(max_size=30)
TYPED = st.text(st.sampled_from(LETTERS), max_size=8) | st.text(max_size=8)


@pytest.mark.parametrize(
    ("typed", "words", "phrases"),
    [
        ("", (), ()),
        ("  \t ", (), ()),
        ("fix Login", ("fix", "login"), ()),
        ('"node cve"', (), ("node cve",)),
        ('foo "node  CVE" bar', ("foo", "bar"), ("node cve",)),
        ('a"b c"d', ("a", "d"), ("b c",)),
        ('"" " "', (), ()),
        ('say "hello', ("say", '"hello'), ()),
        ('a "b" c"', ("a", '"b"', 'c"'), ()),
        ('"', ('"',), ()),
        ("RE:x", ("re:x",), ()),
        ("a re:x", ("a", "re:x"), ()),
        ("a\u3000b\ufeffc", ("a", "b", "c"), ()),
        ("ΟΔΟΣ", ("οδοσ",), ()),
    ],
)
def test_parse(typed: str, words: tuple[str, ...], phrases: tuple[str, ...]) -> None:
    query = Query.parse(typed)
    assert (query.words, query.phrases) == (words, phrases)
    assert query.patterns == ()
    assert query.error is None
    assert query.empty == (not words and not phrases)
    assert query.terms == words + phrases
    assert query.needles == tuple(term.encode() for term in words + phrases)


@pytest.mark.parametrize(
    ("typed", "text", "expected"),
    [
        ("", "anything", True),
        ('""', "anything", True),
        ("login fix", "Fix the LOGIN", True),
        ("login fox", "Fix the LOGIN", False),
        ("1024", "port 1024", True),
        ("1024", "1a0b2c4d", False),
        ('"node cve"', "the Node\n   CVE list", True),
        ('"node cve"', "node and cve", False),
        ('"node cve"', "node\u00a0cve", True),
        ('"node cve', "node cve", False),
        ('"node cve', 'cve "node', True),
        ("re:foo|bar", "a BAR", True),
        ("re:foo|bar", "a baz", False),
        ("  re: ^the login$ ", "The Login", True),
        ("re:(", "(", False),
        ("straße", "STRASSE", True),
        ("STRASSE", "Straße", True),
        ("ΟΔΟΣ", "οδος", True),
        ("οδοσ", "ΟΔΟΣ", True),
        ("i̇stanbul", "İstanbul", True),
        ("日本", "the 日本語 text", True),
    ],
)
def test_matches(typed: str, text: str, expected: bool) -> None:
    assert Query.parse(typed).matches(text) is expected


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("re:", "re: needs a pattern"),
        ("re:(", "a ( is never closed"),
        ("re:[a", "a [ is not closed"),
        ("re:*", "* + ? or { has nothing to repeat"),
    ],
)
def test_a_bad_pattern_says_so_and_finds_nothing(typed: str, error: str) -> None:
    query = Query.parse(typed)
    assert query.error == error
    assert not query.empty
    assert not query.matches("(*[a")
    assert query.spans("(*[a") == []


def test_a_pattern_that_takes_forever_is_stopped_and_says_so() -> None:
    query = Query.parse("re:(a|aa|b?)+c")
    text = "ab" * 5_000 + "d c"
    assert query.error is None
    assert not query.matches(text)
    assert query.error == "it takes too long on this text"
    assert not query.matches("ac")
    assert query.spans("ac") == []
    assert Query.parse("re:(a|aa|b?)+c").matches("ac")


def test_queries_that_find_the_same_are_equal_however_typed() -> None:
    assert Query.parse("Foo  bar") == Query.parse(" foo bar ")
    assert Query.parse("re: x") == Query.parse("re:x")
    assert Query.parse("foo") != Query.parse("fo")
    assert Query.parse('"foo"') != Query.parse("foo")
    assert Query.parse("re:x") != Query.parse("x")
    assert len({Query.parse("a"), Query.parse("A "), Query.parse("re:a")}) == 2


@given(TYPED, TEXT)
@example("ß", "SS")
@example("İ", "aİ")
def test_all_that_lower_case_finds_is_found(typed: str, text: str) -> None:
    query = Query.parse(typed)
    if not query.patterns and '"' not in typed:
        found = all(word in text.lower() for word in typed.lower().split())
        assert query.matches(text) or not found
        if typed.isascii() and text.isascii():
            assert query.matches(text) == found


@given(TYPED, TEXT)
def test_a_store_of_folded_texts_finds_what_matches(typed: str, text: str) -> None:
    query = Query.parse(typed)
    stored = fold(text).encode()
    if not query.patterns:
        assert all(needle in stored for needle in query.needles) == query.matches(text)
        assert query.matches(text.lower()) == query.matches(text)


@given(TEXT)
def test_folding_is_done_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(text.lower()) == fold(text)


@given(st.text("a \n\t\r\x0b\x1c\u3000\ufeff", max_size=40), st.integers(0, 3000))
def test_folding_makes_white_space_single(text: str, more: int) -> None:
    text += "x" * more + text
    assert fold(text) == " ".join(text.replace("\ufeff", " ").split())


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "ß"]), min_size=1),
    st.lists(st.sampled_from([" ", "\n", "\t  "])),
)
def test_a_phrase_matches_over_any_white_space(words: list[str], gaps: list[str]) -> None:
    typed = '"' + " ".join(words) + '"'
    text = "x"
    for place, word in enumerate(words):
        text += word.upper() + (gaps[place % len(gaps)] if gaps else " ")
    query = Query.parse(typed)
    assert query.matches(text)
    assert len(query.spans(text)) >= 1


@pytest.mark.parametrize(
    ("typed", "text", "found"),
    [
        ("", "abc", []),
        ("the", "The other", ["The", "the"]),
        ("other the", "The other", ["The", "other"]),
        ("aa", "aaaaa", ["aa", "aa"]),
        ('"node cve"', "Node\n  CVE node cve", ["Node\n  CVE", "node cve"]),
        ('"a b"', "a\u00a0B", ["a\u00a0B"]),
        ("re:b.", "abcbd", ["bc", "bd"]),
        ("re:x*", "axxb", ["xx"]),
        ("stan", "İstanbul", ["stan"]),
        ("bul", "İİİbul", ["bul"]),
        ("i", "xİx", ["İ"]),
        ("ss", "weiß, weiss", ["ß", "ss"]),
        ("s", "ß", ["ß"]),
        ("fi", "ﬁne fine", ["ﬁ", "fi"]),
        ("missing here", "only here", ["here"]),
        ("日本", "x日本語", ["日本"]),
        ("😀b", "a😀b", ["😀b"]),
    ],
)
def test_spans_are_of_the_text_as_it_was_given(typed: str, text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in Query.parse(typed).spans(text)] == found


@given(TYPED, TEXT)
def test_spans_are_in_order_apart_and_hold_what_was_looked_for(typed: str, text: str) -> None:
    query = Query.parse(typed)
    spans = query.spans(text)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    if query.patterns:
        return
    assert all(any(term[0] in fold(text[start:end]) for term in query.terms) for start, end in spans)
    if query.terms and query.matches(text):
        assert spans
