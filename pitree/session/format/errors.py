"""What a reader of a session should be told about its file: one notice a finding."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """One finding about a session file.

    Attributes:
        kind: a stable word for programs, e.g. ``bad-json``, ``missing-parent``, ``migrated``.
        line: the physical line in the file, counted from 1; None when the finding has no one line.
        message: the finding in words, a single line.
    """

    kind: str
    line: int | None
    message: str


class SessionError(Exception):
    """A session cannot be opened, found or read.

    Args:
        path: the file or folder concerned, as the user knows it.
        reason: why, in words; ``str()`` of the error is ``path: reason``.
    """

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = str(path)
        self.reason = reason


class WriteError(SessionError):
    """A write did not happen. The file holds what it held before, and what others added since."""


class NeedsUpgrade(WriteError):
    """The file is of format version 1 or 2 and must be brought to version 3 before the first write."""
