"""Lines and JSON values out of bytes."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.format.jsonl import LineSplitter, dump, objects_within, parse


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
def test_any_cut_of_the_bytes_gives_the_same_lines(data: bytes, cuts: list[int]) -> None:
    splitter = LineSplitter()
    places = sorted({0, len(data), *(cut for cut in cuts if cut <= len(data))})
    lines = [line for a, b in pairwise(places) for line in splitter.feed(data[a:b])]
    assert [*lines, splitter.rest()] == data.split(b"\n")
    assert splitter.offset + splitter.waiting == len(data)


def test_only_lf_ends_a_line() -> None:
    text = "a\u2028b\u2029c\x85d\x0be\rf".encode()
    assert LineSplitter().feed(text + b"\n") == [text]


def test_a_line_of_many_pieces_is_joined_once() -> None:
    splitter = LineSplitter()
    for _ in range(20_000):
        assert splitter.feed(b"x" * 100) == []
    assert splitter.feed(b"\n") == [b"x" * 2_000_000]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a":1}\r', {"a": 1}),
        (b'  {"a":1}\t', {"a": 1}),
        (b'{"a":"\xff"}', {"a": "\ufffd"}),
        (b'{"a":"\xe4\xbf"}', {"a": "\ufffd"}),
        (b'{"a":"\\ud83d"}', {"a": "\ud83d"}),
        (b'{"a":123456789012345678901234567890}', {"a": 123456789012345678901234567890.0}),
        (b'{"a":1,"a":2}', {"a": 2}),
    ],
)
def test_what_javascript_reads_is_read(line: bytes, value: object) -> None:
    assert parse(line) == value


@pytest.mark.parametrize(
    "line", [b'{"a":1', b"NaN", b'{"a":Infinity}', b"{'a':1}", b'{"a":1}x', b"\xff", b"[" * 100_000]
)
def test_what_is_no_json_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any value error will do
        parse(line)


def test_lone_surrogates_are_written_as_escapes() -> None:
    assert json.loads(dump({"a": "\ud83d"})) == {"a": "\ud83d"}
    assert dump({"a": "é"}) == '{"a":"é"}'.encode()


def test_whole_objects_on_a_damaged_line_are_found() -> None:
    line = b'{"type":"message","te{"n":1}{"n":"\xc3\xa9"} tail {"n":'
    assert [(line[a:b], value) for a, b, value in objects_within(line)] == [
        (b'{"n":1}', {"n": 1}),
        ('{"n":"é"}'.encode(), {"n": "é"}),
    ]


def test_recovery_gives_up_in_bounded_time() -> None:
    assert list(objects_within(b'{"a":' * 50_000 + b'"' + b"x" * 1_000_000)) == []
