"""Pi and pitree list the same sessions of a folder, with the same facts about each."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pitree.catalog.info.session_info import SessionInfo
from pitree.commands.inspect.list import as_json
from pitree.session.manager.manager import SessionManager
from tests.interop import hostile
from tests.interop.conftest import Compared
from tests.interop.differ import differences
from tests.interop.real_pi import RealPi

FLAT_CWDS = ["/home/dev/project", "/home/dev/other/", "/srv/with space/é", "/nowhere"]

RECOVERED = {"byte-order-mark", "header-late", "header-after-title", "header-after-number", "header-form"}
"""Hostile files whose header Pi does not take: neither listed nor opened by it, both by pitree."""

STUMBLED = {
    "blocks-odd",
    "content-null",
    "content-number",
    "content-object",
    "message-missing",
    "message-null",
    "name-number",
}
"""Hostile files of which one message or name keeps Pi from listing the whole session; it can open them."""

REFUSED = {"header-without-id", "header-id-number"}
"""Hostile files that Pi lists although it will refuse to open them; pitree lists what can be opened."""


def ours(infos: Sequence[SessionInfo]) -> list[dict[str, Any]]:
    """Our list in the shape of Pi's answer."""
    listed = []
    for info in infos:
        fields = as_json(info)
        path, parent = fields.pop("path"), fields.pop("parentSession")
        listed.append(fields | {"file": Path(path).name, "parent": parent})
    return listed


def listing_differences(theirs: list[dict[str, Any]], mine: list[dict[str, Any]]) -> Iterator[str]:
    """Which sessions, in which order, with which facts."""
    for session in theirs:
        session.pop("allMessagesText")
        session.setdefault("name", None)
    both = [{session["file"]: session for session in listing} for listing in (theirs, mine)]
    yield from differences(*both, "listed")
    yield from differences(
        *([session["modified"] for session in listing] for listing in (theirs, mine)), "order"
    )


@pytest.fixture(scope="module")
def flat(corpus: Compared, generated: Compared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A flat session folder with all files of the comparison, and strangers."""
    folder = tmp_path_factory.mktemp("flat")
    for question in (*corpus.questions, *generated.questions):
        shutil.copy2(question.path, folder)
    (folder / "README.jsonl").write_text('{"a": 1}\n')
    (folder / "empty.jsonl").touch()
    (folder / "folder.jsonl").mkdir()
    (folder / "notes.txt").write_text("no session\n")
    return folder


async def test_all(pi: RealPi, flat: Path, tmp_path: Path, generated: Compared) -> None:
    [theirs] = pi.listings(tmp_path, flat, None)
    assert len(theirs) >= len(generated.questions)
    found = await SessionManager.list_all(flat)
    generated.check("list_all", listing_differences(theirs, ours(found)))
    assert sorted(Path(stranger.path).name for stranger in found.strangers) == [
        "README.jsonl",
        "empty.jsonl",
        "folder.jsonl",
    ]


async def test_one_folder(pi: RealPi, flat: Path, tmp_path: Path, generated: Compared) -> None:
    """A flat folder holds sessions of many working directories, told apart by their headers."""
    for cwd, theirs in zip(FLAT_CWDS, pi.listings(tmp_path, flat, *FLAT_CWDS), strict=True):
        found = await SessionManager.list(cwd, flat)
        assert bool(found) is (cwd != "/nowhere")
        generated.check(f"list of {cwd}", listing_differences(theirs, ours(found)))


async def test_hostile(pi: RealPi, tmp_path: Path) -> None:
    """Of files that no Pi writes both list the same, save that one odd line loses pitree no session."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for name, data in hostile.files().items():
        (folder / f"{name}.jsonl").write_bytes(data)
    [listed] = pi.listings(tmp_path / "pi", folder, None)
    theirs = {Path(session["file"]).stem: session for session in listed}
    mine = {Path(session["file"]).stem: session for session in ours(await SessionManager.list_all(folder))}
    assert mine.keys() - theirs.keys() == RECOVERED | STUMBLED
    assert theirs.keys() - mine.keys() == REFUSED
    both = sorted(mine.keys() & theirs.keys())
    assert len(both) > 90
    found = listing_differences([theirs[name] for name in both], [mine[name] for name in both])
    assert not list(found)
