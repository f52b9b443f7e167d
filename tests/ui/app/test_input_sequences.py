"""Bytes of a terminal, split into texts, sequences and pastes, in whatever pieces they come."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitree.ui.app.input_sequences import SequenceReader, Token, TokenKind, Waits

WAITS = Waits()
SSH = Waits.of({"SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22"}, 0.1)

ARROW = "\x1b[A"
KEYS = (
    ARROW,
    "\x1bOA",
    "\x1b[1;5D",
    "\x1b[15~",
    "\x1bOP",
    "\x1b[[A",
    "\x1b[a",
    "\x1b[97u",
    "\x1b[1077::116;5u",
    "\x1b[97;1:3u",
    "\x1b[<0;12;7M",
    "\x1b[M !!",
)
ANSWERS = ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:00/00/00\x07", "\x1bP>|kitty(0.28.1)\x1b\\")
PASTE = "\x1b[200~Aé\x1b[A\nq\x1b[201~"


def read(*pieces: tuple[str | bytes, float], waits: Waits = WAITS) -> list[Token]:
    """What a reader gives for pieces, each after a pause with ticks as of the driver."""
    reader, now, found = SequenceReader(waits), 100.0, list[Token]()
    for piece, pause in pieces:
        now = _wait(reader, now, now + pause, found)
        found += reader.feed(piece if isinstance(piece, bytes) else piece.encode(), now)
    _wait(reader, now, now + 100, found)
    return _joined(found)


def _wait(reader: SequenceReader, now: float, until: float, found: list[Token]) -> float:
    while (deadline := reader.deadline) is not None and deadline <= until:
        now = deadline
        found += reader.tick(now)
    return until


def _joined(tokens: list[Token]) -> list[Token]:
    """Texts that follow each other as one."""
    joined: list[Token] = []
    for token in tokens:
        if joined and joined[-1].kind is token.kind is TokenKind.TEXT:
            joined[-1] = Token(TokenKind.TEXT, joined[-1].text + token.text)
        else:
            joined.append(token)
    return joined


def sequence(text: str) -> Token:
    return Token(TokenKind.SEQUENCE, text)


def test_texts_sequences_and_pastes() -> None:
    assert read((f"ab{ARROW}\x1bx{PASTE}q", 0)) == [
        Token(TokenKind.TEXT, "ab"),
        sequence(ARROW),
        Token(TokenKind.META, "x"),
        Token(TokenKind.PASTE, "Aé\x1b[A\nq"),
        Token(TokenKind.TEXT, "q"),
    ]


@pytest.mark.parametrize("whole", [*KEYS, *ANSWERS])
@pytest.mark.parametrize("waits", [WAITS, SSH], ids=["local", "ssh"])
def test_fault_04_a_sequence_torn_anywhere_is_whole(whole: str, waits: Waits) -> None:
    for at in range(1, len(whole)):
        pieces = (whole[:at], 0.0), (whole[at:], 0.08)
        assert read(*pieces, waits=waits) == [sequence(whole)], pieces
    assert read(*((letter, 0.08) for letter in whole), waits=waits) == [sequence(whole)]


@pytest.mark.parametrize("whole", KEYS)
@pytest.mark.parametrize("waits", [WAITS, SSH], ids=["local", "ssh"])
def test_fault_04_a_rest_in_one_piece_is_whole_until_escape_counts(whole: str, waits: Waits) -> None:
    pause = (waits.alt + waits.escape) / 2
    assert read((whole[:1], 0), (whole[1:], pause), waits=waits) == [sequence(whole)]


def test_fault_04_a_line_of_ssh_may_be_slower() -> None:
    pieces = ("\x1b", 0.0), ("[A", 0.25)
    assert read(*pieces, waits=SSH) == [sequence(ARROW)]
    assert read(*pieces) == [Token(TokenKind.ESCAPE, "\x1b")]


@pytest.mark.parametrize("whole", KEYS)
@pytest.mark.parametrize("pause", [0.2, 0.4, 0.9, 5.0])
def test_fault_04_a_late_rest_is_never_taken_for_letters(whole: str, pause: float) -> None:
    assert read(("\x1b", 0), (whole[1:], pause), ("q", 0.01)) == [
        Token(TokenKind.ESCAPE, "\x1b"),
        Token(TokenKind.TEXT, "q"),
    ]
    for at in range(2, len(whole)):
        if whole[:at] in ("\x1bO", "\x1b[M"):  # alt+O, and the beginning of nothing else
            continue
        if pause <= 0.9:
            assert read((whole[:at], 0), (whole[at:], pause)) == [sequence(whole)]


@pytest.mark.parametrize(
    ("pieces", "letters"),
    [
        ((("\x1b", 0), ("[", 0.4), ("A", 0.4)), "["),
        ((("\x1b", 0), ("O", 0.4), ("A", 0.4)), "O"),
        ((("\x1bO", 0), ("A", 0.4)), ""),
        ((("\x1b[1;", 0), ("5", 1.4), ("A", 0.4)), ""),
    ],
)
def test_fault_04_no_capital_letter_is_left_of_a_torn_sequence(
    pieces: tuple[tuple[str, float], ...], letters: str
) -> None:
    assert "".join(token.text for token in read(*pieces) if token.kind is TokenKind.TEXT) == letters


@pytest.mark.parametrize("answer", ANSWERS)
def test_fault_04_a_late_answer_is_an_answer(answer: str) -> None:
    for at in range(1, len(answer)):
        assert not [
            token for token in read((answer[:at], 0), (answer[at:], 1.5)) if token.kind is TokenKind.TEXT
        ]
    assert sequence(answer) in read(("\x1b", 0), (answer[1:], 0.9))


@pytest.mark.parametrize("pause", [0.0, 0.08, 0.9, 60.0])
def test_fault_04_a_paste_torn_anywhere_types_nothing(pause: float) -> None:
    for at in range(3, len(PASTE)):
        found = read((PASTE[:at], 0), (PASTE[at:], min(pause, 0.9) if at < 6 else pause))
        assert found == [Token(TokenKind.PASTE, "Aé\x1b[A\nq")], PASTE[:at]
    found = read(("\x1b", 0), (PASTE[1:], pause))
    assert found[-1] == Token(TokenKind.PASTE, "Aé\x1b[A\nq")
    assert not [token for token in found if token.kind is TokenKind.TEXT]


def test_a_long_paste_in_many_pieces() -> None:
    text = "one line\n" * 20_000
    whole = f"\x1b[200~{text}\x1b[201~q".encode()
    cuts = [*range(0, len(whole), 7), len(whole)]
    found = read(*((whole[start:end], 0.0) for start, end in pairwise(cuts)))
    assert found == [Token(TokenKind.PASTE, text), Token(TokenKind.TEXT, "q")]


def test_a_paste_without_an_end_can_be_left() -> None:
    assert read(("\x1b[200~abc", 0), ("q", 9), ("\x11", 9), ("q", 0)) == [
        Token(TokenKind.PASTE, "abcq"),
        Token(TokenKind.TEXT, "\x11q"),
    ]


def test_a_lone_escape_is_prompt() -> None:
    for waits, most in ((WAITS, 0.15), (SSH, 0.3)):
        reader = SequenceReader(waits)
        assert list(reader.feed(b"\x1b", 5.0)) == []
        assert reader.deadline is not None
        assert reader.deadline == pytest.approx(5.0 + most)
        assert list(reader.tick(reader.deadline)) == [Token(TokenKind.ESCAPE, "\x1b")]


@pytest.mark.parametrize("typed", ["q", "A", "é", "5", "\r", "[", "O"])
@pytest.mark.parametrize("waits", [WAITS, SSH], ids=["local", "ssh"])
def test_what_is_typed_after_an_escape_is_typed(typed: str, waits: Waits) -> None:
    escape, text = Token(TokenKind.ESCAPE, "\x1b"), Token(TokenKind.TEXT, typed)
    assert read(("\x1b", 0), (typed, waits.escape + 0.05), waits=waits) == [escape, text]
    if typed not in "[O":  # of which one is waited for longer
        assert read(("\x1b", 0), (typed, waits.alt + 0.02), waits=waits) == [escape, text]
    assert read(("\x1b\x1b", 0), (typed, 5), waits=waits) == [escape, escape, text]


def test_keys_after_an_escape_and_a_bracket_are_typed() -> None:
    escape = Token(TokenKind.ESCAPE, "\x1b")
    assert read(("\x1b", 0), ("[", 0.5), ("[", 0.2), ("j", 0.2)) == [escape, Token(TokenKind.TEXT, "[[j")]
    assert read(("\x1b", 0), ("[", 0.5), ("A", 1.5)) == [escape, Token(TokenKind.TEXT, "[A")]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xe9 x", "caf� x"),
        (b"\xe9", "�"),
        (b"\xff\xfe", "��"),
        (b"\xf0\x9f\x98", "�"),
        (b"\xed\xa0\x80", "���"),
        (b"\xc0\xaf", "��"),
        ("€".encode(), "€"),
    ],
)
def test_fault_02_bytes_that_are_not_utf_8_have_a_stand_in(data: bytes, text: str) -> None:
    assert read((data, 0)) == [Token(TokenKind.TEXT, text)]
    assert read(*((bytes([byte]), 0.3) for byte in data)) == [Token(TokenKind.TEXT, text)]
    assert read((data + ARROW.encode(), 0)) == [Token(TokenKind.TEXT, text), sequence(ARROW)]


def test_interrupted_sequences_are_dropped() -> None:
    for broken in ("\x1b[1;5", "\x1b]11;rgb:", "\x1bP>|kit", "\x1b[M !"):
        assert read((f"{broken}\x1b[Bq", 0)) == [sequence("\x1b[B"), Token(TokenKind.TEXT, "q")], broken
        assert read((f"{broken}\rq", 0)) == [Token(TokenKind.TEXT, "\rq")], broken
        assert read((broken, 0), ("\x03", 9)) == [Token(TokenKind.TEXT, "\x03")], broken


def test_what_never_ends_takes_no_memory() -> None:
    for begin in ("\x1b[", "\x1b]11;"):
        reader = SequenceReader(WAITS)
        for at in range(200):
            assert list(reader.feed(begin.encode() if not at else b"1" * 4096, float(at) / 100)) == []
        assert list(reader.feed(b"\x1bq", 3.0))[-1] == Token(TokenKind.META, "q")


pieces_of_input = st.one_of(
    st.binary(max_size=4),
    st.sampled_from([part.encode() for part in (*KEYS, *ANSWERS, PASTE, "\x1b", "\x1b[", "\x1bO", "\x1b]")]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(pieces_of_input, max_size=12), st.data())
def test_pieces_without_pauses_read_as_one(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(whole) - 1)), max_size=6)))
    spans = list(pairwise([0, *cuts, len(whole)]))
    assert read(*((whole[start:end], 0.0) for start, end in spans)) == read((whole, 0.0))
