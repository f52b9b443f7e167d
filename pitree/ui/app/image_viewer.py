"""Seeing an inline image in the system's viewer: by way of a private file, gone when the program ends."""

from __future__ import annotations

import atexit
import base64
import binascii
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pitree.entry.parts.images import file_ending
from pitree.workers.programs import ProgramError, open_beside

MOST_BYTES = 64 * 1024 * 1024
"""An image larger than this is not written out."""
_AT_ONCE = 1.0
"""Seconds in which a viewer that fails is noticed; one that shows the image may stay."""
_folder: Path | None = None


def viewer(env: Mapping[str, str] | None = None, platform: str = sys.platform) -> list[str] | None:
    """The command that shows a file on this machine's screen; None where it is elsewhere or there is none."""
    env = os.environ if env is None else env
    if platform == "darwin":
        return ["open"]
    if env.get("SSH_CONNECTION") or env.get("SSH_TTY"):
        return None
    if not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY") or env.get("WSL_DISTRO_NAME")):
        return None
    for name in ("xdg-open", "gio", "wslview"):
        if shutil.which(name, path=env.get("PATH")):
            return [name, "open"] if name == "gio" else [name]
    return None


def show(data: str, env: Mapping[str, str] | None = None) -> str:
    """Show an image; return what went wrong in words, empty if nothing did. Call it from a thread.

    Only what begins like an image is written, under a name with an image's ending: whatever the session
    calls it, no viewer is to take it for a page or a program.

    Args:
        data: base64, perhaps behind a `data:` prefix.
        env: environment to look for a viewer in.
    """
    command = viewer(env)
    ending = file_ending(data)
    if ending is None:
        return "This is not an image of a known format: PNG, JPEG, GIF, WebP or BMP"
    if len(data) > MOST_BYTES * 4 // 3:
        return "This image is too large to show"
    try:
        content = base64.b64decode(data.partition(",")[2] if data.startswith("data:") else data)
    except (binascii.Error, ValueError):
        return "This image is damaged: it is not base64"
    try:
        path = keep(content, ending)
        if command is None:
            return f"No image viewer here; until pitree quits, the image is in {path}"
    except OSError as error:
        return f"This image cannot be shown: {error.strerror or error}"
    return _open(command, path)


def _open(command: list[str], path: Path) -> str:
    """Open a file in the viewer; what went wrong, as far as it shows at once."""
    try:
        ended = open_beside([*command, str(path)], _AT_ONCE)
    except ProgramError as error:
        return f"This image cannot be shown: {command[0]} {error}"
    return f"This image was not shown: {command[0]} {ended.words}" if ended and ended.status else ""


def keep(content: bytes, ending: str) -> Path:
    """Write an image into a folder only this user can read; the folder goes when the program ends."""
    global _folder
    if _folder is None or not _folder.is_dir():
        _folder = Path(tempfile.mkdtemp(prefix="pitree-"))
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    handle, name = tempfile.mkstemp(suffix=ending, prefix="image-", dir=_folder)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    return Path(name)
