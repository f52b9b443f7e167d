"""`pitree delete`: moves a session to the trash, or removes it permanently when that is said twice."""

from __future__ import annotations

import time
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from pitree.catalog.info.session_info import NoSessionFile, read_info
from pitree.commands.output import Output
from pitree.commands.sessions import title
from pitree.commands.where import SessionLookup
from pitree.commands.writing import write_to
from pitree.pi.places import session_file
from pitree.session.manager.manager import SessionManager
from pitree.session.storage.deletion import (
    Trash,
    refuse_if_in_use,
    remove_session,
    trash_at_hand,
    trash_session,
)
from pitree.text.figures import age

_NO_TRASH = "there is no trash here: the file would be PERMANENTLY deleted"
_NOT_TAKEN = "it cannot be moved to the trash: the file would be PERMANENTLY deleted"


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Delete a session, after asking."""

    def delete(file: str, session: SessionManager) -> None:
        path = session.path
        assert path is not None
        what = _what(session, path)
        session.close()
        refuse_if_in_use(path)
        trash = trash_at_hand()
        warning = _NO_TRASH if trash is Trash.NONE else ""
        if not args.yes and not _agreed(file, what, warning, "--yes", out):
            return
        if trash is not Trash.NONE:
            trash = trash_session(path)
            warning = _NOT_TAKEN
        if trash is Trash.NONE:
            if not args.permanent and not _agreed(file, what, warning, "--permanent", out):
                return
            remove_session(path)
        if args.json:
            out.json({"file": file, "entries": [], "deleted": _WENT[trash]})
        else:
            out.line(f"{what}: {_WENT_IN_WORDS[trash]}")

    write_to(args, out, where, delete, refused="deleted")


_WENT = {Trash.COMMAND: "trash", Trash.SYSTEM: "trash", Trash.NONE: "permanently"}
_WENT_IN_WORDS = {
    Trash.COMMAND: "moved to the trash",
    Trash.SYSTEM: "moved to the trash",
    Trash.NONE: "deleted permanently",
}


def _what(session: SessionManager, path: Path) -> str:
    """What would go: title, messages, age."""
    count = sum(session.stats().messages.values())
    facts = [f"“{title(session)}”", f"{count:,} {'message' if count == 1 else 'messages'}"]
    with suppress(NoSessionFile, OSError):  # an empty file has no age
        modified = read_info(session_file(str(path))).modified
        facts.append(f"last {age(modified, time.time() * 1000)}")
    return ", ".join(facts)


def _agreed(file: str, what: str, warning: str, option: str, out: Output) -> bool:
    """Ask on the terminal; where there is none, only the option says that it is meant."""
    again = " anyway" if option == "--permanent" else ""
    answer = out.ask(
        f"{warning[0].upper()}{warning[1:]}. Delete {what}{again}?"
        if warning
        else f"Move {what} to the trash?"
    )
    if answer is None:
        before = f"{warning}; " if warning else ""
        out.error(f"{file}: not deleted: {before}no terminal to ask on; confirm with {option}")
    elif not answer:
        out.error(f"{file}: not deleted")
    return bool(answer)
