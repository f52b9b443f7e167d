"""Names of keys: whatever people write for a key is the one that Textual tells."""

from __future__ import annotations

import string

import pytest
from textual.keys import _character_to_key

from pitree.keys.names import KeyNameError, is_typed, key_named, key_sign, spelled


def test_characters_are_those_of_textual() -> None:
    for character in string.digits + string.ascii_letters + string.punctuation + "äß":
        key = _character_to_key(character)
        assert key_named(character) == key
        assert is_typed(key)
        assert key_named(spelled(key)) == key
        assert key_sign(key) == character


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("ctrl+b", "ctrl+b"),
        ("^o", "ctrl+o"),
        (" Ctrl + B ", "ctrl+b"),
        ("shift+ctrl+o", "ctrl+shift+o"),
        ("ctrl+O", "ctrl+o"),
        ("shift+l", "L"),
        ("alt+C", "alt+shift+c"),
        ("pageUp", "pageup"),
        ("esc", "escape"),
        ("return", "enter"),
        ("f12", "f12"),
        ("question_mark", "question_mark"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("ctrl+-", "ctrl+minus"),
        ("space", "space"),
        ("ctrl+backspace", "ctrl+backspace"),
        ("super+k", "super+k"),
    ],
)
def test_ways_to_write_a_key(written: str, key: str) -> None:
    assert key_named(written) == key


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("hyper+x", "hyper must be one of alt, ctrl, shift, super"),
        ("ctrl+", "a key needs a name"),
        ("pgup!", "no key pgup!"),
        ("ctrl+i", "terminals send it as tab"),
        ("f25", "no key f25"),
        ("\x1b", "no key"),
    ],
)
def test_what_is_no_key(written: str, why: str) -> None:
    with pytest.raises(KeyNameError, match=why.replace("+", r"\+")):
        key_named(written)
