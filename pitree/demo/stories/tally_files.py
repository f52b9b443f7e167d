"""Files of the made-up ledger program that its sessions read and change."""

PEOPLE = '''\
"""People in the books: names and how they sort."""

import locale


def full_name(first: str, last: str) -> str:
    return f"{first} {last}".strip()


def sort_names(names: list[str]) -> list[str]:
    return sorted(names, key=locale.strxfrm)
'''

PEOPLE_TEST = """\
from tally.people import full_name, sort_names

EXPECTED = ["Ågot", "Émile", "Zoë", "مريم", "山田太郎", "👩‍👩‍👧 family"]


def test_full_name():
    assert full_name("Ada", "Bell") == "Ada Bell"


def test_one_name():
    assert full_name("Ada", "") == "Ada"


def test_names_sorted():
    names = ["山田太郎", "Zoë", "مريم", "Ågot", "👩‍👩‍👧 family", "Émile"]
    assert sort_names(names) == EXPECTED
"""

PARSER = '''\
"""Reads a ledger: one posting a line, indented lines belong to the posting above."""

import re
from decimal import Decimal

LINE = re.compile(r"^(\\d{4}-\\d{2}-\\d{2})\\s+(.*?)\\s{2,}(-?[\\d.,]+)\\s*([A-Z]{3})?$")


def parse(text):
    out = []
    cur = None
    for i, l in enumerate(text.split("\\n")):
        if not l.strip() or l.startswith(";"):
            continue
        if l[0] == " ":
            if cur is None:
                print("line", i, "has no posting")
                continue
            cur["notes"].append(l.strip())
            continue
        m = LINE.match(l)
        if not m:
            print("cannot read line", i, l)
            continue
        cur = {
            "date": m.group(1),
            "text": m.group(2),
            "amount": Decimal(m.group(3).replace(",", "")),
            "currency": m.group(4) or "EUR",
            "notes": [],
        }
        out.append(cur)
    return out
'''

POSTING = '''\
"""What a ledger consists of."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal


@dataclass(slots=True)
class Posting:
    """One line of the ledger with the notes below it."""

    day: date
    text: str
    amount: Decimal
    currency: str = "EUR"
    notes: list[str] = field(default_factory=list)
    line: int = 0
'''

PARSER_2 = '''\
"""Reads a ledger: one posting a line, indented lines belong to the posting above."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from tally.errors import BadLine
from tally.posting import Posting

LINE = re.compile(r"^(\\d{4}-\\d{2}-\\d{2})\\s+(.*?)\\s{2,}(-?[\\d.,]+)\\s*([A-Z]{3})?$")


def parse(lines: Iterable[str]) -> Iterator[Posting]:
    """Give each posting once its notes are complete. Raises BadLine with the line's number."""
    posting: Posting | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith(";"):
            continue
        if line[0] == " ":
            if posting is None:
                raise BadLine(number, "a note without a posting")
            posting.notes.append(line.strip())
            continue
        if posting is not None:
            yield posting
        posting = _posting(number, line)
    if posting is not None:
        yield posting


def _posting(number: int, line: str) -> Posting:
    found = LINE.match(line.rstrip())
    if found is None:
        raise BadLine(number, "expected: date, text, two spaces, amount")
    day, text, amount, currency = found.groups()
    return Posting(date.fromisoformat(day), text, Decimal(amount.replace(",", "")), currency or "EUR", line=number)
'''
