"""What pitree writes is, but for ids and times, what Pi writes, and Pi reads it as meant; and the reverse."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.entry_type import Flag
from pitree.session.format.errors import SessionError
from pitree.session.manager.manager import SessionManager
from tests.interop import hostile, ours
from tests.interop.deeds import ALONE, DEEDS, Step, do, masked, pi_does, refusal, steps
from tests.interop.differ import differences, short
from tests.interop.real_pi import Question, RealPi

SEQUENCE = 50
PROPERTIES = ["id", "cwd", "name", "parent", "entries", "leaf", "tree", "labels", "branch", "contextEntries"]
PROPERTIES += ["projection", "context", "stats"]


@dataclass
class Sources:
    """Sessions that Pi wrote just now, and the seed that writes them again."""

    seed: int
    files: list[Path]

    def copies(self, folder: Path) -> list[Path]:
        """A copy of each, in a folder."""
        folder.mkdir(parents=True)
        return [Path(shutil.copy(path, folder)) for path in self.files]

    @property
    def note(self) -> str:
        return f"PITREE_SEED={self.seed} PITREE_SESSIONS={len(self.files)} writes these files again"


@pytest.fixture(scope="session")
def sources(pi: RealPi, tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """Sessions to write to: PITREE_SESSIONS of them (200), from seed PITREE_SEED on (any)."""
    seed = int(os.environ.get("PITREE_SEED") or random.SystemRandom().randrange(1, 1_000_000))
    count = int(os.environ.get("PITREE_SESSIONS") or 200)
    folder = tmp_path_factory.mktemp("sources") / "sessions"
    files = pi.generate(folder, seed, count, 25)
    return Sources(seed, [path for path in files if not path.stem.endswith("-fork")])


def check(found: Iterator[str], note: str) -> None:
    listed = list(found)
    shown = "\n".join(listed[:12])
    assert not listed, f"{len(listed)} differences from Pi. {note}\n{shown}"


def line_differences(theirs: list[bytes], own: list[bytes], where: str) -> Iterator[str]:
    for place, (one, other) in enumerate(zip(theirs, own, strict=False)):
        if one != other:
            yield f"{where} line {place}:\n  Pi     {short(one, 900)}\n  pitree {short(other, 900)}"
            return
    if len(theirs) != len(own):
        yield f"{where}: Pi wrote {len(theirs)} lines, pitree {len(own)}"


def as_pi_opens(pi: RealPi, scratch: Path, sessions: list[SessionManager]) -> Iterator[str]:
    """Where Pi, opening the files of sessions, sees something else than these sessions in memory."""
    questions = [Question(session.path, rows=False) for session in sessions if session.path is not None]
    for session, answer in zip(sessions, pi.ask(scratch, questions), strict=True):
        for name in PROPERTIES:
            got = ours.SESSION_PROPERTIES[name](session)
            yield from differences(answer[name], got, f"{session.path} {name}")


@dataclass
class Written:
    """The same steps taken by Pi and by pitree on copies of the same files.

    Attributes:
        sources: the files.
        steps: what was done to each.
        theirs: Pi's copies, opened by pitree before Pi wrote to them.
        answers: Pi's answers.
        ours: pitree's copies, as they were after the last step.
        results: what pitree's steps gave.
    """

    sources: Sources
    steps: list[list[Step]]
    theirs: list[SessionManager]
    answers: list[dict[str, Any]]
    ours: list[SessionManager]
    results: list[list[Any]]

    def byte_differences(self) -> Iterator[str]:
        for source, one, other in zip(self.sources.files, self.theirs, self.ours, strict=True):
            assert one.path is not None
            assert other.path is not None
            before, theirs, own = source.read_bytes(), one.path.read_bytes(), other.path.read_bytes()
            assert theirs.startswith(before)
            assert own.startswith(before)
            yield from line_differences(
                masked(theirs[len(before) :]), masked(own[len(before) :]), source.name
            )

    def other_refusals(self) -> Iterator[str]:
        for session, answer, taken, results in zip(
            self.ours, self.answers, self.steps, self.results, strict=True
        ):
            if answer["leaf"] != session.leaf_index:
                yield f"{session.path}: Pi's leaf {answer['leaf']}, pitree's {session.leaf_index}"
            for step, one, other in zip(taken, answer["results"], results, strict=True):
                if refusal(one) != refusal(other):
                    yield f"{session.path} {short(step)}: Pi {one}, pitree {other}"


def write_both(pi: RealPi, sources: Sources, scratch: Path, made: list[list[Step]]) -> Written:
    """Let both take steps on each of the sources."""
    theirs, own = sources.copies(scratch / "theirs"), sources.copies(scratch / "ours")
    opened = [SessionManager.open(path) for path in theirs]
    jobs = [{"open": path, "steps": taken} for path, taken in zip(theirs, made, strict=True)]
    answers = pi_does(pi, scratch, jobs)
    sessions = [SessionManager.open(path) for path in own]
    results = [[do(session, step) for step in taken] for session, taken in zip(sessions, made, strict=True)]
    return Written(sources, made, opened, answers, sessions, results)


@pytest.fixture(scope="module")
def written(pi: RealPi, sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Fifty steps by chance on each of the sources."""
    made = [steps(random.Random(sources.seed + place), SEQUENCE) for place in range(len(sources.files))]
    return write_both(pi, sources, tmp_path_factory.mktemp("written"), made)


def test_sequences_leave_the_same_bytes(written: Written) -> None:
    check(written.byte_differences(), written.sources.note)


def test_sequences_end_at_the_same_leaf_and_refuse_the_same(written: Written) -> None:
    check(written.other_refusals(), written.sources.note)
    refused = [refusal(result) for results in written.results for result in results]
    assert sum(words is not None for words in refused) > len(written.ours), "some steps should be refused"


def test_what_pitree_wrote_is_to_pi_what_it_is_to_pitree(
    pi: RealPi, written: Written, tmp_path: Path
) -> None:
    check(as_pi_opens(pi, tmp_path, written.ours), written.sources.note)


def test_what_pi_writes_meanwhile_is_seen_as_pi_sees_it(pi: RealPi, written: Written, tmp_path: Path) -> None:
    for session in written.theirs:
        session.catch_up()
    check(as_pi_opens(pi, tmp_path, written.theirs), written.sources.note)


def test_leaf_moves_among_other_writes_last(pi: RealPi, sources: Sources, tmp_path: Path) -> None:
    sessions = []
    for place, path in enumerate(sources.copies(tmp_path / "ours")):
        chance = random.Random(place)
        session = SessionManager.open(path)
        for step in steps(chance, SEQUENCE, ALONE):
            do(session, step)
            if chance.random() < 0.1:
                session = SessionManager.open(path)
        do(session, ["moveLeaf", *ALONE["moveLeaf"](chance)])
        sessions.append(session)
    check(as_pi_opens(pi, tmp_path, sessions), sources.note)


@pytest.fixture(scope="module")
def alone(pi: RealPi, sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Written]:
    """Each operation alone on a few sessions."""
    scratch = tmp_path_factory.mktemp("alone")
    few = Sources(sources.seed, sources.files[:8])
    taken = {
        name: [[[name, *make(random.Random(place))]] for place in range(8)] for name, make in ALONE.items()
    }
    return {name: write_both(pi, few, scratch / name, made) for name, made in taken.items()}


@pytest.mark.parametrize("name", DEEDS)
def test_each_operation_alone(alone: dict[str, Written], name: str) -> None:
    written = alone[name]
    check(written.byte_differences(), written.sources.note)
    check(written.other_refusals(), written.sources.note)


def test_each_operation_alone_is_to_pi_what_it_is_to_pitree(
    pi: RealPi, alone: dict[str, Written], sources: Sources, tmp_path: Path
) -> None:
    sessions = [session for written in alone.values() for session in written.ours]
    # A leaf that was moved in memory only is gone when a file is opened again.
    check(
        as_pi_opens(pi, tmp_path, [SessionManager.open(session.path or "") for session in sessions]),
        sources.note,
    )


# Forks


def forked(path: Path, folder: Path, place: int) -> SessionManager:
    session = SessionManager.open(path, folder)
    session.create_branched_session(session.table.ids[place])
    return session


def fork_records(path: str | Path) -> list[Any]:
    """Records of a fork as `ordered` has them; new ids, and the time in the header, are replaced."""
    header, *entries = (json.loads(line) for line in Path(path).read_bytes().splitlines())
    assert (
        header["timestamp"].replace(":", "-").replace(".", "-") + f"_{header['id']}.jsonl" == Path(path).name
    )
    new = {
        entry["id"]: f"label {place}" for place, entry in enumerate(entries) if entry.get("type") == "label"
    }
    for entry in entries:
        for name in ("id", "parentId"):
            if entry.get(name) in new:
                entry[name] = new[entry[name]]
    return [ordered(record) for record in (header | {"id": "new", "timestamp": "new"}, *entries)]


def ordered(value: Any) -> Any:
    """A JSON value in which the order of keys counts."""
    if isinstance(value, dict):
        return [[key, ordered(inner)] for key, inner in value.items()]
    return [ordered(inner) for inner in value] if isinstance(value, list) else value


def test_forks_are_pis(pi: RealPi, sources: Sources, tmp_path: Path) -> None:
    chance = random.Random(sources.seed)
    wanted = []
    for path in sources.files:
        count = SessionManager.open(path).get_entry_count()
        wanted += [(path, place) for place in {count - 1, chance.randrange(count)}]
    end: Step = ["appendMessage", {"role": "assistant", "content": []}]
    jobs = [
        {
            "open": path,
            "folder": tmp_path / "theirs" / str(number),
            "steps": [["createBranchedSession", {"entry": place}], end],
        }
        for number, (path, place) in enumerate(wanted)
    ]
    before = [path.read_bytes() for path in sources.files]
    answers = pi_does(pi, tmp_path, jobs)

    def found() -> Iterator[str]:
        for number, ((path, place), answer) in enumerate(zip(wanted, answers, strict=True)):
            session = forked(path, tmp_path / "ours" / str(number), place)
            do(session, end)
            assert session.path is not None
            theirs, own = fork_records(answer["file"]), fork_records(session.path)
            # The message added to both has an id and a time of its own; what it hangs on counts.
            theirs[-1:], own[-1:] = theirs[-1][2:3], own[-1][2:3]
            yield from differences(theirs, own, f"{path.name} at {place}")

    check(found(), sources.note)
    assert [path.read_bytes() for path in sources.files] == before


def test_copies_are_pis(pi: RealPi, sources: Sources, tmp_path: Path) -> None:
    jobs = [
        {"fork": path, "cwd": "/some/../where", "folder": tmp_path / "theirs"} for path in sources.files[:40]
    ]
    for job, answer in zip(jobs, pi_does(pi, tmp_path, jobs), strict=True):
        fork = SessionManager.fork_from(str(job["fork"]), "/some/../where", tmp_path / "ours")
        assert fork.path is not None
        check(
            differences(fork_records(answer["file"]), fork_records(fork.path), str(job["fork"])),
            sources.note,
        )


NOT_ALIKE = {
    "id-empty": "Pi walks no further than an empty id, though its tree does",
    "label-number": "Pi copies a label that is no text; here it is none",
    "big-numbers": "Pi rounds what a double cannot hold; here it stays as it is",
}


def python_reads(data: bytes) -> bool:
    """Whether Python's own reader of JSON, by which forks are compared here, goes as deep as a file does."""
    depth = deepest = 0
    for byte in data:
        depth = depth + 1 if byte in b"[{" else depth - 1 if byte in b"]}" else depth
        deepest = max(deepest, depth)
    return deepest < 450


def can_be_compared(session: SessionManager) -> bool:
    """Whether Pi reads the same entries in a damaged file, and finds an end to each chain."""
    flags = Flag(0)
    for own in session.table.flags:
        flags |= Flag(own)
    odd = Flag.BROKEN_CHAIN | Flag.MISSING_ID | Flag.RECOVERED
    refused = {"late-header", "header-form", "bad-json", "bom"} & {notice.kind for notice in session.notices}
    return bool(len(session.table)) and session.version == 3 and not flags & odd and not refused


def test_forks_of_odd_sessions_are_pis(pi: RealPi, tmp_path: Path) -> None:
    end: Step = ["appendMessage", {"role": "assistant", "content": []}]
    jobs: list[dict[str, Any]] = []
    for name, data in hostile.files().items():
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(data)
        try:
            session = SessionManager.open(path)
        except SessionError:
            continue
        if name not in NOT_ALIKE and python_reads(data) and can_be_compared(session):
            fork = ["createBranchedSession", {"entry": session.get_entry_count() - 1}]
            jobs.append({"open": path, "folder": tmp_path / "theirs" / name, "steps": [fork, end]})
    assert len(jobs) > 40

    def found() -> Iterator[str]:
        for job, answer in zip(jobs, pi_does(pi, tmp_path / "asked", jobs), strict=True):
            path = job["open"]
            session = forked(path, tmp_path / "ours" / path.stem, job["steps"][0][1]["entry"])
            do(session, end)
            assert session.path is not None
            theirs, own = fork_records(answer["file"]), fork_records(session.path)
            yield from differences(theirs[:-1], own[:-1], path.name)

    check(found(), "")


def test_new_sessions_are_pis(pi: RealPi, tmp_path: Path) -> None:
    taken: list[Step] = [
        ["appendModelChange", "p", "m"],
        ["appendSessionInfo", " a\nname "],
        ["appendMessage", {"role": "user", "content": "hi"}],
        ["appendLabelChange", {"entry": 2}, "mark"],
    ]
    (answer,) = pi_does(pi, tmp_path, [{"create": "/w", "folder": tmp_path / "theirs", "steps": taken}])
    session = SessionManager.create("/w", tmp_path / "ours")
    for step in taken:
        do(session, step)
    assert session.path is not None
    theirs, own = (Path(path).read_bytes() for path in (answer["file"], session.path))
    check(line_differences(masked(theirs), masked(own), "a new session"), "")


def test_upgraded_sessions_are_what_pi_makes_of_the_old_ones(pi: RealPi, tmp_path: Path) -> None:
    for path in sorted((Path(__file__).parents[1] / "data").glob("v[12]*.jsonl")):
        old, new = tmp_path / path.name, tmp_path / f"new-{path.name}"
        shutil.copy(path, old)
        shutil.copy(path, new)
        session = SessionManager.open(new)
        assert session.upgrade() is not None
        (answer,) = pi_does(pi, tmp_path, [{"open": old, "steps": []}])
        theirs = [json.loads(line) for line in Path(answer["file"]).read_bytes().splitlines()]
        own = [json.loads(line) for line in new.read_bytes().splitlines()]
        ids = {one["id"]: other["id"] for one, other in zip(theirs, own, strict=True)}
        for record in theirs:
            for name in ("id", "parentId", "firstKeptEntryId"):
                if record.get(name) is not None:
                    record[name] = ids.get(record[name], record[name])
        check(differences(theirs, own, path.name), "")
        check(as_pi_opens(pi, tmp_path, [session]), "")
