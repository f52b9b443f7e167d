"""Pi and pitree agree on a session: tree, leaf, labels, branch, projection, context, totals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.interop import ours
from tests.interop.conftest import Compared
from tests.interop.differ import differences

properties = pytest.mark.parametrize("name", ours.SESSION_PROPERTIES)


def property_differences(compared: Compared, name: str) -> Iterator[str]:
    for question, answer, session in compared:
        got = ours.SESSION_PROPERTIES[name](session)
        yield from differences(answer[name], got, f"{question.path.name} {name}")


@properties
def test_corpus(corpus: Compared, name: str) -> None:
    assert len(corpus.answers) >= 6
    corpus.check(name, property_differences(corpus, name))


@properties
def test_generated(generated: Compared, name: str) -> None:
    assert len(generated.answers) >= 1
    generated.check(name, property_differences(generated, name))
