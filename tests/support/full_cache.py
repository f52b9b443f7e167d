"""Lists sessions while the disk of the cache is full, or read only: python -m tests.support.full_cache FOLDER

FOLDER is the root of a small file system of its own. Prints a line if every list was right, and the cache
works once there is room again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from pitree.pi.places import Places, find_places, session_file
from tests.catalog.info.test_info_cache import listed, rows, settle, shown
from tests.support.full_disk import fill
from tests.support.stores import Store


def check(store: Store, places: Places, file: Path) -> None:
    """Make sure that lists are right though nothing can be written, with no cache and with an old one."""
    assert shown(listed(places, file)) == shown(listed(places, None))
    store.add("/w/0", "one more, of which there is no room to write " * 50)
    assert shown(listed(places, file)) == shown(listed(places, None))


def main() -> None:
    folder = Path(sys.argv[1])
    file = folder / "cache" / "sessions.sqlite3"
    with tempfile.TemporaryDirectory() as elsewhere:
        store = Store(Path(elsewhere))
        places = find_places("/w/0", None, {"PI_CODING_AGENT_DIR": str(store.agent)})
        for number in range(10):
            store.add(f"/w/{number % 3}", "question", "answer")
        settle()
        fill(folder)
        check(store, places, file)
        (folder / "filler").unlink()
        listed(places, file)
        assert len(rows(file)) == 11
        fill(folder)
        check(store, places, file)
        (folder / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        check(store, places, file)
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        listed(places, file)
        assert len(rows(file)) == 13
        assert session_file(str(file)).size > 0
    print("all listed")


if __name__ == "__main__":
    main()
