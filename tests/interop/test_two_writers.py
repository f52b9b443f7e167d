"""Pi and pitree write to one session at the same time; and Pi reads what a killed pitree left."""

from __future__ import annotations

import json
import random
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from pitree.session.manager.manager import SessionManager
from tests.interop.conftest import DATA
from tests.interop.real_pi import HERE, HOME, RealPi
from tests.interop.test_writes import as_pi_opens, check
from tests.support.killed import write_until_killed
from tests.support.together import labeller, run_together


@pytest.mark.parametrize(("entries", "labels"), [(2000, 500)])
def test_pi_appends_while_pitree_sets_labels(pi: RealPi, tmp_path: Path, entries: int, labels: int) -> None:
    path = tmp_path / "s.jsonl"
    shutil.copy(DATA / "v3-generated-9001.jsonl", path)
    before = path.read_bytes()
    theirs, own = run_together(
        [pi.node, HERE / "append.mjs", path, str(entries), "7"],
        labeller(path, labels, "mark"),
        environ={"PI_PACKAGE": str(pi.package), "HOME": HOME},
    )
    data = path.read_bytes()
    assert data.startswith(before)
    assert data.endswith(b"\n")
    records = [json.loads(line) for line in data[len(before) :].splitlines()]
    by_pi, by_pitree = json.loads(theirs), own.split()
    assert (len(by_pi), len(by_pitree)) == (entries, labels)
    assert [record["id"] for record in records if record["type"] == "message"] == by_pi
    assert [record["id"] for record in records if record["type"] == "label"] == by_pitree
    assert len(records) == len({record["id"] for record in records}) == entries + labels
    assert [record["label"] for record in records if record["type"] == "label"] == [
        f"mark {n}" for n in range(labels)
    ]
    kinds = [record["type"] for record in records]
    assert sum(one != other for one, other in pairwise(kinds)) > 30, "they should have written by turns"
    session = SessionManager.open(path)
    assert not session.table.unresolved
    assert not {notice.kind for notice in session.notices} & {"bad-json", "repeated-id"}
    targets = SessionManager.open(DATA / path.with_name("v3-generated-9001.jsonl").name).table.ids
    last = {targets[n % len(targets)]: f"mark {n}" for n in range(labels)}
    assert {target: session.get_label(target) for target in last} == last
    check(as_pi_opens(pi, tmp_path / "asked", [session]), "")


def test_pi_reads_what_a_killed_pitree_left(pi: RealPi, tmp_path: Path) -> None:
    chance = random.Random(20_260_302)
    sessions, damaged = [], 0
    for file in range(20):
        path = tmp_path / f"{file}.jsonl"
        shutil.copy(DATA / "v3-generated-9002.jsonl", path)
        for _ in range(10):
            left = write_until_killed(path, chance)
            damaged += len(left.damaged)
        sessions.append(SessionManager.open(path))
        sessions[-1].append_session_info(f"after ten kills: {file}")
    check(as_pi_opens(pi, tmp_path / "asked", sessions), "")
    assert [session.get_session_name() for session in sessions] == [
        f"after ten kills: {n}" for n in range(20)
    ]
    print(f"{damaged} damaged lines in 200 kills")
