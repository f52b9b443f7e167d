"""Values nested deeper than any reader goes: each entry in its place, nothing lost when written again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitree.catalog.info.session_info import read_info
from pitree.entry.export.formats import session_lines
from pitree.pi.places import session_file
from pitree.query.index.record_reader import RecordReader
from pitree.session.format import nesting
from pitree.session.format.entry_type import Flag
from pitree.session.format.jsonl import dump, objects_within, parse
from pitree.session.format.nesting import DEEPEST, Deep
from pitree.session.manager.forking import clone
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.block_parser import scan
from pitree.session.reading.reader import SessionReader
from tests.interop.hostile import depths, nested
from tests.support.records import HEADER, encode, message

FILES = {name: story.data for name, story in depths().items()}
ID = re.compile(rb'"id":"(\w+)","parentId"')


@pytest.fixture(params=FILES)
def data(request: pytest.FixtureRequest) -> bytes:
    """A file with a value nested deep in one of its entries."""
    return FILES[request.param]


@pytest.fixture
def path(tmp_path: Path, data: bytes) -> Path:
    """The same on the disk."""
    made = tmp_path / "2026-01-01T00-00-00-000Z_hostile.jsonl"
    made.write_bytes(data)
    return made


def test_fault_01_a_deep_entry_stands_in_its_place(path: Path, data: bytes) -> None:
    """Every reader reads the whole tree, and nobody calls the line damaged."""
    ids = [found.decode() for found in ID.findall(data)]
    assert ids[-2:] == ["above", "end"]
    session = SessionManager.open(path)
    assert list(session.table.ids) == ids
    assert list(session.table.parents) == list(range(-1, len(ids) - 1))
    assert session.notices == []
    start = data.index(b"\n") + 1
    block = scan(data, start, start)
    reader = SessionReader()
    reader.feed(data[:start])
    reader.take(block)
    reader.finish()
    assert list(reader.data.table.texts) == list(session.table.texts)
    assert reader.data.stats == session.stats()
    assert [record["id"] for _, record, _ in RecordReader(str(path))] == ids
    infos = [read_info(session_file(str(path)), quickly=quickly) for quickly in (False, True)]
    assert [info.message_count for info in infos] == [sum(session.stats().messages.values())] * 2
    session.close()


def test_fault_01_deep_lines_are_copied_unharmed(path: Path, data: bytes) -> None:
    lines = data.splitlines()[1:]
    session = SessionManager.open(path)
    assert [dump(record) for record in map(session.records.load, range(len(lines)))] == lines
    assert list(session_lines(session, session.leaf_index))[1:] == [line + b"\n" for line in lines]
    assert clone(session).path.read_bytes().splitlines()[1:] == lines
    session.append_label_change("above", "deep")
    assert path.read_bytes().startswith(data)
    session.close()


@pytest.mark.parametrize("depth", [2_000, 100_000])
def test_fault_01_a_deep_record_on_a_damaged_line_is_recovered(depth: int) -> None:
    record = b'{"type":"custom","id":"x","parentId":null,"timestamp":"t","data":%s}' % nested(depth)
    line = b"torn{" + record + record
    assert [(line[start:end], value["id"]) for start, end, value in objects_within(line)] == [
        (record, "x")
    ] * 2
    session = SessionReader()
    session.feed(encode(HEADER) + line + b"\n")
    assert [Flag.RECOVERED & flags for flags in session.data.table.flags] == [Flag.RECOVERED] * 2


@pytest.mark.parametrize(
    "inner",
    [b"NaN", b"[1,]", b"{]", b"[}", b'{"a" 1}', b'"\n"', b"1 2", b'{"a":NaN}', b"'", b'"', b"]", b"["],
)
@pytest.mark.parametrize("depth", [0, DEEPEST - 1, DEEPEST, DEEPEST + 1, 3 * DEEPEST, 20 * DEEPEST])
def test_fault_01_what_is_no_json_is_refused_at_any_depth(inner: bytes, depth: int) -> None:
    for more in (b"", b"," + nested(3 * DEEPEST)):
        with pytest.raises(ValueError):  # noqa: PT011 - any value error will do
            parse(b"[" * depth + inner + more + b"]" * depth)


def levels(value: Any) -> int:
    """How deep a value goes, what is not read not counted."""
    if isinstance(value, dict | list):
        return 1 + max(map(levels, value.values() if isinstance(value, dict) else value), default=0)
    return 0


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text('a"[{\\é\n', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=25,
)


@given(VALUES, st.integers(1, 4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_is_read_to_a_depth_and_written_whole(
    monkeypatch: pytest.MonkeyPatch, value: Any, deepest: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(nesting, "DEEPEST", deepest)
        read = nesting.read_nested(json.dumps(value), int)
    assert levels(read) == min(levels(value), deepest)
    assert json.loads(dump(read)) == value


def test_deep_values_are_told_apart_by_their_text() -> None:
    text = nested(2 * DEEPEST)
    assert parse(text) == parse(text) != parse(text.replace(b"bottom", b"other"))
    deep = Deep('{"k\\n":["w",-1.5e3,{"data":null}]}')
    assert list(deep.words()) == ["k\n", "w", "-1.5e3", "data"]


def test_a_deep_value_beside_what_only_the_standard_library_writes() -> None:
    line = b'{"a":"\\ud83d","b":%s,"c":[],"d":{}}' % nested(500)
    assert dump(parse(line)) == line
    assert SessionManager.in_memory("/w", [message("u", None) | {"x": parse(line)}]).get_entry_count() == 1
