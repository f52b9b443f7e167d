"""Runs an installed `pitree --demo` in a terminal: python -m tests.support.try_demo PITREE FOLDER"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.support.pty_app import PtyApp

SLOW = 60.0


def main(program: Path, cwd: Path) -> int:
    """Start it in a folder, wait for sessions and a tree, quit; print the screen; give its exit status."""
    with PtyApp([program, "--demo"], columns=120, rows=40, cwd=cwd) as app:
        app.wait_for("Sessions", SLOW)
        app.wait_for(re.compile(r"• (user|assistant): "), SLOW)
        app.settle()
        print(app.picture())
        app.send("q")
        return app.wait_exit(SLOW)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
