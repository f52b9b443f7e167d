"""The first start of somebody without sessions: what is looked for, where, and the demo by a key."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.pty_app import PtyApp


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_an_empty_store_offers_the_demo_and_stays_empty(tmp_path: Path) -> None:
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    env = {"HOME": str(home), "TMPDIR": str(temporary), "PITREE_STATE_DIR": str(tmp_path / "state")}
    env |= {"PITREE_CACHE_DIR": str(tmp_path / "cache"), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "pitree"]
    with PtyApp(command, env=env, cwd=home, columns=100, rows=30) as app:
        app.wait_for("No sessions of ~", 60)
        app.send("a")
        app.wait_for("pitree looks where Pi keeps them", 60)
        app.wait_for("~/.pi/agent/sessions", 60)
        app.send("d")
        app.wait_for("Fix the login", 60)
        app.send("enter")
        app.wait_for("user: ", 60)
        app.send("q")
        assert app.wait_exit(60) == 0, app.picture()
    assert list(temporary.iterdir()) == []
    assert not (home / ".pi").exists()
