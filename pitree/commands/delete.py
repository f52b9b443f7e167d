"""`pitree delete`: moves a session to the trash, or removes it for good when that is said twice."""

from __future__ import annotations

import time
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from pitree.commands.output import Output
from pitree.commands.sessions import title
from pitree.commands.where import Where
from pitree.commands.writing import write_to
from pitree.outline.sessions import age
from pitree.session.deleting import (
    Trash,
    refuse_if_in_use,
    remove_session,
    trash_at_hand,
    trash_session,
)
from pitree.session.info import NoSessionFile, read_info
from pitree.session.manager import SessionManager
from pitree.session.places import session_file

_FOR_GOOD = "it would be PERMANENTLY gone"


def run(args: Namespace, out: Output, where: Where) -> None:
    """Delete a session, after asking."""

    def delete(file: str, session: SessionManager) -> None:
        path = session.path
        assert path is not None
        what = _what(session, path)
        session.close()
        refuse_if_in_use(path)
        trash = trash_at_hand()
        if trash is Trash.NONE:
            question = f"delete {what}? There is no trash here: {_FOR_GOOD}"
        else:
            question = f"move {what} to the trash?"
        if not args.yes and not _agreed(file, question, "--yes", out):
            return
        if trash is not Trash.NONE:
            trash = trash_session(path)
            question = f"the trash did not take it. Delete {what}? {_FOR_GOOD}"
        else:
            question = f"there is no trash here. Delete {what} all the same? {_FOR_GOOD}"
        if trash is Trash.NONE:
            if not args.permanent and not _agreed(file, question, "--permanent", out):
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


def _agreed(file: str, question: str, option: str, out: Output) -> bool:
    """Ask on the terminal; where there is none, only the option says that it is meant."""
    answer = out.ask(question)
    if answer is None:
        out.error(f"{file}: not deleted: {question} Without a terminal to ask on, {option} says yes")
    elif not answer:
        out.error(f"{file}: not deleted")
    return bool(answer)
