"""Pi opens what pitree exports, and finds in it what it finds on the branch it was made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pitree.entry.export import Format, export, save
from pitree.session.manager.manager import SessionManager
from tests.interop.conftest import Compared
from tests.interop.real_pi import Question, RealPi

MOST = 40


def without_labels(session: SessionManager) -> list[str]:
    """Ids on the branch to the leaf, labels left out."""
    return [entry.id for entry in session.get_branch() if entry.type != "label"]


def test_pi_reads_exports_as_the_branch_they_are(
    pi: RealPi, generated: Compared, corpus: Compared, tmp_path: Path
) -> None:
    whole: list[tuple[SessionManager, dict[str, Any]]] = []
    for compared in (corpus, generated):
        for _, answer, session in compared:
            if len(whole) < MOST and isinstance(answer["branch"], list) and answer["branch"]:
                whole.append((session, answer))
    questions = []
    for number, (session, _) in enumerate(whole):
        path = tmp_path / f"{number}.jsonl"
        save(path, export(session, session.leaf_index, Format.JSONL))
        questions.append(Question(path, rows=False))
    assert len(questions) >= 6
    for (session, before), after, question in zip(
        whole, pi.ask(tmp_path / "scratch", questions), questions, strict=True
    ):
        made = SessionManager.open(question.path)
        assert "error" not in after
        assert after["context"] == before["context"], question.path
        labels = len(after["labels"])
        assert after["entries"] == len(without_labels(session)) + labels
        assert [entry.id for entry in made.get_entries()][: after["entries"] - labels] == without_labels(
            session
        )
        on_path = set(without_labels(session))
        told = {session.table.ids[int(at)] for at in before["labels"]} & on_path
        assert {made.table.ids[int(at)] for at in after["labels"]} == told
        assert (after["id"], after["parent"]) != (before["id"], before["parent"])
        made.close()
