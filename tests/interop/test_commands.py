"""The plain commands print with --json what Pi makes of the same files."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any

import pytest

from pitree.cli import main
from pitree.outline.filters import FilterMode
from tests.interop.conftest import Compared
from tests.interop.differ import differences


def printed(*arguments: str) -> list[dict[str, Any]]:
    """Run a command; return the objects it prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*arguments, "--json"]) == 0
    return [json.loads(line) for line in out.getvalue().split("\n") if line]


def tree(answer: dict[str, Any], mode: FilterMode) -> dict[str, Any]:
    """Pi's answer as `pitree tree --json` puts it, as far as Pi says it."""
    rows, labels, path = answer["rows"][mode], answer["labels"], set(answer["branch"])
    return {
        "file": answer["file"],
        "leaf": answer["leaf"],
        "entries": answer["entries"],
        "filter": str(mode),
        "selected": rows["selected"],
        "session": {key: answer[key] for key in ("id", "cwd", "name")} | {"parentSession": answer["parent"]},
        "rows": [
            {"index": index, "indent": indent, "onPath": index in path, "labelled": str(index) in labels}
            for index, indent in zip(rows["at"], rows["indent"], strict=True)
        ],
    }


def tree_differences(compared: Compared, mode: FilterMode) -> Iterator[str]:
    objects = printed("tree", *(str(question.path) for question in compared.questions), "--filter", mode)
    for answer, mine in zip(compared.answers, objects, strict=True):
        assert mine.pop("notices") is not None
        assert mine["session"].pop("version") in (1, 2, 3)
        for row in mine["rows"]:
            assert row.pop("text")
            assert row.pop("type")
            row["labelled"] = row.pop("label") is not None
            del row["id"], row["role"], row["archived"]
        yield from differences(tree(answer, mode), mine, answer["file"])


def context_differences(compared: Compared) -> Iterator[str]:
    objects = printed("context", *(str(question.path) for question in compared.questions))
    for answer, mine in zip(compared.answers, objects, strict=True):
        entries = [{"index": index, "roles": roles} for index, roles in answer["projection"]]
        yield from differences(
            {"file": answer["file"], "entries": entries} | answer["context"], mine, answer["file"]
        )


def stats_differences(compared: Compared) -> Iterator[str]:
    objects = printed("stats", *(str(question.path) for question in compared.questions))
    for answer, mine in zip(compared.answers, objects, strict=True):
        theirs, counts = answer["stats"], mine.pop("messages")
        models = [
            {"model": one["key"], "tokens": one["tokens"], "cost": one["cost"]} for one in answer["models"]
        ]
        roles = {"userMessages": "user", "assistantMessages": "assistant", "toolResults": "toolResult"}
        mine |= {name: counts.get(role, 0) for name, role in roles.items()}
        mine["totalMessages"] = sum(counts.values())
        yield from differences(
            theirs | {"file": answer["file"], "entries": answer["entries"], "models": models},
            mine,
            answer["file"],
        )


@pytest.mark.parametrize("mode", list(FilterMode))
def test_tree(corpus: Compared, generated: Compared, mode: FilterMode) -> None:
    corpus.check("tree --json", tree_differences(corpus, mode))
    generated.check("tree --json", tree_differences(generated, mode))


def test_context(corpus: Compared, generated: Compared) -> None:
    corpus.check("context --json", context_differences(corpus))
    generated.check("context --json", context_differences(generated))


def test_stats(corpus: Compared, generated: Compared) -> None:
    corpus.check("stats --json", stats_differences(corpus))
    generated.check("stats --json", stats_differences(generated))
