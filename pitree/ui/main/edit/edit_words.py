"""Words and checks that the writing actions share."""

from __future__ import annotations

import os
from pathlib import Path

_QUOTE = 400


def read_only_reason(path: Path, asked: bool) -> str:
    """Why a session cannot be written to; empty when it can."""
    if asked:
        return "pitree was started read-only"
    if not path.exists():
        return "the file is gone"
    if not os.access(path, os.W_OK):
        return "this file is write-protected"
    return ""


def entries_words(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"


def messages_words(count: int) -> str:
    return "1 message" if count == 1 else f"{count:,} messages"


def quoted(words: str) -> str:
    return words if len(words) <= _QUOTE else words[:_QUOTE] + " …"


def sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
