"""A move of the leaf, as a reader decides it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitree.session.format.new_records import ABSENT

if TYPE_CHECKING:
    from pitree.session.manager.continuation import Continuation
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.windows.summary_window import Summary


@dataclass(frozen=True, slots=True)
class LeafMove:
    """Where the leaf of a session is to go.

    Attributes:
        session: the session.
        to: where to.
        seen: where the leaf was when the reader decided.
        text: what is to be sent next; None for nothing.
        summary: of the branch left; None for none.
        details: what goes into the summary's entry besides.
    """

    session: SessionManager
    to: Continuation
    seen: str | None
    text: str | None = None
    summary: Summary | None = None
    details: Any = ABSENT
