"""Sets labels in a loop, as a process of its own: python -m tests.support.labeller FILE COUNT NAME

Labels go to the entries of the file by turns; each label is NAME and a number. Says "ready" once it has read
the file, waits for a line, and prints the id of each entry written, one a line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from pitree.session.manager.manager import SessionManager


def set_labels(session: SessionManager, count: int, name: str) -> Iterable[str]:
    """Set labels one after another; the ids of the entries written."""
    targets = list(session.table.ids)
    for number in range(count):
        yield session.append_label_change(targets[number % len(targets)], f"{name} {number}")


def main() -> None:
    path, count, name = sys.argv[1:]
    session = SessionManager.open(Path(path))
    print("ready", flush=True)
    sys.stdin.readline()
    for entry_id in set_labels(session, int(count), name):
        print(entry_id, flush=True)


if __name__ == "__main__":
    main()
