"""Copying: through the terminal (OSC 52) and, where the screen is local, the system's own tool."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

from pitree.text import figures

OSC52_SAFE_BYTES = 74_000
"""What terminals are known to take in one OSC 52 sequence (100,000 characters of base64, less some)."""

TOOL_SECONDS = 3.0
"""How long a tool may take: xclip and the like fork away at once, anything longer hangs."""


def local_tool(env: Mapping[str, str] | None = None, platform: str = sys.platform) -> list[str] | None:
    """The command that takes text on its standard input into the clipboard of this machine's screen.

    None over SSH (the reader's screen is elsewhere) and where no tool is installed.
    """
    env = os.environ if env is None else env
    if env.get("SSH_CONNECTION") or env.get("SSH_TTY"):
        return None
    candidates: list[list[str]] = []
    if platform == "darwin":
        candidates.append(["pbcopy"])
    elif platform == "win32":
        candidates.append(["clip"])
    else:
        if env.get("WAYLAND_DISPLAY"):
            candidates.append(["wl-copy"])
        if env.get("DISPLAY"):
            candidates += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
        if env.get("WSL_DISTRO_NAME"):
            candidates.append(["clip.exe"])
    path = env.get("PATH")
    return next((command for command in candidates if shutil.which(command[0], path=path)), None)


def run_tool(command: list[str], text: str) -> bool:
    """Give the text to the tool; whether it took it. Waits for the tool, so call it from a thread."""
    encoding = "utf-16-le" if command[0].startswith("clip") else "utf-8"
    try:
        # xclip's child keeps its outputs open for as long as it owns the clipboard: pipes would wait for it.
        done = subprocess.run(
            command,
            input=text.encode(encoding, "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TOOL_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def report(text: str, tool: str | None) -> tuple[str, bool]:
    """What to tell the reader about a copy, and whether it is only a maybe.

    Args:
        text: what was copied.
        tool: name of the local tool that took it, None when only the terminal was asked.
    """
    size = len(text.encode("utf-8", "replace"))
    lines = text.count("\n") + 1
    what = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
    if size > 10_000:
        what += f", {figures.size(size)}"
    if tool:
        return f"Copied {what} ({tool})", False
    if size > OSC52_SAFE_BYTES:
        return (
            f"Sent {what} to the terminal. That is much: many terminals take no more than 74 KB; "
            "if it did not arrive, `pitree show` prints the entry",
            True,
        )
    return f"Copied {what}", False
