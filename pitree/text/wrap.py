"""Breaking a line into rows of a given width, in cells, at grapheme borders."""

from __future__ import annotations

from pitree.text import cells


def wrap(line: str, width: int, *, words: bool) -> list[tuple[int, int]]:
    """Where the rows of a line start and end.

    Args:
        line: one line, made safe before; no line break in it.
        width: cells a row may take; at least 1.
        words: break at spaces where there are some (those at a break are left out), else anywhere.

    Returns:
        Start and end of each row in the line; one empty row for an empty line.
    """
    length = len(line)
    if length * 2 <= width:
        return [(0, length)]
    ascii_only = line.isascii()
    if ascii_only and length <= width:
        return [(0, length)]
    if words:
        return list(cells.wrap_spans(line, width))
    if ascii_only:
        return [(start, min(start + width, length)) for start in range(0, length, width)]
    return _pieces(line, width)


def _pieces(line: str, width: int) -> list[tuple[int, int]]:
    rows = []
    start, length = 0, len(line)
    while start < length:
        ahead = line[start : start + 2 * width]
        piece = cells.cut(ahead, width, "")
        while len(piece) == len(ahead) and start + len(ahead) < length:
            # Marks and joiners take no cells: more characters than cells may fit.
            ahead = line[start : start + 2 * len(ahead)]
            piece = cells.cut(ahead, width, "")
        end = start + max(1, len(piece))
        rows.append((start, end))
        start = end
    return rows
