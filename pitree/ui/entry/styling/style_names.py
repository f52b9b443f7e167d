"""The styles the detail pane draws with: names, and the colors the style sheet gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.style import Style

NAMES = (
    "bar",
    "title",
    "subject",
    "note",
    "facts",
    "gutter",
    "dim",
    "thinking",
    "warning",
    "error",
    "more",
    "added",
    "removed",
    "hunk",
    "added-word",
    "removed-word",
    "hit",
    "hit-here",
    "ground",
    "ansi-black",
    "ansi-red",
    "ansi-green",
    "ansi-yellow",
    "ansi-blue",
    "ansi-magenta",
    "ansi-cyan",
    "ansi-white",
    "heading",
    "strong",
    "emphasis",
    "struck",
    "code",
    "link",
    "quote",
    "bullet",
    "rule",
    "keyword",
    "string",
    "number",
    "comment",
    "name",
    "operator",
)
"""Every style; the style sheet colors `detail--<name>`."""

COMPONENT_CLASSES = frozenset(f"detail--{name}" for name in NAMES)


@dataclass(frozen=True, slots=True)
class Palette:
    """Styles by name, plain data, so that a thread may draw with them. Two that look the same are equal."""

    styles: tuple[Style, ...]

    @classmethod
    def read(cls, component: Callable[[str], Style]) -> Palette:
        """Take the styles from what gives the style of a component class."""
        return cls(tuple(component(f"detail--{name}") for name in NAMES))

    @classmethod
    def plain(cls) -> Palette:
        """No colors at all."""
        return cls((Style.null(),) * len(NAMES))

    def __getitem__(self, name: str) -> Style:
        return self.styles[_PLACES[name]] if name else Style.null()


_PLACES = {name: place for place, name in enumerate(NAMES)}
