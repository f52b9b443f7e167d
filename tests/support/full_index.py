"""Searches while the disk of the index is full, or read only: python -m tests.support.full_index FOLDER

FOLDER is the root of a small file system of its own. Prints a line if every answer was right, and the index
is made once there is room again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from pitree.pi.places import Places
from pitree.query.index import index_update
from pitree.query.index.index import Index
from pitree.query.index.index_update import IndexNotWritten, index_lock, update
from pitree.query.index.scope import all_files
from pitree.query.index.shard import shard_names
from tests.support.full_disk import fill
from tests.support.search_store import hits_of, write_store

QUERIES = ("parse", "role:user foo", '"a/b/c.py"')


def made(folder: Path, places: Places) -> str:
    """Try to make the index; what is wrong, empty if nothing is."""
    index = Index(folder)
    try:
        with index_lock(folder) as ours:
            assert ours
            update(index, all_files(places))
    except IndexNotWritten as problem:
        return str(problem)
    finally:
        index.close()
    return ""


def check(folder: Path, places: Places) -> None:
    """Make sure that answers are right."""
    index = Index(folder)
    index.refresh()
    for query in QUERIES:
        assert hits_of(query, places, index) == hits_of(query, places, None)
    index.close()


def main() -> None:
    folder = Path(sys.argv[1])
    cache = folder / "cache"
    index_update.ROOM_LEFT = 0
    with tempfile.TemporaryDirectory() as elsewhere:
        places = write_store(Path(elsewhere), 5, sessions=8, entries=30)
        fill(folder)
        assert "written" in made(cache, places)
        check(cache, places)
        (folder / "filler").unlink()
        assert made(cache, places) == ""
        assert len(shard_names(cache)) == 1
        write_store(Path(elsewhere), 6, sessions=12, entries=30)
        fill(folder)
        assert "written" in made(cache, places)
        names = [path.name for path in cache.iterdir()]
        assert not [name for name in names if name.endswith(".unfinished")]
        check(cache, places)
        (folder / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        assert "written" in made(cache, places)
        check(cache, places)
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        assert made(cache, places) == ""
        check(cache, places)
    print("all found")


if __name__ == "__main__":
    main()
