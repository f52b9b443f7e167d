"""What the commands that write share: permission, old formats, what is told of it."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pitree.commands.entries import EntryNotFound
from pitree.commands.output import Output, Style
from pitree.commands.sessions import Action, for_each
from pitree.commands.where import SessionLookup
from pitree.config import table
from pitree.session.format.migrate import CURRENT_VERSION
from pitree.session.manager.forking import Fork
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.undoable_edits import Change
from pitree.text.cells import cut
from pitree.text.sanitize import visible


def write_to(
    args: Namespace, out: Output, where: SessionLookup, action: Action, refused: str = "written"
) -> None:
    """Do something with the session named that writes, unless nothing may be written.

    Whatever is refused is told in one line that names the file.

    Args:
        args: the command's arguments.
        out: where to tell.
        where: where to look for the session.
        action: given the file as it is to be named, and the session.
        refused: what nothing was, if it is refused.
    """

    def guarded(file: str, session: SessionManager) -> None:
        reason = _read_only_reason(args, out, where)
        session.read_only = bool(reason)
        if reason:
            out.error(f"{file}: nothing was {refused}: {reason}")
            return
        try:
            action(file, session)
        except EntryNotFound as error:
            out.error(f"{file}: {error}")
        except (KeyError, ValueError) as error:
            out.error(f"{file}: nothing was {refused}: {error.args[0] if error.args else error}")

    for_each([args.session], out, where, guarded)


def _read_only_reason(args: Namespace, out: Output, where: SessionLookup) -> str:
    """Why nothing may be written; empty if it may."""
    if args.read_only:
        return "pitree was started with --read-only"
    if where.setting(table.READ_ONLY, out):
        return f"read_only is set in {where.config.held(table.READ_ONLY).place}"
    return ""


def bring_to_current(file: str, session: SessionManager, out: Output) -> None:
    """Bring a file of an older version to the current one, as its first write takes; says so before.

    Raises:
        WriteError: nothing was changed.
    """
    if session.version >= CURRENT_VERSION or session.path is None:
        return
    expected = session.path.with_name(f"{session.path.name}.v{session.version}.bak")
    out.warn(
        f"{file}: this first write upgrades it from format version {session.version} to "
        f"{CURRENT_VERSION}; a copy of the old file is kept as {expected}"
    )
    kept = session.upgrade()
    if kept is not None and kept.name != expected.name:
        out.warn(f"{file}: the file already existed; the old one is kept as {kept}")


def tell_change(file: str, change: Change, lines: Iterable[str], args: Namespace, out: Output) -> None:
    """Tell what was written: as JSON, or the lines, which must be safe to print."""
    if args.json:
        out.json({"file": file, "entries": change.records})
    else:
        for line in lines:
            out.line(cut(line, out.width))


def tell_nothing(file: str, words: str, args: Namespace, out: Output) -> None:
    """Tell that there was nothing to write, and why."""
    if args.json:
        out.json({"file": file, "entries": []})
    else:
        out.line(f"{words}; nothing was written")


def tell_fork(fork: Fork, words: str, args: Namespace, out: Output) -> None:
    """Tell of a new session: its file and entries, and the text that it was forked before."""
    if args.json:
        made = SessionManager.open(fork.path)
        try:
            records = [entry.record for entry in made.get_entries()]
        finally:
            made.close()
        out.json({"file": str(fork.path), "entries": records} | text_as_json(fork.text))
        return
    count = f"{fork.entries:,} {'entry' if fork.entries == 1 else 'entries'}"
    out.line(cut(words, out.width))
    out.line(out.style(visible(str(fork.path)), Style.BOLD))
    out.line(f"{count} in the new session; the old one is unchanged")
    tell_text(fork.text, out)


def text_as_json(text: str | None) -> dict[str, Any]:
    """The text to be edited and sent again, as a part of a JSON object; nothing if there is none."""
    return {} if text is None else {"text": text}


def tell_text(text: str | None, out: Output) -> None:
    """Print the text to be edited and sent again, if there is one."""
    if text is None:
        return
    out.line(out.style("to edit and resend:", Style.DIM))
    out.line()
    for line in visible(text, keep_newlines=True).split("\n"):
        out.line(line)


def other_folder(args: Namespace, where: SessionLookup) -> tuple[str | None, Path | None]:
    """The working directory that `--cwd` names, and where its sessions lie; None for both without it.

    Raises:
        ValueError: there is no such folder.
    """
    if args.cwd is None:
        return None, None
    cwd = os.path.abspath(os.path.expanduser(args.cwd))
    if not os.path.isdir(cwd):
        raise ValueError(f"--cwd: no folder {args.cwd}")
    return cwd, where.folder_of(cwd)
