"""What a list shows of a session as bytes and back, for another process, or for the next start."""

from __future__ import annotations

from typing import Any

from pitree.catalog.info.info_builder import InfoBuilder
from pitree.catalog.info.session_info import Resume, SessionInfo, info_from
from pitree.session.format.jsonl import dump, parse
from pitree.session.manager.activity import Activity
from pitree.session.storage.line_reader import ReadPosition

CODE = 1
"""Number of this form. It rises whenever the form changes, and also when the same file gives other facts."""


def encoded(info: SessionInfo) -> bytes | None:
    """All that is known of a session but its path and its text; None if it cannot be read on."""
    if info.resume is None:
        return None
    reached, gathered = info.resume.reached, info.resume.gathered
    return dump(
        [
            info.id,
            info.cwd,
            info.parent_session,
            info.created,
            [*reached.stamp[1:], reached.changed, reached.settled],
            [reached.end, reached.known.decode("latin-1"), reached.head.decode("latin-1"), reached.open_line],
            [
                gathered.count,
                gathered.name,
                gathered.talked,
                gathered.first_message,
                gathered.first_message_whole,
                gathered.first_answer,
                gathered.asked,
                gathered.answered,
                gathered.activity.value,
                gathered.active,
            ],
        ]
    )


def decoded(data: bytes, path: str, device: int) -> SessionInfo:
    """The session that `encoded` made these bytes of, without its text.

    Args:
        data: the bytes.
        path: where its file lies.
        device: the device it lies on; its number may be another after each start of the system.

    Raises:
        ValueError, TypeError: these are other bytes.
    """
    value: Any = parse(data)
    id, cwd, parent, created, (inode, size, mtime, changed, settled), place, facts = value
    end, known, head, open_line = place
    reached = ReadPosition(
        end,
        known.encode("latin-1"),
        head.encode("latin-1"),
        open_line,
        (device, inode, size, mtime),
        changed,
        settled,
    )
    gathered = InfoBuilder(*facts)
    gathered.activity = Activity(gathered.activity)
    return info_from(path, id, cwd, parent, created, None, Resume(reached, gathered))
