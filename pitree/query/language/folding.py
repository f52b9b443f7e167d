"""Folds the texts of many entries in one go: as `query.fold` does one by one, several times as fast."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import accumulate
from operator import add
from unicodedata import is_normalized

from pitree.query.language.text_forms import IOTA_BELOW, fold, joins, without_case

SEPARATOR = b"\n"
"""Stands behind each text. No folded text has it in it."""

_END = b"\0"
"""Stands behind each text before white space is made even; texts that have it are folded one by one."""

_ASCII = bytes(range(128))
_LOWER = bytes(range(256)).lower()
_PLAIN = bytes(
    0x20 if code in b"\t\n\v\f\r\x1c\x1d\x1e\x1f" else 0x0A if code == 0 else _LOWER[code]
    for code in range(256)
)
"""Byte → what ASCII becomes: small letters, white space a space, the end of a text its separator."""

_SPACES = re.compile(b"  +")
_MARK = "\ufeff"

_FEW = 16
"""Characters beyond ASCII up to which each is replaced in all texts at once."""


class _Forms(dict[str, str]):
    """Character beyond ASCII → what it becomes."""

    def __missing__(self, character: str) -> str:
        form = " " if character.isspace() or character == _MARK else without_case(character)
        self[character] = form
        return form


_forms = _Forms()


def fold_all(texts: Sequence[str]) -> tuple[bytes, array[int]]:
    """Texts as they are searched, in UTF-8 with a separator behind each; and where each starts.

    Args:
        texts: the texts.

    Returns:
        The bytes, and the start of each text in them; at the end, where one more would start.
    """
    folded = _at_once(texts)
    if folded is None:
        folded = "\n".join([*map(fold, texts), ""]).encode("utf-8", "surrogatepass")
    return folded, starts_in(folded)


def starts_in(folded: bytes) -> array[int]:
    """Where texts with a separator behind each start; at the end, where one more would."""
    pieces = folded.split(SEPARATOR)
    pieces.pop()
    ends = accumulate(map(len, pieces), initial=0)
    return array("I", map(add, ends, range(len(pieces) + 1)))


def _at_once(texts: Sequence[str]) -> bytes | None:
    """The texts, folded; None if there is something in them that has to be looked at more closely."""
    data = b"".join([text.strip().encode("utf-8", "surrogatepass") + _END for text in texts])
    if data.count(_END) != len(texts):
        return None
    beyond = set(data.translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    if IOTA_BELOW in beyond:
        return None
    changing = [character for character in beyond if _forms[character] != character]
    if len(changing) > _FEW:
        return None
    data = data.translate(_PLAIN)
    for character in changing:
        data = data.replace(
            character.encode("utf-8", "surrogatepass"), _forms[character].encode("utf-8", "surrogatepass")
        )
    data = _SPACES.sub(b" ", data)
    if any(map(joins, beyond)) and not is_normalized("NFC", data.decode("utf-8", "surrogatepass")):
        return None
    if _MARK in beyond:  # which `strip` takes for no white space
        data = data.replace(b" \n", SEPARATOR).replace(b"\n ", SEPARATOR).removeprefix(b" ")
    return data
