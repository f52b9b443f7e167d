"""From what was named on the command line to open sessions."""

from __future__ import annotations

from collections.abc import Callable

from pitree.catalog.info.session_info import NO_MESSAGES
from pitree.commands.output import Output, Style
from pitree.commands.where import SessionLookup as SessionLookup
from pitree.commands.where import locate
from pitree.session.format.errors import SessionError
from pitree.session.manager.manager import SessionManager
from pitree.text.cells import cell_len, cut
from pitree.text.sanitize import visible

Action = Callable[[str, SessionManager], None]
"""What is done with a session, given its path as it is to be named."""


def for_each(names: list[str], out: Output, where: SessionLookup, action: Action) -> None:
    """Do something with each of the sessions named, one open at a time.

    Of one that cannot be opened or handled, the reason goes to stderr, and the next one's turn comes.
    """
    for name in names:
        try:
            path = locate(name, where)
            session = SessionManager.open(path)
        except SessionError as error:
            out.error(error)
            continue
        try:
            action(path, session)
        except MemoryError:
            out.error(f"{path}: too large for the available memory")
        finally:
            session.close()


def title(session: SessionManager) -> str:
    """What a session is called, safe to print: its name, else its first user message, as Pi lists it."""
    return visible(session.get_session_name() or session.first_user_text() or NO_MESSAGES)


def heading(file: str, session: SessionManager, facts: list[str], out: Output) -> None:
    """Print the lines above what is told of a session: its title with some facts, and where it lies."""
    about = "".join(f" · {visible(fact)}" for fact in facts if fact)
    room = max(20, out.width - cell_len(about))
    out.line(out.style(cut(title(session), room), Style.BOLD) + out.style(about, Style.DIM))
    out.line(out.style(visible(file), Style.DIM))
