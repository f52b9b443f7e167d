"""Sets labels in a loop, as a process of its own: python -m tests.support.labeller FILE COUNT NAME

Labels go to the entries of the file by turns; each label is NAME and a number. Prints the id of each entry
written, one a line, once it is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from pitree.session.manager import SessionManager


def set_labels(path: Path, count: int, name: str) -> Iterator[str]:
    """Set labels one after another; the ids of the entries written."""
    session = SessionManager.open(path)
    targets = list(session.table.ids)
    for number in range(count):
        yield session.append_label_change(targets[number % len(targets)], f"{name} {number}")


def main() -> None:
    path, count, name = sys.argv[1:]
    for entry_id in set_labels(Path(path), int(count), name):
        print(entry_id, flush=True)


if __name__ == "__main__":
    main()
