"""Where a file that a session names lies on this machine."""

from __future__ import annotations

import os
import re

_SPACES = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000]")


def resolved(path: str, cwd: str) -> str:
    """The path a tool call means, absolute; nothing is looked up.

    As Pi's tools read paths: relative to the session's folder, `~` is the home, a leading `@` is left out,
    odd spaces are spaces.

    Args:
        path: the path as the session has it.
        cwd: folder of the session.
    """
    path = _SPACES.sub(" ", path).removeprefix("@")
    if path == "~" or path.startswith("~/"):
        path = os.path.expanduser("~") + path[1:]
    return os.path.normpath(os.path.join(cwd or os.sep, path))
