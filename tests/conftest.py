"""Runs pitree's command line inside the test, in an agent folder of its own; writes sessions for it."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pitree.cli import main
from pitree.config.table import SETTINGS
from pitree.session.manager.manager import SessionManager
from tests.support.records import HEADER, encode, message
from tests.support.stores import Store

VARIABLES = ("PI_CODING_AGENT_SESSION_DIR", "NO_COLOR", "FORCE_COLOR", "PITREE_DEBUG", "COLUMNS")

LONG_NAME = 80
MANY_FREEZES = 40


@dataclass(frozen=True)
class Ran:
    """What a run gave."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """Standard output as JSON, a value a line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a case by the beginning of its text: some are megabytes, and names go from process to process."""
    long = isinstance(val, str | bytes) and len(val) > LONG_NAME
    return ascii(val[:LONG_NAME])[:LONG_NAME] + "..." if long else None


@pytest.fixture(scope="session")
def freezes() -> Iterator[list[None]]:
    """One item for each `gc.freeze` since the last thaw.

    Counting what is kept, as `gc.get_freeze_count` does, takes tens of milliseconds.
    """
    noted: list[None] = []
    freeze = gc.freeze

    def counted() -> None:
        noted.append(None)
        freeze()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", counted)
        yield noted


@pytest.fixture(autouse=True)
def thaw(freezes: list[None]) -> Iterator[None]:
    """What the apps of the tests have kept from the garbage collector is garbage once the tests are over."""
    yield
    if len(freezes) > MANY_FREEZES:  # each time would take as long as the tests themselves
        freezes.clear()
        gc.unfreeze()


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder of pitree during the test, beside the test's own; it is made once it is needed."""
    folder = tmp_path.with_name(f"{tmp_path.name}-state")
    monkeypatch.setenv("PITREE_STATE_DIR", str(folder))
    return folder


@pytest.fixture
def failures() -> list[str]:
    """For tests in which parts of pitree fail on purpose: elsewhere a log of failures fails the test."""
    return []


@pytest.fixture(autouse=True)
def no_failures(request: pytest.FixtureRequest, state: Path) -> Iterator[None]:
    """What fails beside the screen is contained, so that no test would notice it but for its log."""
    yield
    log = state / "log/failures.log"
    if "failures" not in request.fixturenames and log.exists():
        pytest.fail(f"parts of pitree failed:\n{log.read_text()}")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of pitree during the test, likewise."""
    folder = tmp_path.with_name(f"{tmp_path.name}-cache")
    monkeypatch.setenv("PITREE_CACHE_DIR", str(folder))
    return folder


@pytest.fixture(autouse=True)
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The config file during the test, beside the test's folder; there is none until the test writes it."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    file = tmp_path.with_name(f"{tmp_path.name}-config") / "config.toml"
    monkeypatch.setenv("PITREE_CONFIG", str(file))
    return file


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal with all colours and signs, whatever the tests are run in."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("NO_COLOR", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty agent folder that the environment names, with the working directory beside it."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "agent"
    folder.mkdir()
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(folder))
    monkeypatch.chdir(project)
    return folder


@pytest.fixture
def run(agent: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs pitree with some arguments."""

    def runner(*argv: object) -> Ran:
        capsysbinary.readouterr()
        try:
            status = main([str(arg) for arg in argv])
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = capsysbinary.readouterr()
        return Ran(status, out.decode(), err.decode())

    return runner


@pytest.fixture
def session(tmp_path: Path) -> Callable[..., Path]:
    """Writes a version 3 session from records, or from bytes as they are."""

    def writer(*records: dict[str, Any] | bytes, name: str = "s.jsonl", **header: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if records and isinstance(records[0], bytes):
            path.write_bytes(b"".join(record for record in records if isinstance(record, bytes)))
        else:
            path.write_bytes(encode(HEADER | header, *(r for r in records if isinstance(r, dict))))
        return path

    return writer


@pytest.fixture
def write(tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes bytes to a session file; returns its path."""

    def writer(data: bytes) -> Path:
        path = tmp_path / "session.jsonl"
        path.write_bytes(data)
        return path

    return writer


@pytest.fixture
def talk(write: Callable[[bytes], Path]) -> SessionManager:
    """A question and its answer, `a1` being the leaf; its bytes are `beside.TALK`."""
    data = encode(HEADER, message("u1", None, "one"), message("a1", "u1", "two", "assistant"))
    return SessionManager.open(write(data))


@pytest.fixture
def long_talk(write: Callable[[bytes], Path]) -> SessionManager:
    """Two questions and two answers, `a2` being the leaf; its bytes are `operations.TALK`."""
    texts = enumerate(("one", "two", "three", "four"))
    ids = ["u1", "a1", "u2", "a2"]
    chain = [
        message(ids[n], ids[n - 1] if n else None, said, ("user", "assistant")[n % 2]) for n, said in texts
    ]
    return SessionManager.open(write(encode(HEADER, *chain)))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that the environment names."""
    made = Store(tmp_path)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(made.agent))
    return made
