"""What a program printed, as a terminal would have left it to be read.

A tool's output may hold whatever its program sent to a terminal. Of that stays:

- text and colors (SGR sequences), for the reader to draw or to drop;
- of a hyperlink (OSC 8) its text, with the address in parentheses behind it where the two differ;
- of a line that was written over (carriage returns, backspaces, erased lines), what stood there at the end;
- a movement to the right, as spaces.

Dropped are titles, marks of the prompt and other messages to the terminal (OSC, DCS, APC), cursor movements,
modes and bells. What is no whole sequence stays where it is. The result is still raw: whatever shows it makes
it safe (`safe.visible`), so nothing in it reaches a terminal.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

SGR: Final = re.compile(r"\x1b\[([0-9;:]*)m")
"""A sequence that sets colors and looks; its group holds the parameters."""

_SEQUENCE = re.compile(
    r"\x1b(?:"
    r"\](?:8;[^;\x07\x1b\n]*+;(?P<address>[^\x07\x1b\n]*+)(?:\x07|\x1b\\)|[^\x07\x1b\n]*+(?:\x07|\x1b\\))"
    r"|P[0-9;]*+q[!-~\s]*+\x1b\\"  # an image in sixels, the only such text that may have line breaks
    r"|[PX^_][^\x1b\n]*+\x1b\\"
    r"|\[(?![0-9;:]*+m)(?P<parameters>[0-?]{0,64}+)[ -/]{0,4}(?P<final>[@-~])"
    r"|[()*+][ -/]?[0-~]"
    r"|[=>78cM]"
    r")|\x07"
)
_ERASE_REST, _ERASE_LINE = "\x1b[K", "\x1b[2K"
_ERASES = re.compile(r"\x1b\[2?K")
_LINE_END = re.compile(r"\r+\n")
_RESET = re.compile(r"\x1b\[(?:0?|0[;:][0-9;:]*)m")
_WIDEST = 200
"""Cells that a movement to the right makes at most."""
_MOST_PENS = 16
"""Colour sequences kept of text that was written over."""


class ProgramOutput(NamedTuple):
    """What a program printed.

    Attributes:
        text: its text with colors, raw.
        links: the addresses of hyperlinks in it, as they are in the text, in order.
    """

    text: str
    links: tuple[str, ...] = ()


def printed(text: str) -> ProgramOutput:
    """The output of a program as it is read. Takes linear time whatever the text."""
    if "\x1b" not in text and "\x07" not in text:
        return ProgramOutput(_left(text))
    text, links = _without_sequences(text)
    text = _left(text)
    return ProgramOutput(_ERASES.sub("", text) if "K" in text else text, links)


def without_colours(text: str) -> str:
    """A printed text without its colors."""
    return SGR.sub("", text) if "\x1b[" in text else text


def printed_words(text: str) -> str:
    """All that can be read in an output, for a search: what was written over, too, and no colors."""
    if "\x1b" in text or "\x07" in text:
        text = _ERASES.sub("", without_colours(_without_sequences(text)[0]))
    return "\n".join(map(_struck, text.split("\n"))) if "\b" in text else text


def _without_sequences(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with colors, erasing sequences and the addresses of links, but no other sequences."""
    pieces: list[str] = []
    links: list[str] = []
    done = opened = 0
    address = ""
    for found in _SEQUENCE.finditer(text):
        pieces.append(text[done : found.start()])
        done = found.end()
        if found["address"] is None:
            pieces.append(_stand_in(found))
            continue
        if address:
            pieces[opened:] = [_linked("".join(pieces[opened:]), address, links)]
        address, opened = found["address"], len(pieces)
    pieces.append(text[done:])
    if address:  # never closed: it is taken for the rest of its line
        line, line_break, rest = "".join(pieces[opened:]).partition("\n")
        pieces[opened:] = [_linked(line, address, links), line_break, rest]
    return "".join(pieces), tuple(links)


def _stand_in(found: re.Match[str]) -> str:
    """What a sequence leaves behind."""
    parameters, final = found["parameters"], found["final"]
    if final in ("K", "J") and parameters in ("", "0"):
        return _ERASE_REST
    if final == "K":
        return _ERASE_LINE
    if final == "G" and parameters in ("", "0", "1"):
        return "\r"
    if final == "C" and len(parameters) < 4:
        return " " * min(int(parameters) if parameters.isdecimal() else 1, _WIDEST)
    return ""


def _linked(said: str, address: str, links: list[str]) -> str:
    """The text of a link with its address, which is added to `links`."""
    words = without_colours(said).strip()
    if not words:
        return said
    links.append(address)
    if words in (address, address.rstrip("/")):
        links[-1] = words
        return said
    end = len(said.rstrip())
    return f"{said[:end]} ({address}){said[end:]}"


def _left(text: str) -> str:
    """The text with only what was left of lines that were written over."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    if "\r" not in text and "\b" not in text:
        return text
    return "\n".join(
        _left_of_line(line) if "\r" in line or "\b" in line else line for line in text.split("\n")
    )


def _left_of_line(line: str) -> str:
    """What was left of a line: the last writing, and what stuck out beyond it of those before."""
    writings = line.split("\r")
    last = len(writings) - 1
    while last and not without_colours(writings[last]) and not _ERASES.search(writings[last]):
        last -= 1
    shown: list[str] = []
    covered = 0
    for place in range(last, -1, -1):
        if len(writings[place]) <= covered and "K" not in writings[place]:
            continue  # nothing of it sticks out; there may be a million of these
        writing, erased = _erased(writings[place])
        words = without_colours(writing)
        if place == last:
            shown.append(_pens("".join(writings[:last])) + writing)
        elif len(words) > covered:
            shown.append(words[covered:])
        covered = max(covered, len(words))
        if erased:
            break
    return "".join(shown) + _pens("".join(writings[last + 1 :]))


def _erased(writing: str) -> tuple[str, bool]:
    """A writing from the last time the line was erased, backspaces done; whether what was before is gone."""
    erased = "\x1b[" in writing and _ERASES.search(writing) is not None
    if erased:
        before, _, writing = writing.rpartition(_ERASE_LINE)
        writing = _pens(before) + writing.replace(_ERASE_REST, "")
    return _struck(writing), erased


def _struck(writing: str) -> str:
    """A writing in which backspaces were followed; its colors then hold from its end on."""
    if "\b" not in writing:
        return writing
    cells: list[str] = []
    at = 0
    for character in without_colours(writing):
        if character == "\b":
            at = max(0, at - 1)
        else:
            cells[at : at + 1] = character
            at += 1
    return "".join(cells) + _pens(writing)


def _pens(text: str) -> str:
    """The color sequences of a text that is not shown, as far as they still hold."""
    if "\x1b[" not in text:
        return ""
    resets = [reset.start() for reset in _RESET.finditer(text)]
    if resets:
        text = text[resets[-1] :]
    found = [match[0] for match in SGR.finditer(text)]
    return "".join(found[-_MOST_PENS:])
