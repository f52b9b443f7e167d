"""Patterns: ECMAScript's dialect, and no way to hang the program or fill its memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.query.language.pattern import Pattern, PatternError
from tests.support.work import computing_at_most


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("foo|bar", "a Bar", "Bar"),
        (r"\bfix(es|ed)?\b", "It FIXED it", "FIXED"),
        (r"(?<year>\d{4})-\k<year>", "2026-2026", "2026-2026"),
        (r"(?:a)(?=b)", "xab", "a"),
        (r"(?<!a)b", "ab bb", "b"),
        ("${e}", "x ${e}", None),
        (r"\${e}", "x ${e}", "${e}"),
        ("a{e}", "xa{e}", "a{e}"),
        ("x{,3}", "xx{,3}", "x{,3}"),
        ("a{2,}", "baaa", "aaa"),
        ("[[a]+", "x[a[", "[a["),
        (r"[\[\]]+", "x[]", "[]"),
        (r"[\w-]+@", "me-too@home", "me-too@"),
        ("x[]", "x[]", None),
        ("[^]x", "a\nx", "\nx"),
        ("b$", "ab\n", None),
        ("[$]", "a$", "$"),
        (r"\/usr\/", "/usr/bin", "/usr/"),
        (r"\yes", "yes", "yes"),
        (r"\p{Lu}é", "CAFÉ É", "FÉ"),
        (r"\u0041\x42", "xab", "ab"),
        (r"\\", "a\\b", "\\"),
        ("}]", "a}]", "}]"),
    ],
)
def test_dialect(pattern: str, text: str, found: str | None) -> None:
    compiled = Pattern(pattern)
    spans = compiled.spans(text)
    assert [text[start:end] for start, end in spans[:1]] == ([] if found is None else [found])
    assert compiled.found_in(text) == (found is not None)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "re: needs a pattern"),
        ("(", "a ( is never closed"),
        ("a(b(c)", "a ( is never closed"),
        ("a)", "a ) has no ("),
        ("[a", "a [ is not closed"),
        ("*a", "* + ? or { has nothing to repeat"),
        ("a**", "two repeats in a row"),
        ("a\\", "it ends with a \\"),
        ("[z-a]", "a range in [ ] is reversed"),
        ("a{2,1}", "in a { }, the larger number comes first"),
        ("(?R)", "unknown (?R"),
        ("(?i)a", "unknown (?i"),
        ("(" * 3000 + ")" * 3000, "it is too large"),
        ("a{1000000}", "it is too large"),
        ("((a{1000}){1000}){1000}", "it is too large"),
        ("(?:a{0,1000}b){0,1000}", "it is too large"),
        ("a{99999999999999999999}", "it is too large"),
        ("x" * 100_000, "it is too large"),
    ],
    ids=lambda value: value[:24],
)
def test_faults_in_plain_words(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError) as raised:
        Pattern(pattern)
    assert str(raised.value) == reason


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+b", "a" * 5000 + " cb"),
        ("(a|a?)+$", "a" * 5000 + "!"),
        (r"(\w+\s?)*;", "word " * 2000 + "!;"),
        (".*.*.*.*=x", "=" * 100_000),
        ("(?:a?){5000}a{5000}b", "a" * 5000 + "cb"),
    ],
    ids=lambda value: value[:24],
)
def test_no_pattern_runs_for_long(pattern: str, text: str) -> None:
    compiled = Pattern(pattern)
    with computing_at_most(10):  # these would run for years
        compiled.found_in(text)
        compiled.spans(text)


def test_a_stopped_pattern_matches_nothing_from_then_on() -> None:
    compiled = Pattern("(a|aa|b?)+c")
    assert compiled.found_in("abc")
    assert not compiled.too_slow
    assert not compiled.found_in("ab" * 5_000 + "d c")
    assert compiled.too_slow
    assert not compiled.found_in("abc")
    assert compiled.spans("abc") == []


@given(st.text(r"ab.*+?()[]{}|^$\1,:=!<>-nwdpuxR" "\n", max_size=12), st.text("ab{}[]\n\\1", max_size=20))
def test_any_pattern_is_usable_or_explained(pattern: str, text: str) -> None:
    compiled, reason = None, ""
    try:
        compiled = Pattern(pattern)
    except PatternError as error:
        reason = str(error)
    if compiled is None:
        assert reason
        return
    spans = compiled.spans(text)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(start < end <= len(text) for start, end in spans)
    assert compiled.found_in(text) or not spans


@given(st.text(min_size=1))
def test_an_escaped_text_finds_itself(text: str) -> None:
    escaped = "".join("\\" + character if not character.isalnum() else character for character in text)
    assert Pattern(escaped).found_in(f"x{text}y")
