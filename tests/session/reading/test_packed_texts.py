"""Row texts: a column that packs what it is given, and looks like a list of texts."""

from __future__ import annotations

import random
from array import array
from itertools import accumulate

import pytest

from pitree.session.reading import packed_texts
from pitree.session.reading.packed_texts import RowTexts


@pytest.mark.parametrize("seed", range(5))
def test_it_reads_as_a_list_however_it_was_filled(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_texts, "_PACKED_AT", 7)
    chance = random.Random(seed)
    texts, column, other = [], RowTexts(), RowTexts()
    for _ in range(60):
        new = [chance.randbytes(chance.randrange(5)) for _ in range(chance.randrange(6))]
        if chance.random() < 0.5:
            for text in new:
                column.append(text)
        else:
            column.extend_packed(b"".join(new), array("I", accumulate(map(len, new))))
            if new:
                column.replace(len(texts), b"in place")
                new[0] = b"in place"
        texts += new
        for text in new:
            other.append(text)
        assert len(column) == len(texts)
    assert list(column) == texts
    assert [column[place - len(texts)] for place in range(len(texts))] == texts
    assert column[3:9] == texts[3:9]
    assert column == other
    for place in (len(texts), -len(texts) - 1):
        with pytest.raises(IndexError):
            column[place]
    other.append(b"more")
    assert column != other
    column.append(b"less")
    assert column != other
