"""What a reader decides where nothing may be written: operations for whoever asked, as one line of JSON.

A running Pi keeps its leaf in memory, so what is to happen in it has to be told to it.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

ROOT = "root"
"""The place before all entries, where an entry's id could stand."""


class Form(StrEnum):
    """What is printed at the end."""

    PATH = "path"
    """The path of the session chosen."""
    ID = "id"
    """The id of the entry chosen."""
    JSON = "json"
    """All that was decided."""


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """Label an entry; None removes the label. `before` is the label it had, `row` the words of its row."""

    entry: str
    label: str | None
    before: str | None = None
    row: str = ""

    @property
    def words(self) -> str:
        """What it does, in words; texts of the session in it are raw."""
        return f"label [{self.label}]" if self.label else f"remove the label [{self.before}]"

    def record(self) -> dict[str, Any]:
        """As it is told."""
        return {"op": "label", "entry": self.entry, "label": self.label}


@dataclass(frozen=True, slots=True)
class NameSession:
    """Name the session; an empty name clears it. `before` is the name it had."""

    name: str
    before: str = ""

    @property
    def words(self) -> str:
        """What it does, in words."""
        return f"name the session “{self.name}”" if self.name else "clear the session's name"

    def record(self) -> dict[str, Any]:
        """As it is told."""
        return {"op": "name", "name": self.name}


@dataclass(frozen=True, slots=True)
class MoveLeaf:
    """Go on from an entry, by Pi's rules: before a user or custom message, whose text is to be edited."""

    entry: str
    summary: str | None = None
    label: str | None = None
    text: str | None = None

    def record(self) -> dict[str, Any]:
        """As it is told."""
        return {"op": "move", "entry": self.entry} | _given(
            summary=self.summary, label=self.label, text=self.text
        )


@dataclass(frozen=True, slots=True)
class ForkSession:
    """Fork into a new session: before a user or custom message, or at the entry; `text` if it was edited."""

    entry: str
    before: bool
    text: str | None = None

    def record(self) -> dict[str, Any]:
        """As it is told."""
        place = "before" if self.before else "at"
        return {"op": "fork", "entry": self.entry, "position": place} | _given(text=self.text)


@dataclass(frozen=True, slots=True)
class SwitchSession:
    """Open another session. What follows in the list is meant for that one."""

    path: Path

    def record(self) -> dict[str, Any]:
        """As it is told."""
        return {"op": "switch", "path": str(self.path)}


Pending = LabelEntry | NameSession
"""What waits, and can be undone."""

Final = MoveLeaf | ForkSession | SwitchSession
"""What ends the picking, since Pi continues in one place only."""


def _given(**fields: str | None) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value is not None}


@dataclass
class Picking:
    """What was decided so far.

    Attributes:
        session: the session that it is about, an absolute path; None while none is chosen.
        leaf: id of the entry at which its Pi stands, or `ROOT`; None where the file tells it.
        form: what is to be printed.
        pending: labels and names, the oldest first.
        final: how it ended; empty if nothing but `pending` was decided.
        entry: id of the entry chosen, None for none.
        cancelled: whether all of it is to be forgotten.
    """

    session: Path | None = None
    leaf: str | None = None
    form: Form = Form.JSON
    pending: list[Pending] = field(default_factory=list)
    final: tuple[Final, ...] = ()
    entry: str | None = None
    chosen: Path | None = None
    cancelled: bool = False

    def is_about(self, path: Path) -> bool:
        """Whether a session is the one that this is about, or can be, as none is yet."""
        return self.session is None or os.path.realpath(path) == os.path.realpath(self.session)

    def add(self, path: Path, operation: Pending) -> None:
        """Decide something that can be undone, about the session at hand."""
        self.session = self.session or path
        self.pending.append(operation)

    def take_back(self) -> Pending | None:
        """Forget what was decided last; None if there is nothing."""
        return self.pending.pop() if self.pending else None

    def finish(self, path: Path, operation: MoveLeaf | ForkSession | None = None) -> None:
        """Decide where to continue: in a session, and there as an operation says.

        Args:
            path: the session; if it is not the one at hand, that is to be left for it.
            operation: what to do there; None to open it as it is.
        """
        elsewhere = not self.is_about(path)
        self.session = self.session or path
        steps: list[Final] = [SwitchSession(path)] if elsewhere or operation is None else []
        self.final = tuple(steps if operation is None else [*steps, operation])

    def choose(self, path: Path, entry: str | None = None) -> None:
        """Choose a session, or an entry of one, where only its name is wanted."""
        self.chosen, self.entry = path, entry

    @property
    def labels(self) -> dict[str, str | None]:
        """Entry id → label as it is to be."""
        return {step.entry: step.label for step in self.pending if isinstance(step, LabelEntry)}

    @property
    def name(self) -> str | None:
        """The name as it is to be, "" for none; None if it stays."""
        return next((step.name for step in reversed(self.pending) if isinstance(step, NameSession)), None)

    def operations(self) -> list[dict[str, Any]]:
        """All that is to be done, in order. What was changed and changed back is left out."""
        found: list[dict[str, Any]] = []
        for entry, label in self.labels.items():
            first = next(
                step for step in self.pending if isinstance(step, LabelEntry) and step.entry == entry
            )
            if label != first.before:
                found.append(LabelEntry(entry, label).record())
        names = [step for step in self.pending if isinstance(step, NameSession)]
        if names and names[-1].name != names[0].before:
            found.append(names[-1].record())
        return found + [step.record() for step in self.final]

    def answer(self) -> bytes:
        """What to print: a line, or nothing where nothing was chosen.

        JSON comes in ASCII, so that no locale and no control character can spoil the line.
        """
        if self.cancelled:
            return b""
        if self.form is Form.PATH:
            return os.fsencode(self.chosen) + b"\n" if self.chosen is not None else b""
        if self.form is Form.ID:
            return (self.entry or "").encode("utf-8", "surrogateescape") + b"\n" if self.entry else b""
        session = str(self.session) if self.session is not None else None
        return json.dumps({"session": session, "operations": self.operations()}).encode() + b"\n"
