"""Writes the demo's session files: `python -m pitree.demo.build [FOLDER]`.

The files are kept in the package, so this runs only when a story was changed. Running it twice gives the same
bytes; a test holds the kept files against it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pitree.demo.places import SESSIONS, folder_name
from pitree.demo.stories.deploy import begun, deploy
from pitree.demo.stories.flaky import flaky
from pitree.demo.stories.forks import strict, strict_redirect
from pitree.demo.stories.login import login
from pitree.demo.stories.old import blog, changelog
from pitree.demo.stories.parser import parser
from pitree.demo.story import Story


def stories() -> list[Story]:
    """Every session of the demo."""
    main = login()
    fork = strict(main)
    return [main, fork, strict_redirect(fork), deploy(), begun(), flaky(), parser(), changelog(), blog()]


def build(target: Path) -> list[Path]:
    """Write all sessions below `target`, one folder a project as in Pi's `sessions/`; gives the files."""
    files = []
    for story in stories():
        file = target / folder_name(story.cwd) / story.file_name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(story.to_bytes())
        files.append(file)
    return files


if __name__ == "__main__":
    for written in build(Path(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS):
        print(written, written.stat().st_size)
