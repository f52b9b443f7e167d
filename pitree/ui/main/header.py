"""The header: which session this is, what it has cost, and what is continuing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from pitree.text.cells import cell_len, cut
from pitree.ui.toolkit.drawn import whole


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """What the header says of a session; harmless one-line texts, empty where there is nothing to say."""

    name: str = ""
    folder: str = ""
    model: str = ""
    entries: str = ""
    tokens: str = ""
    cost: str = ""


class Header(Widget):
    """One line: `pitree  name · folder · model · entries · tokens · cost`, and the state at the right.

    A session that cannot be written to says `read-only` before its name. Where room is short the name
    shrinks first to a third of the line, then folder, model, tokens and entries go, in this order; name,
    cost and state stay.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"header--app", "header--name", "header--state"}
    ALLOW_SELECT: ClassVar[bool] = False

    facts: reactive[HeaderFacts] = reactive(HeaderFacts())
    state: reactive[str] = reactive("")
    locked: reactive[bool] = reactive(False)

    DROPPED_FIRST: ClassVar[tuple[str, ...]] = ("folder", "model", "tokens", "entries", "cost")

    @whole
    def render(self) -> Content:
        width = self.content_size.width
        app_style = self.get_visual_style("header--app", partial=True)
        name_style = self.get_visual_style("header--name", partial=True)
        state_style = self.get_visual_style("header--state", partial=True)
        state = cut(self.state, max(0, width - 8))
        room = width - (cell_len(state) + 2 if state else 0)
        lock = "read-only  " if self.locked else ""
        name, rest = fit(self.facts, room - len("pitree  ") - len(lock), self.DROPPED_FIRST)
        left = Content.assemble(("pitree", app_style), "  ", (lock, state_style), (name, name_style), rest)
        gap = max(1, width - left.cell_length - cell_len(state))
        return Content.assemble(left, " " * gap, (state, state_style))


def fit(facts: HeaderFacts, width: int, dropped_first: tuple[str, ...]) -> tuple[str, str]:
    """Name and the rest of the facts (with its leading separator) that fit into `width` cells."""
    kept = [part for part in ("folder", "model", "entries", "tokens", "cost") if getattr(facts, part)]
    waiting = [part for part in dropped_first if part in kept]
    width = max(0, width)
    while True:
        rest = "".join(f" · {getattr(facts, part)}" for part in kept)
        room = width - cell_len(rest)
        enough = min(cell_len(facts.name), max(12, width // 3))
        if room >= enough or not waiting:
            return cut(facts.name, max(0, room)), rest if cell_len(rest) <= width else ""
        kept.remove(waiting.pop(0))
