"""A program ended from outside leaves the terminal, and the temporary folder, as it found them."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.support.pty_app import PtyApp


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("wanted", ["↑↓ move", "Fix the login"], ids=["half made", "whole"])
def test_a_signal_ends_it_cleanly(tmp_path: Path, wanted: str) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    env = {"HOME": str(tmp_path), "TMPDIR": str(temporary), "PITREE_STATE_DIR": str(tmp_path / "state")}
    env |= {"PITREE_CACHE_DIR": str(tmp_path / "cache"), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "pitree", "--demo"]
    with PtyApp(command, env=env, columns=100, rows=30) as app:
        app.wait_for(wanted, 60)
        assert app.full_screen
        os.kill(app.pid, signal.SIGTERM)
        assert app.wait_exit(60) == 128 + signal.SIGTERM, app.picture()
        assert app.cursor_visible  # and reads what came last
        assert not app.full_screen
    assert list(temporary.iterdir()) == []
