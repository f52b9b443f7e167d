"""The line above a part: sign, what it is, what it is about, and at the right end how it went."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style

from pitree.entry.parts import Part, PartKind, Syntax, Tone
from pitree.text import cells
from pitree.text.sanitize import visible
from pitree.ui.entry.document.facts_rows import flow
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.lines import Row
from pitree.ui.entry.styling.style_names import Palette

_KINDS = {PartKind.THINKING: "thinking", PartKind.DETAILS: "dim"}
_TONES = {Tone.DIM: "dim", Tone.WARNING: "warning", Tone.ERROR: "error"}
_SENTENCES = frozenset({PartKind.NOTICE, PartKind.WORDS})
_NAMES = frozenset({PartKind.CALL, PartKind.BASH})
"""Kinds whose title is a name: it keeps its color, and the note tells how it went."""
_LISTS = frozenset({Syntax.PLAIN, Syntax.JSON})
_LEAST_SUBJECT = 12
_GAP = 2
_INDENT = Segment("  ")


def title_rows(part: Part, fold: Fold, inside: bool, width: int, palette: Palette) -> tuple[list[Row], bool]:
    """The rows of a part's title.

    What does not fit beside the title goes below it; of a folded part the subject is cut instead.

    Args:
        part: the part.
        fold: how far it is folded.
        inside: whether there is anything to unfold.
        width: cells a row may take.
        palette: the colors.

    Returns:
        The rows; and whether they say all that the part's body would.
    """
    style = palette[_KINDS.get(part.kind, "title")]
    if part.tone in _TONES and part.kind not in _NAMES:
        style = palette[_TONES[part.tone]]
    sign = _sign(part, fold, inside)
    if part.kind in _SENTENCES:
        said = " · ".join(filter(None, (part.title, part.note)))
        return _sentence(sign, said, width, style), False
    title = sign + part.title
    note_style = palette[_TONES.get(part.tone, "note")]
    if cells.cell_len(title) > width:
        below = _below(part.subject, width, palette["subject"]) + _below(part.note, width, note_style)
        return _sentence(sign, part.title, width, style) + below, False
    room = width - cells.cell_len(title)
    note_room = cells.cell_len(part.note) + _GAP if part.note else 0
    least = min(cells.cell_len(part.subject), _LEAST_SUBJECT) + _GAP if part.subject else 0
    beside = note_room + least <= room
    shown, whole, told_below = _subject(part, fold, room - (note_room if beside else 0) - _GAP)
    if not shown:
        beside = note_room <= room
    row = [Segment(title, style)]
    used = cells.cell_len(title)
    if shown:
        row.append(Segment(" " * _GAP + shown, palette["subject"]))
        used += _GAP + cells.cell_len(shown)
    rows = [row]
    if part.note and beside:
        row += [Segment(" " * (width - used - note_room + _GAP)), Segment(part.note, note_style)]
    elif part.note:
        rows += _below(part.note, width, note_style)
    if part.subject and not shown and not told_below:
        rows += _below(part.subject, width, palette["subject"])
    return rows, whole


def _subject(part: Part, fold: Fold, room: int) -> tuple[str, bool, bool]:
    """What of the subject is beside the title; whether that is all of the body; if the body says it."""
    subject = part.subject
    if not subject:
        return "", False, False
    shown = cells.cut(subject, room) if room > 1 else ""
    if fold is Fold.CLOSED:
        return shown, False, True
    body = part.body.text.strip() if part.body is not None else ""
    beginning = visible(body[: 2 * len(subject) + 100])
    fits, told = shown == subject, subject.removesuffix("…")
    if body and beginning.startswith(told):
        whole = fits and "\n" not in body and visible(body) == subject
        return (shown if whole else ""), whole, True
    # Among arguments that are listed below, it is told there.
    listed = part.kind is PartKind.CALL and part.body is not None and part.body.syntax in _LISTS
    return (shown if fits else ""), False, listed and told in beginning


def _sentence(sign: str, said: str, width: int, style: Style) -> list[Row]:
    rows = flow([said], max(1, width - len(sign)), style)
    return [
        [Segment(sign if not number else " " * len(sign), style), *row] for number, row in enumerate(rows)
    ]


def _below(said: str, width: int, style: Style) -> list[Row]:
    return [[_INDENT, *row] for row in flow([said], max(1, width - _GAP), style)] if said else []


def _sign(part: Part, fold: Fold, inside: bool) -> str:
    if inside:
        return "▸ " if fold is Fold.CLOSED else "▾ "
    return "! " if part.tone in (Tone.WARNING, Tone.ERROR) else "· "
