"""The header: what it says of a session, and what stays when room is short."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import pytest

from pitree.session.format.entry_summary import short_path
from pitree.session.manager.manager import SessionManager
from pitree.text.cells import cell_len
from pitree.ui.main.header import Header, HeaderFacts, fit
from pitree.ui.main.header_facts import FactsKeeper, PathSettings, title_of
from tests.support.stories import Story, login_story

FULL = HeaderFacts(
    name="fix the login",
    folder="~/src/app",
    model="claude-sonnet-4-5 high",
    entries="1,204 entries",
    tokens="1.2M tokens",
    cost="$4.12",
)


@pytest.mark.parametrize(
    ("width", "rest"),
    [
        (100, " · ~/src/app · claude-sonnet-4-5 high · 1,204 entries · 1.2M tokens · $4.12"),
        (80, " · claude-sonnet-4-5 high · 1,204 entries · 1.2M tokens · $4.12"),
        (60, " · 1,204 entries · 1.2M tokens · $4.12"),
        (40, " · 1,204 entries · $4.12"),
        (24, " · $4.12"),
        (14, ""),
    ],
)
def test_what_does_not_fit_is_left_out_whole(width: int, rest: str) -> None:
    name, shown = fit(FULL, width, Header.DROPPED_FIRST)
    assert shown == rest
    assert name == "fix the login"


@pytest.mark.parametrize("width", range(0, 60, 7))
def test_it_is_never_wider_than_the_line(width: int) -> None:
    long = HeaderFacts(name="日本語👨‍👩‍👧‍👦" * 20, folder="/x" * 40, cost="$1.00")
    name, rest = fit(long, width, Header.DROPPED_FIRST)
    assert cell_len(name) + cell_len(rest) <= width


def test_facts_of_a_session() -> None:
    facts = FactsKeeper(login_story().session(), home="/home/me").facts()
    assert facts == HeaderFacts(
        name="Add a login form",
        folder="~/app",
        model="claude-test",
        entries="11 entries",
        tokens="6.2k tokens",
        cost="$1.25",
    )


def test_a_name_is_made_harmless() -> None:
    story = Story().user("u1", "hello").add("i1", "session_info", name="a\x1b]0;evil\x07\nb")
    name = FactsKeeper(story.session()).facts().name
    assert "\x1b" not in name
    assert "\n" not in name
    assert title_of(story.session()) == "a\x1b]0;evil\x07\nb" or "evil" in title_of(story.session())


def test_an_unnamed_session_goes_by_its_first_user_message() -> None:
    story = Story().add("m1", "model_change", provider="p", modelId="m").user("u1", "hello there")
    assert title_of(story.session()) == "hello there"


def test_model_and_level_are_those_of_the_path_to_the_leaf() -> None:
    story = Story().user("u1", "hi").assistant("a1", "hello", model="old")
    story.add("t1", "thinking_level_change", thinkingLevel="high")
    story.assistant("a2", "aside", parent="a1", model="elsewhere")
    story.user("u2", "back on the path", parent="t1")
    assert PathSettings(story.session()).at_leaf() == ("old", "high")
    story.add("m1", "model_change", provider="p", modelId="new")
    assert PathSettings(story.session()).at_leaf() == ("new", "high")


def test_facts_of_a_session_that_grows_are_those_of_one_read_anew() -> None:
    story = Story().user("u1", "hi").add("t1", "thinking_level_change", thinkingLevel="high")
    session = story.session()
    keeper = FactsKeeper(session)
    assert keeper.facts() == FactsKeeper(session).facts()
    steps: list[Callable[[], str]] = [
        lambda: session.append_message({"role": "assistant", "content": [], "model": "m1"}),
        lambda: session.append_session_info("a name"),
        lambda: session.append_model_change("p", "m2"),
        lambda: session.append_thinking_level_change("low"),
        lambda: session.append_message({"role": "user", "content": "x"}),
    ]
    for start in (None, "u1", "t1"):
        if start:
            session.branch(start)
        for step in steps:
            step()
            assert keeper.facts() == FactsKeeper(session).facts()
            assert PathSettings(session).at_leaf() == _by_walking(session)


def _by_walking(session: SessionManager) -> tuple[str, str]:
    context = session.build_session_context()
    model = context.model or {}
    return model.get("modelId", ""), context.thinking_level


def test_facts_of_a_long_session_do_not_walk_it_again() -> None:
    session = Story().user("u0", "hi").session()
    for number in range(500):
        session.append_message({"role": "user", "content": f"{number}"})
    keeper = FactsKeeper(session)
    keeper.facts()
    walked = Counting(session.table.parents)
    session.table.parents = walked  # type: ignore[assignment]
    session.append_message({"role": "user", "content": "one more"})
    keeper.facts()
    assert walked.read <= 2


class Counting(array):  # type: ignore[type-arg]
    """Parents that count how often they are asked."""

    read = 0

    def __new__(cls, values: array[int]) -> Counting:
        return super().__new__(cls, values.typecode, values)

    def __getitem__(self, place: Any) -> Any:
        self.read += 1
        return super().__getitem__(place)


@pytest.mark.parametrize(
    ("path", "home", "words"),
    [
        ("/home/me/src", "/home/me", "~/src"),
        ("/home/me", "/home/me", "~"),
        ("/home/metoo", "/home/me", "/home/metoo"),
        ("/etc", "/", "/etc"),
        ("/srv/x", "", "/srv/x"),
    ],
)
def test_short_paths(path: str, home: str, words: str) -> None:
    assert short_path(path, home) == words
