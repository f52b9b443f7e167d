"""What of an entry a search finds, and what not."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.query.entries.searchable import searchable_text
from pitree.session.format.entry_summary import Summarizer
from pitree.session.format.entry_type import Kind

TEXT = {"type": "text", "text": "w-text"}
IMAGE = {"type": "image", "mimeType": "image/png", "data": "w-no-image"}
THINKING = {"type": "thinking", "thinking": "w-thinking", "thinkingSignature": "w-no-signature"}
CALL = {
    "type": "toolCall",
    "id": "w-no-id",
    "name": "w-name",
    "arguments": {"w-key": [{"deep": ["w-deep", 4711, True, None]}], "data": "w-data"},
    "thoughtSignature": "w-no-signature",
}


def message(role: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, **more}}


ENTRIES: list[tuple[dict[str, Any], str]] = [
    (message("user", content="w-plain"), "user w-plain"),
    (message("user", content=[TEXT, IMAGE]), "user w-text"),
    (
        message("assistant", content=[THINKING, TEXT, CALL], model="w-no-model"),
        "assistant w-text w-thinking w-name w-key w-deep 4711 w-data",
    ),
    (message("assistant", content=[], errorMessage="w-error", stopReason="error"), "assistant w-error"),
    (message("toolResult", toolName="w-tool", content=[TEXT, IMAGE]), "toolResult w-tool w-text"),
    (message("bashExecution", command="w-cmd", output="w-out"), "bashExecution w-cmd w-out"),
    (message("system", content="w-system", sections={"preamble": "w-section"}), "system w-system w-section"),
    (message("custom", customType="w-custom", content=[TEXT]), "custom w-custom w-text"),
    (message("branchSummary", summary="w-summary"), "branchSummary w-summary"),
    ({"type": "custom_message", "customType": "w-type", "content": [TEXT, IMAGE]}, "w-type w-text"),
    ({"type": "compaction", "summary": "w-summary"}, "compaction w-summary"),
    ({"type": "branch_summary", "summary": "w-summary"}, "branch summary w-summary"),
    ({"type": "model_change", "modelId": "w-model"}, "model w-model"),
    ({"type": "thinking_level_change", "thinkingLevel": "w-level"}, "thinking w-level"),
    ({"type": "custom", "customType": "w-type", "data": "w-no-data"}, "custom w-type"),
    ({"type": "context_edit", "targetId": "w-id", "replacement": None}, "context edit omit w-id"),
    (
        {"type": "context_edit", "targetId": "w-id", "replacement": {"content": [TEXT]}},
        "context edit replace w-id w-text",
    ),
    ({"type": "label", "label": "w-label"}, "label w-label"),
    ({"type": "session_info", "name": "w-title"}, "title w-title"),
    ({"type": "usage", "note": "w-note"}, "usage w-note"),
    ({"type": "hologram", "shape": {"w-key": "w-value"}, "picture": IMAGE}, "hologram w-key w-value"),
]


@pytest.mark.parametrize(("record", "words"), ENTRIES)
def test_all_that_is_said_is_found_and_nothing_else(record: dict[str, Any], words: str) -> None:
    kind = Kind(Summarizer().summarize(record)[0])
    text = searchable_text(record, kind).split()
    assert [word for word in words.split() if word not in text] == []
    assert [word for word in text if "w-no-" in word] == []


def test_a_word_across_two_text_blocks_is_found_as_the_row_shows_it() -> None:
    blocks = [{"type": "text", "text": "half"}, {"type": "text", "text": "way"}]
    assert "halfway" in searchable_text(message("user", content=blocks), Kind.USER)


@pytest.mark.parametrize(
    "value", [None, 3, [], {}, [None, 3, {"type": "text"}, {"type": "thinking"}], {"a": 1}]
)
@pytest.mark.parametrize("kind", list(Kind))
def test_parts_of_the_wrong_type_are_passed_over(kind: Kind, value: Any) -> None:
    fields = "message content customType summary modelId thinkingLevel replacement targetId label name note"
    assert isinstance(searchable_text(dict.fromkeys(fields.split(), value), kind), str)
    inner = dict.fromkeys(("role", "content", "command", "toolName", "sections", "errorMessage"), value)
    assert isinstance(searchable_text({"message": inner}, kind), str)
    calls = [{"type": "toolCall", "name": value, "arguments": value}]
    assert isinstance(searchable_text(message("assistant", content=calls), kind), str)


def test_arguments_may_be_deep() -> None:
    deep: Any = "w-bottom"
    for _ in range(100_000):
        deep = [deep]
    call = {"type": "toolCall", "name": "x", "arguments": deep}
    assert searchable_text(message("assistant", content=[call]), Kind.ASSISTANT).endswith("w-bottom")
