"""The pictures of blocks: the demo holds what they show, with every form of an entry; they are drawn."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pitree.demo import copy_store
from pitree.entry.parts import Part, PartKind, Syntax, parts_of
from pitree.entry.parts.registry import BLOCKS, ENTRIES, ROLES
from pitree.entry.parts.tools import TOOLS
from pitree.session.manager.manager import SessionManager
from tests.test_demo import NOW

IN_MEMORY = {"branchSummary", "compactionSummary"}
"""Roles that Pi gives to messages it makes in memory, and writes to no file."""
ELSEWHERE = {"powershell"}
"""The tool that takes the place of bash on Windows, in the same form."""


def _blocks() -> ModuleType:
    """The script, which is no package."""
    name = "screenshots_blocks"
    spec = spec_from_file_location(name, Path(__file__).parents[3] / "screenshots" / "blocks.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = _blocks()


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_store(tmp_path_factory.mktemp("demo"), NOW)


def walk(parts: list[Part]) -> list[Part]:
    found, waiting = [], list(parts)
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].children
    return found


def test_every_form_of_an_entry_is_in_a_picture(agent: Path) -> None:
    types, roles, blocks, tools, kinds, syntaxes = (set[str]() for _ in range(6))
    for block in script.BLOCKS:
        session = SessionManager.open(script.path_of(block, agent))
        index = script.index_of(block.shows, session)
        record = session.entry(index).record
        types.add(record["type"])
        message: dict[str, Any] = record.get("message", {})
        roles.add(message.get("role", ""))
        content = message.get("content")
        for one in content if isinstance(content, list) else ():
            blocks.add(one["type"])
        parts = walk(parts_of(session, index, now_ms=NOW.timestamp() * 1_000))
        tools |= {part.title for part in parts if part.kind is PartKind.CALL}
        kinds |= {part.kind for part in parts}
        syntaxes |= {part.body.syntax for part in parts if part.body is not None}
        syntaxes |= {Syntax.PICTURE for part in parts if part.picture is not None}
        session.close()
    assert types == set(ENTRIES)
    assert roles - {""} == set(ROLES) - IN_MEMORY
    assert blocks == set(BLOCKS)
    assert tools >= set(TOOLS) - ELSEWHERE
    assert kinds == set(PartKind) - {PartKind.RAW}, "records are drawn on a key"
    assert syntaxes == set(Syntax)


async def test_pictures_are_drawn(agent: Path) -> None:
    wanted = ("tool-unknown-nested", "image", "raw", "money")
    some = [block for block in script.BLOCKS if block.name in wanted]
    drawn = {}
    async for block, app in script.pictures(agent, "pitree-dark", (80, 48), some):
        drawn[block.name] = app.export_screenshot()
    assert set(drawn) == set(wanted)
    assert "calls&#160;within&#160;it" in drawn["tool-unknown-nested"]
    assert "image/png" in drawn["image"]
    assert "parentId" in drawn["raw"]
    assert "Cost&#160;and&#160;tokens" in drawn["money"]
