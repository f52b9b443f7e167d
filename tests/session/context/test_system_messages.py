"""System messages replayed into one."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.session.context.system_messages import current_system_message


def system(**fields: Any) -> dict[str, Any]:
    return {"role": "system", **fields}


def test_contents_follow_and_sections_and_tools_are_patched_by_name() -> None:
    messages = [
        system(content="one", sections={"a": "1", "b": "2"}, toolsAdded=[{"name": "read"}], timestamp=5),
        {"role": "user", "content": "between"},
        system(
            content=[{"type": "text", "text": "two"}],
            sections={"a": None, "c": "3"},
            toolsRemoved=[{"name": "read"}],
            toolsAdded=[{"name": "bash"}],
            timestamp=7,
        ),
    ]
    assert current_system_message(messages) == {
        "role": "system",
        "content": "one\n\ntwo",
        "sections": {"b": "2", "c": "3"},
        "toolsAdded": [{"name": "bash"}],
        "timestamp": 5,
    }


def test_without_a_system_message_there_is_none() -> None:
    assert current_system_message([{"role": "user", "content": "hi"}]) is None


@pytest.mark.parametrize("odd", [7, "text", ["x", None], {"name": []}])
def test_parts_of_an_odd_form_count_as_absent(odd: Any) -> None:
    made = current_system_message([system(content="c", sections=[odd], toolsRemoved=odd, timestamp=1)])
    assert made == {"role": "system", "content": "c", "timestamp": 1}
