"""Small sessions for the tests of the screen, built entry by entry."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pitree.session.manager.manager import SessionManager

START = datetime(2026, 3, 9, 14, 2, tzinfo=UTC)


class Story:
    """Entries in file order, a minute apart; each hangs on the one before unless told otherwise."""

    def __init__(self, minutes: int = 0) -> None:
        self._start = START + timedelta(minutes=minutes)
        self.entries: list[dict[str, Any]] = []
        self._last: str | None = None

    def add(self, entry_id: str, kind: str, parent: str | None = "", **fields: Any) -> Story:
        """Add an entry of a type; `parent` "" means the entry before."""
        time = self._start + timedelta(minutes=len(self.entries))
        self.entries.append(
            {
                "type": kind,
                "id": entry_id,
                "parentId": self._last if parent == "" else parent,
                "timestamp": time.isoformat().replace("+00:00", "Z"),
                **fields,
            }
        )
        self._last = entry_id
        return self

    def user(self, entry_id: str, said: str, parent: str | None = "") -> Story:
        """Add a user message."""
        return self.add(entry_id, "message", parent, message={"role": "user", "content": said})

    def assistant(self, entry_id: str, said: str, parent: str | None = "", **fields: Any) -> Story:
        """Add an assistant message with a text."""
        content = [{"type": "text", "text": said}] if said else []
        message = {
            "role": "assistant",
            "content": content,
            "model": "claude-test",
            "provider": "test",
            "stopReason": "stop",
            "usage": {
                "input": 1000,
                "output": 234,
                "cacheRead": 0,
                "cacheWrite": 0,
                "cost": {"total": 0.25},
            },
            **fields,
        }
        return self.add(entry_id, "message", parent, message=message)

    def tool(self, entry_id: str, name: str, arguments: dict[str, Any], result: str) -> Story:
        """Add a call of a tool and its result."""
        call = {"type": "toolCall", "id": f"call-{entry_id}", "name": name, "arguments": arguments}
        self.assistant(f"{entry_id}-call", "", content=[call], stopReason="toolUse")
        result_message = {
            "role": "toolResult",
            "toolCallId": f"call-{entry_id}",
            "toolName": name,
            "content": [{"type": "text", "text": result}],
            "isError": False,
        }
        return self.add(entry_id, "message", message=result_message)

    def label(self, target: str, label: str | None) -> Story:
        """Add a label entry."""
        return self.add(f"label-{len(self.entries)}", "label", targetId=target, label=label)

    def session(self) -> SessionManager:
        """The session, in memory."""
        return SessionManager.in_memory("/home/me/app", self.entries)

    def write(self, path: Path, cwd: Path | str = "/home/me/app") -> Path:
        """Write the session's file."""
        header = {
            "type": "session",
            "version": 3,
            "id": path.stem,
            "timestamp": self._start.isoformat().replace("+00:00", "Z"),
            "cwd": str(cwd),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in (header, *self.entries)))
        return path


def login_story() -> Story:
    """A session with a branch point: TypeScript (with the leaf) or JavaScript."""
    story = Story()
    story.user("u1", "Add a login form").assistant("a1", "I will create the form component")
    story.tool("t1", "write", {"path": "src/Login.tsx", "content": "secret word: marmalade"}, "ok")
    story.assistant("a2", "Created the form. Next: validation")
    story.user("u2", "Actually use JavaScript", parent="a2").assistant("a3", "Converted to JS")
    story.user("u3", "Use TypeScript", parent="a2").assistant("a4", "Converted to TS")
    story.label("u3", "checkpoint")
    return story.user("u4", "Thanks")


def deep_story(depth: int) -> Story:
    """A session whose path passes `depth` branch points, each one level deeper."""
    story = Story().user("n0", "the beginning")
    for number in range(1, depth + 1):
        story.user(f"side{number}", f"a side road at {number}", parent=f"n{number - 1}")
        story.user(f"n{number}", f"step {number} on a long and winding road", parent=f"n{number - 1}")
    return story
