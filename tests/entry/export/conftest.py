"""Sessions to export: one of every kind of entry, and ones that mean harm."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pitree.session.manager.manager import SessionManager
from tests.support.stories import Story

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def image(data: bytes | str = PNG, mime: str = "image/png") -> dict[str, Any]:
    """An image block."""
    encoded = data if isinstance(data, str) else base64.b64encode(data).decode()
    return {"type": "image", "mimeType": mime, "data": encoded}


def text(said: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": said}


def rich_story() -> Story:
    """A session with every kind of entry on one branch, and another branch beside it."""
    story = Story().add("m1", "model_change", provider="test", modelId="claude-test")
    story.user("u1", "Make it **good**\n\n```py\nprint('hi')\n```")
    thinking = {"type": "thinking", "thinking": "Hmm, a `thought`"}
    story.assistant("a1", "", content=[thinking, text("I'll look."), text("# With a heading")])
    story.tool("t1", "bash", {"command": "cat x"}, "one\n```\nfence inside\n````\n\x1b[31mred\x1b[0m")
    story.tool("t2", "edit", {"path": "src/a.py", "oldText": "old", "newText": "new"}, "done")
    story.user("left", "another way", parent="t2")
    story.assistant("a2", "Done", parent="t2")
    story.add("u2", "message", message={"role": "user", "content": [text("and this picture"), image()]})
    bash = {"role": "bashExecution", "command": "ls", "output": "a\nb", "exitCode": 0}
    story.add("b1", "message", message=bash)
    story.add("c1", "compaction", summary="All *so* far", firstKeptEntryId="a2", tokensBefore=50_000)
    story.add("s1", "branch_summary", summary="Tried another way", fromId="left")
    story.add("x1", "custom_message", customType="todo", content="3 of 5", display=False)
    story.add("x2", "custom", customType="todo", data={"open": 3})
    story.add("n1", "session_info", name="Better & <best>")
    story.add("e1", "context_edit", targetId="a2", replacement={"content": "Done, shorter"})
    story.label("u2", "checkpoint")
    story.add("z1", "from_the_future", wheels=4)
    return story.assistant("a3", "The end")


@pytest.fixture
def rich() -> SessionManager:
    """A session with every kind of entry."""
    return rich_story().session()


def harmful_session(said: str) -> SessionManager:
    """A session that says something harmful wherever a session can say something."""
    story = Story().add("m1", "model_change", provider=said, modelId=said)
    story.user("u1", said)
    blocks = [
        {"type": "thinking", "thinking": said},
        text(said),
        {"type": "toolCall", "id": "c1", "name": said, "arguments": {"path": said, said: [said]}},
        {"type": "toolCall", "id": "c2", "name": "bash", "arguments": {"command": said}},
        {"type": "toolCall", "id": "c3", "name": "edit", "arguments": {"path": said, "newText": said}},
        {"type": said},
        image(said, said),
    ]
    story.assistant("a1", "", content=blocks, model=said, errorMessage=said, stopReason=said)
    for number in (1, 2, 3):
        result = {
            "role": "toolResult",
            "toolCallId": f"c{number}",
            "toolName": said,
            "content": [text(said), image(said)],
            "details": {"diff": said, said: said},
        }
        story.add(f"r{number}", "message", message=result)
    story.add("b1", "message", message={"role": "bashExecution", "command": said, "output": said})
    story.add("o1", "message", message={"role": said, "content": said})
    story.add("c1", "compaction", summary=said, firstKeptEntryId=said, details={"readFiles": [said]})
    story.add("s1", "branch_summary", summary=said, fromId=said)
    story.add("x1", "custom_message", customType=said, content=said, details=said)
    story.add("n1", "session_info", name=said)
    story.add("e1", "context_edit", targetId="u1", replacement={"content": said})
    story.label("u1", said)
    story.add("z1", said, field=said)
    story.add("l1", "thinking_level_change", thinkingLevel=said)
    return story.user("end", "the very end").session()
