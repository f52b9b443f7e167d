"""The border: makes any text from outside harmless and visible before it comes near a terminal.

What a stand-in looks like (each is one cell wide):

- control characters: their control pictures, `␇` for BEL, `␛` for ESC, `␡` for DEL; C1 controls and lone
  surrogates: `�`;
- a whole CSI sequence (colors, cursor movements) and a choice of character set: one `␛`, so that coloured
  output stays readable. The text inside other sequences (titles, links) stays as text after its `␛`: nothing
  that could be read is dropped;
- characters that show nothing but reorder or hide text (bidi controls, zero-width spaces, the byte order
  mark, soft hyphens, invisible fillers, tags, stray joiners and variation selectors): `◦`.

What stays: marks on letters, eight in a row at most (`◦` stands for the rest), joiners where emoji, Arabic
or Indic writing needs them, skin tones, flags. A mark without a letter gets `◌` as its base, so it does not
land on the frame of a pane. Dropped without trace: the variation selector behind a symbol that has a text
and an emoji form (as in "⚠️"), because terminals do not agree whether it makes the symbol one or two cells
wide; within a joined emoji it stays.
"""

from __future__ import annotations

import re
from typing import Final

from pitree.text.cells import cell_len
from pitree.text.widths import COMBINING, EMOJI_STYLE, WIDENED, WIDTHS, ZWJ, ZWNJ

TAB: Final = 4
"""Cells between tab stops where tabs expand."""

MAX_MARKS: Final = 8
"""Characters without a width of their own that may follow one that has it."""

MAX_JOINED: Final = 7
"""Joiners in one emoji or letter group. Those in use have three at most; the joined parts take no cells."""

ESCAPE: Final = "␛"
CONTROL: Final = "�"
HIDDEN: Final = "◦"
BASE: Final = "◌"

_PICTURES: Final = {chr(code): chr(0x2400 + code) for code in range(0x20)} | {"\x7f": "␡"}
_PLAIN: Final = bytes(range(0x20, 0x7F)) + b"\n\t"

_CONTROL_SET = r"\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
_CONTROLS = re.compile(f"[{_CONTROL_SET}]")
_DIRTY = re.compile(rf"[\xad{_CONTROL_SET}{COMBINING}]")

# ESC alone may stand before a letter by chance, so only what looks like a whole sequence is taken together.
# The eight-bit form needs a parameter as well, for U+009B is also what a wrongly decoded "›" becomes.
_SEQUENCE = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,4}[@-~]|\x1b[()*+][ -/]?[0-~]|\x9b[0-?]{1,64}[ -/]{0,4}[@-~]"
)

_COMBINING_RUN = re.compile(f"[\xad{COMBINING}]+")
_HIDING = re.compile(
    r"[\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
_SELECTORS = re.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_SKIN_TONES = re.compile(r"[\U0001f3fb-\U0001f3ff]")
_NOT_A_PLAIN_MARK = re.compile(
    rf"{_HIDING.pattern}|{_SELECTORS.pattern}|[{ZWNJ}{ZWJ}\U00010000-\U0010ffff]",
)
_FLAG = "\U0001f3f4"
_FLAG_TAGS = re.compile(r"[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,8}\U000e007f")
_PICTURE = re.compile(
    r"[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    r"\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
)
# Scripts with joining forms: Arabic and its neighbours, Mongolian, those of India and South-East Asia.
_JOINING = re.compile(
    r"[\u0600-\u109f\u1700-\u18af\u1900-\u1cff\ua800-\uaaff\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    r"\U00010a00-\U00010fff\U00011000-\U00011fff]"
)


def visible(text: str, *, keep_newlines: bool = False) -> str:
    """A text as it may be shown: the same to the reader, nothing in it for the terminal.

    Applied twice it changes nothing more. Takes some milliseconds a megabyte where there is nothing to do,
    and linear time whatever the text.

    Args:
        text: any text, lone surrogates included.
        keep_newlines: leave line breaks (CR LF, CR, U+2028 and U+2029 become LF) and expand tabs to stops of
            `TAB` cells. Otherwise the result is one line: each break and each tab is a space.

    Returns:
        Text without C0 (but LF if asked for), C1, bidi or other invisible controls and surrogates.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" in text or "\x9b" in text:
        text = _SEQUENCE.sub(ESCAPE, text)
    for line_break in ("\r\n", "\r", "\u2028", "\u2029"):
        text = text.replace(line_break, "\n")
    if not keep_newlines:
        text = text.replace("\n", " ").replace("\t", " ")
    if not _is_clean(text):
        text = _CONTROLS.sub(_picture, text)
        if not text.isascii():
            text = _tame_combining(text)
    return _expand_tabs(text) if "\t" in text else text


def _is_clean(text: str) -> bool:
    data = text.encode(errors="surrogatepass")
    rest = data.translate(None, _PLAIN)
    if len(rest) < len(data) // 2:
        # Searching what plain ASCII leaves over is several times faster where that is little.
        text = rest.decode(errors="surrogatepass")
    return not rest or _DIRTY.search(text) is None


def _picture(found: re.Match[str]) -> str:
    return _PICTURES.get(found[0], CONTROL)


def _expand_tabs(text: str) -> str:
    """Tabs as spaces up to the next stop, counted in cells from the start of the line."""
    if text.isascii():
        return text.expandtabs(TAB)
    return "\n".join(_expand_line(line) if "\t" in line else line for line in text.split("\n"))


def _expand_line(line: str) -> str:
    if line.isascii():
        return line.expandtabs(TAB)
    *pieces, last = line.split("\t")
    return "".join(piece + " " * (TAB - cell_len(piece) % TAB) for piece in pieces) + last


def _tame_combining(text: str) -> str:
    """Decide on each stretch of characters that take no cell of their own."""
    pieces: list[str] = []
    done = 0
    group = _Group()
    for found in _COMBINING_RUN.finditer(text):
        start, end = found.span()
        on_a_base = start > 0 and text[start - 1] != "\n"
        if on_a_base and end - start <= MAX_MARKS and _NOT_A_PLAIN_MARK.search(found[0]) is None:
            continue
        pieces += (text[done:start], _tame_run(text, start, end, group))
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


class _Group:
    """The emoji or letters that joiners have tied together so far; carried from stretch to stretch."""

    __slots__ = ("_end", "_joiners")

    def __init__(self) -> None:
        self._end = -1
        self._joiners = 0

    def holds(self, place: int) -> bool:
        """Is the character at this place tied to the one before it?"""
        return place == self._end and self._joiners <= MAX_JOINED

    def has_room(self, place: int) -> bool:
        """May one more be tied to the character at this place?"""
        return place != self._end or self._joiners < MAX_JOINED

    def join(self, place: int, joiner: int) -> bool:
        """Tie what follows the joiner to the character at `place`, if there is room."""
        allowed = self.has_room(place)
        self._joiners = self._joiners + 1 if place == self._end else 1
        self._end = joiner + 1
        return allowed


def _tame_run(text: str, start: int, end: int, group: _Group) -> str:
    """One stretch of combining characters, text[start:end], made harmless."""
    kept: list[str] = []
    base, base_at = (text[start - 1], start - 1) if start else ("\n", -1)
    before = base
    marks = 0
    place = start
    while place < end:
        character = text[place]
        shown = character
        if WIDTHS[ord(character)] and character != "\xad":
            # COMBINING is generous above U+FFFF: this is a letter or a regional indicator.
            base, base_at, marks = character, place, 0
        elif before == _FLAG and (tags := _FLAG_TAGS.match(text, place)):
            shown = tags[0]
            place = tags.end() - 1
        elif _HIDING.match(character):
            shown = HIDDEN
        elif character in (ZWJ, ZWNJ):
            if not _joins(character, base, before, text[place + 1 : place + 2]) or (
                character == ZWJ and not group.join(base_at, place)
            ):
                shown = HIDDEN
        elif _SELECTORS.match(character):
            joins = _ties_pictures(base, text[place + 1 : place + 3]) and group.has_room(base_at)
            shown = _selector(character, base, before, joins or group.holds(base_at))
        elif _SKIN_TONES.match(character):
            if before not in (base, EMOJI_STYLE) or not _PICTURE.match(base):
                shown = HIDDEN
        else:
            if base == "\n":
                kept.append(BASE)
                base, base_at = BASE, place
            marks += 1
            if marks > MAX_MARKS:
                shown = HIDDEN if marks == MAX_MARKS + 1 else ""
        if shown == HIDDEN:
            base, base_at = HIDDEN, place
            marks = marks if marks > MAX_MARKS else 0
        kept.append(shown)
        before = shown[-1:] or character
        place += 1
    return "".join(kept)


def _joins(joiner: str, base: str, before: str, follower: str) -> bool:
    """Does a joiner stand where writing needs it: between emoji, or in a script that has joining forms?"""
    if joiner == ZWJ and _PICTURE.match(base) and _PICTURE.match(follower):
        return before in (base, EMOJI_STYLE) or _SKIN_TONES.match(before) is not None
    return _JOINING.match(before) is not None and (joiner == ZWNJ or _is_letter(follower))


def _is_letter(character: str) -> bool:
    """Is this a letter that shows? A filler counts as one, but shows nothing."""
    return character.isalpha() and _HIDING.match(character) is None


def _ties_pictures(base: str, following: str) -> bool:
    return following[:1] == ZWJ and bool(_PICTURE.match(base) and _PICTURE.match(following, 1))


def _selector(selector: str, base: str, before: str, joined: bool) -> str:
    """What becomes of a variation selector: kept where it chooses a form, dropped where widths are unsure."""
    if before != base or base.isspace() or base in (HIDDEN, BASE):
        return HIDDEN
    if selector not in ("\ufe0e", EMOJI_STYLE):
        return HIDDEN if base.isascii() else selector
    if base not in WIDENED and not _PICTURE.match(base):
        return HIDDEN
    return selector if joined and selector == EMOJI_STYLE else ""
