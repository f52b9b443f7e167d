"""`pitree extension`: tells, installs, renews, removes, and leaves alone what is not its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pitree import __version__
from pitree.cli import main
from pitree.extension.placing import FILE, this_pitree


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the extension goes, in an agent folder that is not there yet."""
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    return tmp_path / "agent/extensions/pitree.ts"


def run(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["extension", *words]) == status
    said = capsys.readouterr()
    return said.err if status else said.out


def test_it_is_put_there_renewed_and_taken_out(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys).splitlines()
    assert told[0] == str(FILE)
    assert f"pi -e {FILE}" in told[1]
    assert "is not installed" in told[3]
    assert run(capsys, "--install").startswith(f"installed: {place}\n")
    installed, shipped = place.read_text(), FILE.read_text()
    (named,) = set(installed.splitlines()) - set(shipped.splitlines())
    assert f'"{this_pitree()[0]}"' in named
    assert len(installed.splitlines()) == len(shipped.splitlines())
    assert "up to date" in run(capsys)
    place.write_text(installed.replace("/pitree, or", "/pitree, and"))
    assert "outdated" in run(capsys)
    assert run(capsys, "--install").startswith(f"updated: {place}\n")
    assert place.read_text() == installed
    assert run(capsys, "--remove") == f"removed: {place}\n"
    assert list(place.parent.iterdir()) == []
    assert run(capsys, "--remove").startswith("nothing to remove")


def test_a_file_that_is_not_ours_stays(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place.parent.mkdir(parents=True)
    place.write_text("export default () => {};\n")
    for word in ("--install", "--remove"):
        assert "not pitree's" in run(capsys, word, status=1)
    assert "not pitree's" in run(capsys)
    assert place.read_text() == "export default () => {};\n"


def test_the_extension_is_of_this_version_and_asks_for_no_newer_one() -> None:
    text = FILE.read_text()
    assert f"pitree inside Pi, version {__version__}\n" in text
    assert f'const VERSION = "{__version__}";' in text
    needed = re.search(r'const NEEDED = "([\d.]+)"', text)
    assert needed
    numbers = [tuple(map(int, version.split("."))) for version in (needed[1], __version__)]
    assert numbers[0] <= numbers[1]
    imported = set(re.findall(r'from "([^"]+)"', text))
    assert {name for name in imported if not name.startswith("node:")} == {"@earendil-works/pi-coding-agent"}


def test_the_command_it_names_runs_from_anywhere(tmp_path: Path) -> None:
    (tmp_path / "pitree").mkdir()
    said = subprocess.run([*this_pitree(), "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert said.stdout == f"pitree {__version__}\n"
    assert Path(this_pitree()[0]).is_relative_to(Path(sys.prefix))
