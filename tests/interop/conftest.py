"""Fixtures of the comparison: the real Pi, the files to compare on, and Pi's answers about them."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pitree.session.manager.manager import SessionManager
from tests.interop.real_pi import HOME, PiMissingError, Question, RealPi, find_pi

DATA = Path(__file__).parents[1] / "data"
STEPS = 60
"""Deeds in a generated session, on average."""
CONTEXTS = 20
"""Entries of a session whose contexts are compared."""
MOST_SHOWN = 12
KEYS = ["up", "down", "page-up", "page-down", "fold", "fold", "fold", "unfold", "unfold", "cycle-forward"]
KEYS += ["default", "no-tools", "user-only", "labeled-only", "all"]
QUERIES = ["token", "user e", "修正", "checkpoint", "read src", "no such words"]


@dataclass
class Compared:
    """A set of session files with Pi's answers.

    Attributes:
        note: what to say when something differs: how to get the same files again.
        questions: what was asked, in the order of the answers.
        answers: Pi's answers, one a file.
        sessions: the files as pitree opens them, kept open for all tests.
    """

    note: str
    questions: list[Question]
    answers: list[dict[str, Any]]
    sessions: list[SessionManager] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[Question, dict[str, Any], SessionManager]]:
        """Each file: the question, Pi's answer, and the session in pitree."""
        if not self.sessions:
            self.sessions = [SessionManager.open(question.path) for question in self.questions]
        return zip(self.questions, self.answers, self.sessions, strict=True)

    def check(self, what: str, found: Iterator[str]) -> None:
        """Fail with the first of the differences found."""
        listed = list(found)
        shown = "\n".join(listed[:MOST_SHOWN])
        assert not listed, f"{what}: {len(listed)} differences from Pi. {self.note}\n{shown}"


@pytest.fixture(scope="session")
def pi() -> RealPi:
    """The real Pi; without one the tests are skipped, or fail where it must be there."""
    try:
        return find_pi()
    except PiMissingError as error:
        if "CI" in os.environ or os.environ.get("PITREE_REQUIRE_PI") == "1":
            pytest.fail(f"Pi is needed here: {error}", pytrace=False)
        pytest.skip(f"nothing to compare with: {error}")


@pytest.fixture(autouse=True)
def same_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give pitree the home folder that Pi is given."""
    monkeypatch.setenv("HOME", HOME)


def question(path: Path, seed: int) -> Question:
    """Ask about a file with a few searches and a walk of keys that the seed chooses."""
    chance = random.Random(seed)
    walk = chance.choices(KEYS, k=60)
    return Question(path, QUERIES, walk, contexts=[chance.random() for _ in range(CONTEXTS)])


def ask(pi: RealPi, scratch: Path, files: list[Path], seed: int, note: str) -> Compared:
    """Put the same kind of question for each of the files."""
    questions = [question(path, seed + place) for place, path in enumerate(files)]
    return Compared(note, questions, pi.ask(scratch, questions))


@pytest.fixture(scope="session")
def corpus(pi: RealPi, tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """The session files in tests/data, and those in the folder that PITREE_CORPUS names."""
    folders = [DATA, *map(Path, filter(None, [os.environ.get("PITREE_CORPUS")]))]
    files = [path for folder in folders for path in sorted(folder.glob("*.jsonl"))]
    return ask(pi, tmp_path_factory.mktemp("corpus"), files, 0, "")


@pytest.fixture(scope="session")
def generated(pi: RealPi, tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """Sessions that Pi wrote just now, PITREE_SESSIONS of them (200), from seed PITREE_SEED on (any)."""
    seed = int(os.environ.get("PITREE_SEED") or random.SystemRandom().randrange(1, 1_000_000))
    count = int(os.environ.get("PITREE_SESSIONS") or 200)
    scratch = tmp_path_factory.mktemp("generated")
    files = pi.generate(scratch / "sessions", seed, count, STEPS)
    return ask(
        pi, scratch, files, seed, f"PITREE_SEED={seed} PITREE_SESSIONS={count} writes these files again"
    )
