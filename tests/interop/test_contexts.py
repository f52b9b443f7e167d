"""Pi and pitree agree on the context at any entry: messages, what they are estimated at, the size of all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitree.session.context.projection import projected_entries
from pitree.session.context.tokens import estimate_tokens
from pitree.session.manager.context_view import Fate, context_view
from pitree.session.manager.manager import SessionManager
from tests.interop.conftest import Compared
from tests.interop.differ import differences


def at_entry(session: SessionManager, index: int) -> dict[str, Any]:
    """The context at an entry, in the shape of Pi's answer."""
    path = [session.entry(place) for place in session.branch_indexes(index)]
    projected = list(projected_entries(path))
    size = context_view(session, index).size
    return {
        "at": index,
        "entries": [
            [
                one.entry.index,
                [message.get("role") for message in one.messages],
                list(map(estimate_tokens, one.messages)),
            ]
            for one in projected
        ],
        "messages": [message for one in projected for message in one.messages],
        "size": {"tokens": size.tokens, "usageTokens": size.reported, "trailingTokens": size.estimated},
    }


def fates_fit(session: SessionManager, theirs: dict[str, Any]) -> bool:
    """Whether the entries told to be seen by the model are those that Pi sends, and no others."""
    view = context_view(session, theirs["at"])
    sent = {index for index, roles, _ in theirs["entries"] if roles}
    told = {line.index for line in view.lines if line.fate in {Fate.WHOLE, Fate.EDITED, Fate.EXCLUDED}}
    return sent == told and view.messages == len(theirs["messages"])


def context_differences(compared: Compared) -> Iterator[str]:
    for question, answer, session in compared:
        for theirs in answer["contexts"]:
            where = f"{question.path.name} at entry {theirs.get('at')}"
            if "error" in theirs:
                yield f"{where}: {theirs['error']}"
                continue
            mine = at_entry(session, theirs["at"])
            yield from differences(theirs, mine, where)
            if not fates_fit(session, theirs):
                yield f"{where}: what is told of the entries does not fit what is sent"


def test_corpus(corpus: Compared) -> None:
    assert sum(len(answer["contexts"]) for answer in corpus.answers) >= 100
    corpus.check("contexts", context_differences(corpus))


def test_generated(generated: Compared) -> None:
    assert sum(len(answer["contexts"]) for answer in generated.answers) >= 10 * len(generated.answers)
    generated.check("contexts", context_differences(generated))
