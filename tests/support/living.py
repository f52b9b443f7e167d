"""A session file that is written to while the screen shows it, as Pi and other programs write."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from pitree.pi.places import folder_name
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.main_screen import MainScreen
from tests.support.records import HEADER
from tests.support.seeing import until

PATIENCE = 60.0


def said(entry_id: str, parent: str | None, text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    """A message of now."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if role == "assistant":
        more.setdefault("stopReason", "stop")
    message = {"role": role, "content": [{"type": "text", "text": text}], **more}
    return {"type": "message", "id": entry_id, "parentId": parent, "timestamp": now, "message": message}


def record(kind: str, entry_id: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    """An entry of another type."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"type": kind, "id": entry_id, "parentId": parent, "timestamp": now, **fields}


def lines(*records: dict[str, Any]) -> bytes:
    """Records as lines of a session file."""
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in records)


class Living:
    """A session in a store of its own: a chain `m0`, `m1`, … at first, of users and assistants by turns."""

    def __init__(self, root: Path, entries: int = 6) -> None:
        self.agent = root / "agent"
        self.cwd = root / "work"
        self.cwd.mkdir()
        self.folder = self.agent / "sessions" / folder_name(str(self.cwd))
        self.folder.mkdir(parents=True)
        self.path = self.folder / "one.jsonl"
        self.header = {**HEADER, "cwd": str(self.cwd)}
        self.path.write_bytes(lines(self.header, *self.chain(entries)))

    @staticmethod
    def chain(entries: int) -> list[dict[str, Any]]:
        """The first entries."""
        roles = ("user", "assistant")
        return [
            said(f"m{at}", f"m{at - 1}" if at else None, f"text {at}", roles[at % 2]) for at in range(entries)
        ]

    def append(self, *records: dict[str, Any]) -> None:
        """Append as Pi does: a line a write."""
        for one in records:
            self.append_bytes(lines(one))

    def append_bytes(self, data: bytes) -> None:
        """Append bytes in one write."""
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(descriptor, data)
        os.close(descriptor)

    def rename_over(self, data: bytes) -> None:
        """Put another file in the session's place."""
        other = self.path.with_suffix(".new")
        other.write_bytes(data)
        os.replace(other, self.path)

    @asynccontextmanager
    async def shown(
        self,
        *,
        size: tuple[int, int] = (140, 30),
        path: Path | None = None,
        notifications: bool = False,
        **options: Any,
    ) -> AsyncIterator[Watching]:
        """The screen with the session open, once it is followed."""
        app = PitreeApp(
            AppOptions(path=path or self.path, agent_dir=self.agent, cwd=self.cwd, theme="dark", **options)
        )
        async with app.run_test(size=size, notifications=notifications) as pilot:
            await until(pilot, lambda: isinstance(app.screen_stack[0], MainScreen), PATIENCE)
            screen = app.screen_stack[0]
            assert isinstance(screen, MainScreen)
            watching = Watching(pilot, screen)
            if options.get("path", path) is None:
                await watching.until(lambda: screen.following.followed is not None)
            yield watching


class Watching:
    """The screen while it is watched."""

    def __init__(self, pilot: Pilot[Any], screen: MainScreen) -> None:
        self.pilot = pilot
        self.app: PitreeApp = pilot.app  # type: ignore[assignment]
        self.screen = screen
        self.tree = screen.tree_pane

    async def until(self, holds: Any, seconds: float = PATIENCE) -> None:
        """Wait until something holds."""
        await until(self.pilot, holds, seconds)

    @property
    def ids(self) -> list[str]:
        """The ids of the rows."""
        outline = self.tree.outline
        return [row.id for row in outline.rows()] if outline is not None else []

    @property
    def here(self) -> str:
        """The id of the entry under the cursor; "" for none."""
        outline, row = self.tree.outline, self.tree.rows.cursor
        return outline.row(row).id if outline is not None and row >= 0 else ""

    async def until_ids(self, *ids: str) -> None:
        """Wait until the rows are these."""
        await self.until(lambda: self.ids == list(ids))

    async def until_last(self, entry_id: str) -> None:
        """Wait until the last row is this entry's."""
        await self.until(lambda: self.ids and self.ids[-1] == entry_id)

    @property
    def border(self) -> str:
        """The lower border of the tree."""
        return str(self.tree._border_told[1])

    @property
    def state(self) -> str:
        """The words at the right end of the header."""
        return self.screen.header.state

    @property
    def told(self) -> str:
        """All that was told in toasts."""
        return "\n".join(str(one.message) for one in self.app._notifications)
