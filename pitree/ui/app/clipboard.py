"""Copying: through the terminal (OSC 52), tmux, and the system's own tool where the screen is local."""

from __future__ import annotations

import base64
import os
import shutil
import sys
from collections.abc import Mapping

from pitree.text import figures
from pitree.workers.programs import ProgramError, run

OSC52_SAFE_BYTES = 74_000
"""What terminals are known to take in one OSC 52 sequence (100,000 characters of base64, less some)."""

_SCREEN_PIECE = 76
"""Characters of a sequence that every GNU screen takes at once."""

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
        # xclip's child keeps its outputs open for as long as it owns the clipboard.
        ended = run(command, text.encode(encoding, "replace"), seconds=TOOL_SECONDS, reads_output=False)
    except ProgramError:
        return False
    return ended.status == 0


def copy_in_tmux(text: str, env: Mapping[str, str] | None = None) -> str:
    """Put the text into tmux's buffer, and from there into the clipboard of the terminal around it.

    With its default settings tmux takes no OSC 52 of a program inside. Before 3.2 it has no `-w`, and the
    text gets no further than the buffer.

    Returns:
        `clipboard` or `buffer`: how far it got; empty outside of tmux, or if tmux does not have it now.
    """
    env = os.environ if env is None else env
    if not env.get("TMUX"):
        return ""
    if run_tool(["tmux", "load-buffer", "-w", "-"], text):
        return "clipboard"
    return "buffer" if run_tool(["tmux", "load-buffer", "-"], text) else ""


def for_screen(text: str, env: Mapping[str, str] | None = None) -> str:
    """A text for the clipboard of the terminal around GNU screen, which passes on short wrapped pieces only.

    Empty outside of screen.
    """
    env = os.environ if env is None else env
    if not env.get("STY") or env.get("TMUX"):
        return ""
    sequence = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a"
    pieces = (sequence[at : at + _SCREEN_PIECE] for at in range(0, len(sequence), _SCREEN_PIECE))
    return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)


def copied(text: str) -> tuple[str, bool]:
    """Give the text to tmux and the local tool, in a thread, and say what came of it; see `report`."""
    tool = local_tool()
    took = [tool[0]] if tool and run_tool(tool, text) else []
    in_tmux = copy_in_tmux(text)
    if in_tmux == "clipboard":
        took.append("tmux")
    return report(text, took, in_buffer=in_tmux == "buffer")


def report(text: str, took: list[str], *, in_buffer: bool = False) -> tuple[str, bool]:
    """What to tell the reader about a copy, and whether it is only a maybe.

    Args:
        text: what was copied.
        took: the programs that took it; without any, only the terminal was asked, which does not answer.
        in_buffer: whether it is in tmux's buffer, but not in the clipboard for all that is known.
    """
    size = len(text.encode("utf-8", "replace"))
    lines = text.count("\n") + 1
    what = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
    if size > 10_000:
        what += f", {figures.size(size)}"
    if took:
        return f"Copied {what} ({', '.join(took)})", False
    if in_buffer:
        return f"Copied {what} into tmux's buffer; this tmux cannot set the clipboard", True
    if size > OSC52_SAFE_BYTES:
        return (
            f"Sent {what} to the terminal, but many terminals accept only 74 KB. If it did not "
            "arrive, `pitree show` prints the entry",
            True,
        )
    return f"Sent {what} to the terminal's clipboard", False
