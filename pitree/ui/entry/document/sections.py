"""From the parts of an entry to a document: titles, bodies, gutters, folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.segment import Segment

from pitree.entry.parts import Body, Part, PartKind, Syntax, Tone
from pitree.entry.parts.model import Picture
from pitree.text import cells
from pitree.ui.entry.document import facts_rows
from pitree.ui.entry.document.document import Document, DocumentItem, DocumentStop, Hidden, StyleRequest
from pitree.ui.entry.document.fold import STYLED, Fold, is_long, stretches
from pitree.ui.entry.document.lines import Gutter
from pitree.ui.entry.document.titles import title_rows
from pitree.ui.entry.document.views import LazyText, Rows, View
from pitree.ui.entry.styling import image_drawing
from pitree.ui.entry.styling.block_styles import block_style
from pitree.ui.entry.styling.body_splitter import pieces
from pitree.ui.entry.styling.style_names import Palette
from pitree.ui.entry.styling.stylers import STYLERS, gutter_of

UNWRAPPED = 2_000
"""Cells a row may take when lines are not wrapped."""
_DEEPEST = 6
_WIDEST_PICTURE = 80
_BODY_STYLES = {PartKind.THINKING: "thinking"}
_HEADLESS = frozenset({PartKind.PROSE, PartKind.RESULT, PartKind.SUMMARY, PartKind.FACTS, PartKind.RAW})
_WRAPPED_AT_WORDS = frozenset({Syntax.PLAIN, Syntax.MARKDOWN})


@dataclass(frozen=True, slots=True)
class Signs:
    """The keys that a document speaks of, as people read them.

    Attributes:
        unfold: unfolds a part.
        view: shows an image in the system's viewer.
        view_here: shows it large in the terminal.
        record: shows the entry's record.
    """

    unfold: str = "detail.fold"
    view: str = "detail.picture"
    view_here: str = "detail.picture_here"
    record: str = "detail.raw"


@dataclass(frozen=True, slots=True)
class LayoutStyle:
    """How a document is laid out.

    Attributes:
        width: cells there are, without the bar at the left.
        palette: the colors.
        wrapped: whether long lines are wrapped.
        signs: the keys it speaks of; by default the names of their actions.
    """

    width: int
    palette: Palette
    wrapped: bool = True
    signs: Signs = Signs()


@dataclass(slots=True)
class _Builder:
    look: LayoutStyle
    folds: Mapping[str, Fold]
    styled: Callable[[StyleRequest], View | None]
    items: list[DocumentItem] = field(default_factory=list)
    stops: list[DocumentStop] = field(default_factory=list)


def lay_out(
    parts: Sequence[Part],
    folds: Mapping[str, Fold],
    look: LayoutStyle,
    styled: Callable[[StyleRequest], View | None],
) -> Document:
    """Stack an entry's parts into a document.

    Args:
        parts: the parts.
        folds: how far those parts are folded that the reader changed, by key; the others as they come.
        look: width and colors.
        styled: the rows of a text that was styled before; None makes it plain at first.
    """
    builder = _Builder(look, folds, styled)
    before: Part | None = None
    for part in parts:
        if part.kind is PartKind.FACTS and not part.words:
            continue
        if before is not None and _parted(before, part, folds):
            builder.items.append(DocumentItem(Rows([[]])))
        _add(builder, part, (), 0)
        before = part
    return Document(builder.items, builder.stops)


def fold_of(part: Part, folds: Mapping[str, Fold]) -> Fold:
    """How far a part is folded."""
    chosen = folds.get(part.key)
    if chosen is not None:
        return chosen
    return Fold.CLOSED if part.folded else Fold.PREVIEW


def next_fold(part: Part, now: Fold) -> Fold:
    """What folding and unfolding a part goes through: closed, its beginning if it is long, all of it."""
    if now is Fold.CLOSED:
        return Fold.PREVIEW
    if now is Fold.PREVIEW and has_more(part):
        return Fold.OPEN
    return Fold.CLOSED if has_head(part) else Fold.PREVIEW


def has_head(part: Part) -> bool:
    """Whether the part has a line of its own, under which it can be folded away."""
    return bool(part.title) and part.kind not in _HEADLESS


def has_more(part: Part) -> bool:
    """Whether some of the part's text is left out at first."""
    own = part.body is not None and is_long(part.body, part.preview)
    return own or any(has_more(child) for child in part.children if not has_head(child))


def is_foldable(part: Part) -> bool:
    """Whether there is anything to fold or unfold."""
    return (has_head(part) and _has_inside(part)) or has_more(part)


def _has_inside(part: Part) -> bool:
    return bool(part.body or part.children or part.facts or part.picture)


def _parted(above: Part, below: Part, folds: Mapping[str, Fold]) -> bool:
    """Whether an empty row stands between two parts: around what is read, not between titles and notes."""
    if above.kind is PartKind.FACTS and below.kind is PartKind.FACTS:
        return False
    if above.kind is PartKind.NOTICE and below.kind is PartKind.NOTICE:
        return False
    if not has_head(above) or not has_head(below):
        return True
    return _has_inside(above) and fold_of(above, folds) is not Fold.CLOSED


def _add(builder: _Builder, part: Part, prefix: tuple[Segment, ...], depth: int) -> None:
    if part.kind is PartKind.FACTS:
        _add_facts(builder, part, prefix)
        return
    fold = fold_of(part, builder.folds)
    headed = has_head(part)
    inside = _has_inside(part)
    told = part.kind is PartKind.NOTICE and part.target is None
    is_stop = (depth == 0 and not told) or (headed and inside)
    stop = len(builder.stops) if is_stop else len(builder.stops) - 1
    if is_stop:
        builder.stops.append(DocumentStop(part, len(builder.items), is_foldable(part)))
    whole = False
    if headed:
        rows, whole = title_rows(part, fold, _has_inside(part), _room(builder, prefix), builder.look.palette)
        builder.items.append(DocumentItem(Rows(rows), stop, prefix, "head"))
    if headed and fold is Fold.CLOSED:
        _add_hidden(builder, part, stop)
        return
    inner = _indented(builder, part, prefix, depth) if headed else prefix
    if part.facts:
        palette = builder.look.palette
        rows = facts_rows.table(part.facts, _room(builder, inner), palette["dim"], palette["subject"])
        builder.items.append(DocumentItem(Rows(rows), stop, inner))
    if part.body is not None and not whole:
        _add_body(builder, part, fold, inner, stop)
    if part.picture is not None:
        _add_picture(builder, part, part.picture, inner, stop)
    for child in part.children:
        child_prefix = _guttered(builder, part, prefix, depth) if headed else inner
        if has_head(child):
            _add(builder, child, child_prefix, depth + 1)
        elif child.kind is PartKind.FACTS:
            _add_facts(builder, child, child_prefix, stop)
        elif child.body is not None:
            _add_body(builder, child, fold, child_prefix, stop)


def _room(builder: _Builder, prefix: tuple[Segment, ...]) -> int:
    return max(1, builder.look.width - sum(len(segment.text) for segment in prefix))


def _indented(builder: _Builder, part: Part, prefix: tuple[Segment, ...], depth: int) -> tuple[Segment, ...]:
    if depth >= _DEEPEST or part.kind is PartKind.NOTICE:
        return (*prefix, Segment("  ")) if depth < _DEEPEST else prefix
    return (*prefix, Segment("  "))


def _guttered(builder: _Builder, part: Part, prefix: tuple[Segment, ...], depth: int) -> tuple[Segment, ...]:
    """What is before the children of a part: results hang on a line, the rest is only moved in."""
    if depth >= _DEEPEST:
        return prefix
    if part.kind in (PartKind.CALL, PartKind.BASH):
        style = "error" if part.tone is Tone.ERROR else "gutter"
        return (*prefix, Segment("  "), Segment("│ ", builder.look.palette[style]))
    return (*prefix, Segment("  "))


def _add_facts(builder: _Builder, part: Part, prefix: tuple[Segment, ...], stop: int = -1) -> None:
    style = builder.look.palette["dim" if part.tone is Tone.DIM else "facts"]
    rows = facts_rows.flow(part.words, _room(builder, prefix), style)
    builder.items.append(DocumentItem(Rows(rows), stop, prefix))


def _add_body(builder: _Builder, part: Part, fold: Fold, prefix: tuple[Segment, ...], stop: int) -> None:
    body = part.body
    assert body is not None
    shown = stretches(body, part.preview, fold)
    _add_text(builder, part, body, shown.head, prefix, stop)
    if shown.tail is not None:
        palette = builder.look.palette
        words = f"… {shown.left_out} more · {builder.look.signs.unfold} shows all"
        row = [Segment(cells.cut(words, _room(builder, prefix)), palette["more"])]
        builder.items.append(DocumentItem(Rows([row]), stop, prefix, "more"))
        owner = builder.stops[stop].part if 0 <= stop < len(builder.stops) else part
        hidden = Hidden(owner, ((body.text, shown.head[1], shown.tail[0]),))
        builder.items.append(DocumentItem(Rows([]), stop, hidden=hidden))
        _add_text(builder, part, body, shown.tail, prefix, stop)


def _add_text(
    builder: _Builder,
    part: Part,
    body: Body,
    stretch: tuple[int, int],
    prefix: tuple[Segment, ...],
    stop: int,
) -> None:
    start, end = stretch
    if body.syntax not in STYLERS or end - start <= STYLED:
        gutter = gutter_of(body, start, builder.look.palette)
        _add_piece(builder, part, body, stretch, prefix, stop, gutter)
        return
    before: int | None = None
    whole = gutter_of(body, start, builder.look.palette)
    for piece, first, last in pieces(body, start, end):
        if before is not None and body.text.count("\n", before, first) > 1:
            builder.items.append(DocumentItem(Rows([[]]), stop, prefix))
        gutter = whole
        if whole is not None:
            whole = replace(whole, first=whole.first + body.text.count("\n", first, last) + 1)
        _add_piece(builder, part, piece, (first, last), prefix, stop, gutter)
        before = last


def _add_piece(
    builder: _Builder,
    part: Part,
    body: Body,
    stretch: tuple[int, int],
    prefix: tuple[Segment, ...],
    stop: int,
    gutter: Gutter | None,
) -> None:
    start, end = stretch
    look = builder.look
    width = _room(builder, prefix) if look.wrapped else UNWRAPPED
    base = body_style(part)
    wish = None
    view: View | None = None
    if body.syntax in STYLERS and 0 < end - start <= STYLED:
        wish = StyleRequest(part.key, body, start, end, width, base)
        view = builder.styled(wish)
    if view is None:
        view = LazyText(
            body.text,
            start,
            end,
            width=width,
            words=look.wrapped and body.syntax in _WRAPPED_AT_WORDS,
            style=block_style(body, width, look.palette, look.palette[base]),
            gutter=gutter,
        )
    else:
        wish = None
    builder.items.append(DocumentItem(view, stop, prefix, "", wish))


def _add_picture(
    builder: _Builder, part: Part, picture: Picture, prefix: tuple[Segment, ...], stop: int
) -> None:
    """An image, drawn in a thread; until then, or if it cannot be drawn, what to do instead."""
    width, palette = _room(builder, prefix), builder.look.palette
    signs = builder.look.signs
    words = f"{signs.view} opens it in the system's viewer"
    wish = None
    view: View | None = None
    if image_drawing.available():
        words += f", {signs.view_here} shows it large"
        body = Body(picture.data, Syntax.PICTURE)
        wish = StyleRequest(part.key, body, 0, len(picture.data), min(width, _WIDEST_PICTURE), "")
        view = builder.styled(wish)
    else:
        words += "; pip install 'pitree[images]' draws it here"
    rows = facts_rows.flow([words], width, palette["more"])
    builder.items.append(DocumentItem(Rows(rows), stop, prefix))
    if wish is not None:
        plain = Rows([[Segment("drawing it", palette["dim"])]])
        builder.items.append(DocumentItem(view or plain, stop, prefix, "", wish if view is None else None))


def _add_hidden(builder: _Builder, part: Part, stop: int) -> None:
    """Note what a folded part holds, so that it can be found."""
    texts: list[tuple[str, int, int]] = []
    waiting = [part]
    while waiting:
        inner = waiting.pop()
        if inner is not part:
            for said in (inner.title, inner.subject, inner.note, *inner.words):
                if said:
                    texts.append((said, 0, len(said)))
        if inner.body is not None:
            texts.append((inner.body.text, 0, len(inner.body.text)))
        texts += [(fact.value, 0, len(fact.value)) for fact in inner.facts]
        waiting += reversed(inner.children)
    if texts:
        builder.items.append(DocumentItem(Rows([]), stop, hidden=Hidden(part, tuple(texts))))


def body_style(part: Part) -> str:
    """Name of the style of a part's text where nothing gives it another."""
    return _BODY_STYLES.get(part.kind, "")
