"""What rows say: the words of Pi's /tree for each kind of entry, marks, label times."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.outline.row_words import Row, label_time, row_text
from pitree.session.format.entry_type import Kind
from pitree.session.manager.manager import SessionManager
from tests.support.records import message


def rows_of(*records: dict[str, object]) -> list[Row]:
    """The rows, with the filter `all`, of a session made of records that hang on each other in turn."""
    made = []
    for place, record in enumerate(records):
        parent = made[-1]["id"] if made else None
        stamp = f"2026-01-01T00:00:{place:02d}.000Z"
        made.append({"id": f"e{place}", "parentId": parent, "timestamp": stamp, **record})
    return list(Outline(SessionManager.in_memory("/w", made), FilterMode.ALL).rows())


def said(*records: dict[str, object]) -> str:
    """The text of the row of the last of some entries."""
    return rows_of(*records)[-1].body


def msg(role: str, **more: object) -> dict[str, object]:
    return {"type": "message", "message": {"role": role, **more}}


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (msg("user", content="hello\n\tthere  "), "user: hello  there"),
        (msg("user", content=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "user: ab"),
        (msg("assistant", content=[{"type": "text", "text": "hi"}]), "assistant: hi"),
        (msg("assistant", content=[], stopReason="aborted"), "assistant: (aborted)"),
        (msg("assistant", content=[], stopReason="error", errorMessage="no\nnet"), "assistant: no net"),
        (msg("assistant", content=[], stopReason="length"), "assistant: (no content)"),
        (msg("toolResult", toolName="grep", toolCallId="?", content=[]), "[grep]"),
        (msg("toolResult", content=[]), "[tool]"),
        (msg("bashExecution", command="ls\n-l", output="x"), "[bash]: ls -l"),
        (msg("system", content="be kind"), "[system]"),
        (msg("advisor", content="x"), "[advisor]"),
        ({"type": "custom_message", "customType": "note", "content": "a\nb"}, "[note]: a b"),
        ({"type": "compaction", "summary": "s", "tokensBefore": 50_400}, "[compaction: 50k tokens]"),
        ({"type": "compaction", "summary": "s"}, "[compaction]"),
        ({"type": "branch_summary", "summary": "went\nwrong"}, "[branch summary]: went wrong"),
        ({"type": "model_change", "provider": "p", "modelId": "gpt-5"}, "[model: gpt-5]"),
        ({"type": "thinking_level_change", "thinkingLevel": "high"}, "[thinking: high]"),
        ({"type": "custom", "customType": "ext", "data": {"n": 1}}, "[custom: ext]"),
        ({"type": "context_edit", "targetId": "e0", "replacement": None}, "[context omit: e0]"),
        (
            {"type": "context_edit", "targetId": "e0", "replacement": {"content": "x"}},
            "[context replace: e0]",
        ),
        ({"type": "label", "targetId": "e0", "label": "here"}, "[label: here]"),
        ({"type": "label", "targetId": "e0"}, "[label: (cleared)]"),
        ({"type": "session_info", "name": "my title"}, "[title: my title]"),
        ({"type": "session_info", "name": ""}, "[title: empty]"),
        ({"type": "hologram", "depth": 3}, "[hologram]"),
    ],
)
def test_the_text_of_a_row(record: dict[str, object], text: str) -> None:
    assert said(record) == text


CALLS = [
    ("read", {"path": "/x/a.py", "offset": 1, "limit": 20}, "[read: /x/a.py:1-20]"),
    ("bash", {"command": "npm test"}, "[bash: npm test]"),
    ("edit", {"path": "a.py"}, "[edit: a.py]"),
    ("grep", {"pattern": "p", "path": "src"}, "[grep: /p/ in src]"),
    ("ask", {"question": "why: because]"}, '[ask: {"question":"why: because]"}]'),
]


@pytest.mark.parametrize(("name", "arguments", "text"), CALLS)
def test_a_tool_result_shows_its_call(name: str, arguments: dict[str, object], text: str) -> None:
    call = {"type": "toolCall", "id": "c1", "name": name, "arguments": arguments}
    row = rows_of(
        msg("assistant", content=[call], stopReason="toolUse"),
        msg("toolResult", toolCallId="c1", toolName=name, content=[]),
    )[-1]
    assert row.body == text
    assert row.prefix == f"[{name}: "
    assert row.suffix == "]"


def test_the_parts_of_a_row() -> None:
    row = rows_of({"type": "model_change", "provider": "p", "modelId": "gpt-5"})[0]
    assert (row.prefix, row.text, row.suffix) == ("[model: ", "gpt-5", "]")
    row = rows_of({"type": "custom_message", "customType": "note", "content": "[x]: y"})[0]
    assert (row.prefix, row.text, row.suffix) == ("[note]: ", "[x]: y", "")


@pytest.mark.parametrize(
    ("record", "entry_type", "role"),
    [
        (msg("user", content="x"), "message", "user"),
        (msg("toolResult", content=[]), "message", "toolResult"),
        (msg("advisor", content="x"), "message", "advisor"),
        ({"type": "compaction", "summary": "x"}, "compaction", ""),
        ({"type": "hologram"}, "hologram", ""),
    ],
)
def test_type_and_role(record: dict[str, object], entry_type: str, role: str) -> None:
    row = rows_of(record)[0]
    assert (row.type, row.role) == (entry_type, role)


def test_every_kind_has_a_text() -> None:
    for kind in Kind:
        assert row_text(kind, 0, "body").prefix or row_text(kind, 0, "body").text


def test_the_whole_row_as_pi_draws_it() -> None:
    made = SessionManager.in_memory(
        "/w",
        [
            message("u1", None, "start"),
            message("u2", "u1", "one"),
            message("u3", "u1", "two"),
            {
                "type": "label",
                "id": "l4",
                "parentId": "u3",
                "targetId": "u2",
                "label": "check",
                "timestamp": "x",
            },
        ],
    )
    assert [row.plain for row in Outline(made).rows()] == [
        "• user: start",
        "├─ • user: two",
        "└─ [check] user: one",
    ]


@pytest.fixture
def zone_of_athens() -> Iterator[None]:
    """Local time two hours east of Greenwich."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "EET-2"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("zone_of_athens")
@pytest.mark.parametrize(
    ("iso_time", "shown"),
    [
        ("2026-03-09T07:05:59.999Z", "09:05"),
        ("2026-03-08T22:00:00Z", "00:00"),
        ("2026-03-08T21:59:00Z", "3/8 23:59"),
        ("2026-01-02T03:04:05Z", "1/2 05:04"),
        ("2025-12-31T21:59:00Z", "25/12/31 23:59"),
        ("2025-12-31T22:00:00Z", "1/1 00:00"),
        ("2009-10-11T00:00:00Z", "09/10/11 02:00"),
        ("yesterday", None),
        ("", None),
        ("0001-01-01T00:00:00Z", None),
    ],
)
def test_label_times(iso_time: str, shown: str | None) -> None:
    assert label_time(iso_time, datetime(2026, 3, 9, 12, 0)) == shown


def test_a_row_carries_its_label_and_when_it_was_set() -> None:
    row = rows_of(
        msg("user", content="x"),
        {"type": "label", "targetId": "e0", "label": "bug 🐛"},
    )[0]
    assert row.label == "bug 🐛"
    assert row.label_time is not None
    assert rows_of(msg("user", content="x"))[0].label_time is None
