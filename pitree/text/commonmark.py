"""The reading of Markdown, with one change: a definition with a bad address stays text, and the rest holds.

A parser of CommonMark takes a definition of a link (`[x]: address`) that it refuses for the beginning of a
paragraph, and with it all definitions in the lines below. Here it is a paragraph of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference


def any_address(address: str) -> bool:
    """Lets every address through."""
    return True


def markdown_parser(
    options: dict[str, Any], more: Sequence[str] = (), live: Callable[[str], bool] | None = None
) -> MarkdownIt:
    """A parser of CommonMark without HTML.

    Args:
        options: options of markdown-it.
        more: rules beyond CommonMark.
        live: tells whether an address may be one of a link; by default as markdown-it has it.
    """
    parser = MarkdownIt("commonmark", {"html": False, **options}).enable(more)
    if live is not None:
        parser.validateLink = live  # type: ignore[method-assign, assignment]
    parser.block.ruler.at("reference", definition)
    return parser


def definition(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """The rule for definitions of links; one with a bad address is a paragraph."""
    if reference(state, first, end, silent):
        return True
    parser = state.md
    allowed = parser.validateLink
    environment, state.env = state.env, {}
    parser.validateLink = any_address  # type: ignore[method-assign, assignment]
    try:
        refused = reference(state, first, end, silent)
    finally:
        parser.validateLink = allowed  # type: ignore[method-assign]
        state.env = environment
    if not refused or silent:
        return refused and silent
    state.push("paragraph_open", "p", 1).map = [first, state.line]
    said = state.push("inline", "", 0)
    said.content = state.getLines(first, state.line, state.blkIndent, False).strip()
    said.map, said.children = [first, state.line], []
    state.push("paragraph_close", "p", -1)
    return True
