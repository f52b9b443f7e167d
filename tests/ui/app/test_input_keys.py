"""Which keys the sequences of terminals mean."""

from __future__ import annotations

import string

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key, MouseDown, MouseMove, MouseScrollDown, MouseUp, Paste, Resize
from textual.message import Message

from pitree.ui.app.input_events import TerminalReader
from pitree.ui.app.input_keys import Press, press_of_character, press_of_sequence, press_with_alt
from pitree.ui.app.terminal_answers import TerminalGround, TerminalName

WELL_FORMED = [
    *(f"\x1b[{letter}" for letter in "ABCDFHZ"),
    *(f"\x1b[1;{modifiers}{letter}" for modifiers in range(2, 9) for letter in "ABCDFHPQS"),
    *(f"\x1b[{number}~" for number in (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 17, 21, 23, 24)),
    *(f"\x1b[{number};{modifiers}~" for number in (2, 3, 5, 6, 15) for modifiers in range(2, 9)),
    *(f"\x1bO{letter}" for letter in "ABCDFHPQRSMjkpy"),
    *(f"\x1b[[{letter}" for letter in "ABCDE"),
    *(
        f"\x1b[{code};{modifiers}u"
        for code in (97, 122, 47, 233, 27, 13, 9, 127)
        for modifiers in (3, 5, 7, 9)
    ),
    *(f"\x1b[{ord(letter)};;{ord(letter)}u" for letter in "aà/я5 "),
    "\x1b[97;2;65u",
    "\x1b[55;2;47u",
    "\x1b[27u",
    "\x1b[27;2u",
    "\x1b[9;2u",
    "\x1b[57399;;48u",
    "\x1b[57417u",
    "\x1b[57414u",
    "\x1b[57376u",
]


@pytest.mark.parametrize("sequence", WELL_FORMED)
def test_well_formed_keys_are_those_of_textual(sequence: str) -> None:
    theirs = [event for event in XTermParser().feed(sequence) if isinstance(event, Key)]
    press = press_of_sequence(sequence)
    assert press is not None
    ours = Key(press.key, press.character)
    assert [(event.key, event.is_printable) for event in theirs] == [(ours.key, ours.is_printable)]
    assert not ours.is_printable or ours.character == theirs[0].character


@pytest.mark.parametrize("character", [*map(chr, range(128)), *"éßяü한😀 �\u0301"])
def test_characters_are_the_keys_of_textual(character: str) -> None:
    if character == "\x1b":
        return
    (theirs,) = [event for event in XTermParser().feed(character) if isinstance(event, Key)]
    assert press_of_character(character) == Press(theirs.key, theirs.character)


@pytest.mark.parametrize(
    "character", [*string.ascii_letters, *string.punctuation.replace("[", ""), "\r", "é", "1"]
)
def test_characters_with_alt_are_the_keys_of_textual(character: str) -> None:
    parser = XTermParser()
    theirs = [*parser.feed(f"\x1b{character}"), *parser.feed("")]
    keys = [(event.key, event.character) for event in theirs if isinstance(event, Key)]
    ours = press_with_alt(character)
    assert keys == [(ours.key, ours.character)]


@pytest.mark.parametrize(
    ("sequence", "press"),
    [
        ("\x1b[1077::116;5u", Press("ctrl+t")),
        ("\x1b[1077:1045:116;6u", Press("ctrl+shift+t")),
        ("\x1b[1089::99;5u", Press("ctrl+c")),
        ("\x1b[960::112;3u", Press("alt+p")),
        ("\x1b[1077;5u", Press("ctrl+е")),  # no Latin key is said
        ("\x1b[1077::116;;1077u", Press("е", "е")),
        ("\x1b[1077:1045:116;2;1045u", Press("Е", "Е")),
        ("\x1b[107::118;5u", Press("ctrl+k")),  # Dvorak: the letter counts, not its place
        ("\x1b[47::91;5u", Press("ctrl+slash")),
        ("\x1b[97:65:97;2;65u", Press("A", "A")),
        ("\x1b[97:65;2u", Press("A", "A")),
        ("\x1b[97;2u", Press("A", "A")),
        ("\x1b[55:47;2u", Press("slash", "/")),
        ("\x1b[97:65;6u", Press("ctrl+shift+a")),
        ("\x1b[32;2;32u", Press("space", " ")),
        ("\x1b[97;1:1u", Press("a", "a")),
        ("\x1b[97;1:2u", Press("a", "a")),
        ("\x1b[1;1:2A", Press("up")),
        ("\x1b[5A", Press("ctrl+up")),
        ("\x1b[27;5;116~", Press("ctrl+t")),
        ("\x1b[27;2;65~", Press("A", "A")),
        ("\x1b[3$", Press("shift+delete")),
        ("\x1b[5^", Press("ctrl+pageup")),
        ("\x1bOc", Press("ctrl+right")),
        ("\x1b[97;65u", Press("a", "a")),  # caps lock
        ("\x1b[1;129A", Press("up")),  # num lock
    ],
)
def test_fault_03_forms_of_the_kitty_protocol(sequence: str, press: Press) -> None:
    assert press_of_sequence(sequence) == press


LONG = "9" * 5000


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[97;1:3u",
        "\x1b[1;1:3A",
        "\x1b[3;1:3~",
        "\x1b[1114112;1u",
        "\x1b[9999999;1u",
        "\x1b[55296;1u",
        "\x1b[57358u",
        "\x1b[57441;2u",
        "\x1b[128;5u",
        "\x1b[1;5u",
        "\x1b[:::;5u",
        "\x1b[97;1:9u",
        "\x1b[97;-1u",
        "\x1b[27;5;~",
        "\x1b[27;5;1114112~",
        "\x1b[200;5~",
        "\x1b[99~",
        "\x1b[99A",
        "\x1b[0;0R",
        "\x1b[24;80R",
        "\x1b[>1u",
        "\x1b[?1u",
        "\x1b[u",
        "\x1b[99$",
        "\x1bO9A",
        f"\x1b[{LONG};1u",
        f"\x1b[97;{LONG}u",
        f"\x1b[{LONG};{LONG}R",
    ],
)
def test_fault_03_malformed_forms_mean_nothing(sequence: str) -> None:
    assert messages(sequence) == []


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[<0;0;5M",
        "\x1b[<0;-3;5M",
        "\x1b[<;;M",
        "\x1b[<0;5M",
        f"\x1b[<{LONG};1;1M",
        f"\x1b[<0;{LONG};1M",
        "\x1b[32;5;5M",
        "\x1b[M !!",
        "\x1b[48;0;0;0;0t",
        "\x1b[48;99999;99999;1;1t",
        f"\x1b[48;{LONG};1;1;1t",
        "\x1b[48;:;:;:;:t",
        "\x1b[?2026;0$y",
        f"\x1b[?{LONG};1$y",
        "\x1b[?62;4c",
        "\x1b]11;what\x07",
        "\x1b]52;c;\x07",
        "\x1bP1$r0m\x1b\\",
        "\x1b_Gi=1;OK\x1b\\",
    ],
)
def test_fault_03_malformed_reports_mean_nothing(sequence: str) -> None:
    assert messages(sequence) == []


def messages(*pieces: str) -> list[Message]:
    """What a reader makes of pieces, and of nothing more."""
    reader = TerminalReader({})
    found = [message for piece in pieces for message in reader.feed(piece.encode(), 1.0)]
    return [*found, *reader.tick(100.0)]


def test_the_mouse_in_cells_and_in_pixels() -> None:
    down, up, move, scroll = messages("\x1b[<0;3;5M\x1b[<0;3;5m\x1b[<35;4;5M\x1b[<65;4;5M")
    assert isinstance(down, MouseDown)
    assert (down.x, down.y, down.button) == (2, 4, 1)
    assert isinstance(up, MouseUp)
    assert isinstance(move, MouseMove)
    assert (move.delta_x, move.delta_y) == (1, 0)
    assert isinstance(scroll, MouseScrollDown)
    resize, down = messages("\x1b[48;24;80;480;800t\x1b[<2;21;41M")
    assert isinstance(resize, Resize)
    assert resize.size == (80, 24)
    assert isinstance(down, MouseDown)
    assert (down.x, down.y, down.button) == (2, 2, 3)


@pytest.mark.parametrize(
    ("read", "light"),
    [
        (["\x1b]11;rgb:ffff/ffff/ffff\x1b\\"], True),
        (["\x1b]11;rgb:00/00/00\x07"], False),
        (["\x1b]11;rgba:f8f8/f8f8/f2f2/ffff\x07"], True),
        (["\x1b]11;rgb:00", "00/0000/0000\x1b", "\\"], False),
        (["\x1b]", "11;rgb:ffff/ffff/ffff\x07"], True),
    ],
)
def test_the_ground_among_keys(read: list[str], light: bool) -> None:
    before, ground, after = messages("a", *read, "b")
    assert isinstance(ground, TerminalGround)
    assert ground.light is light
    assert isinstance(before, Key)
    assert isinstance(after, Key)


def test_names_among_keys() -> None:
    name, key = messages("\x1bP>|kitty(0.28.1)\x1b\\q")
    assert isinstance(name, TerminalName)
    assert name.name == "kitty(0.28.1)"
    assert isinstance(key, Key)
    name, key = messages("\x1bP", ">|ghostty 1.1.0\x1b", "\\b")
    assert isinstance(name, TerminalName)
    assert name.name == "ghostty 1.1.0"


def test_a_paste_has_no_nul() -> None:
    (paste,) = messages("\x1b[200~a\x00b\x1b[201~\x1b[200~\x1b[201~")
    assert isinstance(paste, Paste)
    assert paste.text == "ab"
