"""When an entry is read, and what its title leaves out where there is little room; without an app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rich.style import Style

from pitree.ui.entry.document.sections import LayoutStyle
from pitree.ui.entry.pane import entry_loader
from pitree.ui.entry.pane.entry_loader import LoadTimer, ViewOptions, load, text_to_copy
from pitree.ui.entry.styling.style_names import Palette
from tests.support.taking_apart import Story, text

VIEW = ViewOptions(LayoutStyle(60, Palette.read(lambda name: Style())), 20)


class Timers:
    """Timers that run when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Any, Callable[[], object]]] = []

    def set(self, seconds: float, call: Callable[[], object]) -> Any:
        timer = _Timer(self)
        self.waiting.append((timer, call))
        return timer

    def run(self) -> None:
        for _, call in self.waiting:
            call()
        self.waiting.clear()


class _Timer:
    def __init__(self, timers: Timers) -> None:
        self._timers = timers

    def stop(self) -> None:
        self._timers.waiting = [one for one in self._timers.waiting if one[0] is not self]


def test_the_first_is_read_at_once_and_of_quick_ones_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(entry_loader, "monotonic", lambda: now[0])
    timers, done = Timers(), []
    timer = LoadTimer(timers.set)
    for name in "abc":
        timer.request(lambda name=name: done.append(name))  # type: ignore[misc]
        now[0] += 0.01
    assert done == ["a"]
    timers.run()
    assert done == ["a", "c"]
    timer.request(lambda: done.append("d"))
    timer.cancel()
    timers.run()
    assert done == ["a", "c"]
    now[0] += 1
    timer.request(lambda: done.append("e"))
    assert done == ["a", "c", "e"]


def test_only_what_takes_long_is_called_late() -> None:
    timers, late = Timers(), []
    timer = LoadTimer(timers.set)
    timer.started(lambda: late.append(1))
    timer.ended()
    timers.run()
    assert not late
    timer.started(lambda: late.append(1))
    timers.run()
    assert late == [1]


def test_a_title_gives_its_model_away_first() -> None:
    session = Story().say("a1", "assistant", [text("hi")], model="claude-opus-4-5").session()
    loaded = load(session, 0, VIEW, raw=False)
    whole = loaded.title_within(80)
    assert "claude-opus-4-5" in whole
    short = loaded.title_within(len(whole) - 4)
    assert "…" in short
    assert "claude" in short
    assert "claude" not in loaded.title_within(12)
    assert loaded.title_within(12).startswith("assistant")


def test_an_entry_or_its_record_is_copied() -> None:
    session = Story().say("u1", "user", "Use **types**").session()
    assert text_to_copy(session, 0, False, lambda: False) == "Use **types**"
    assert '"parentId"' in text_to_copy(session, 0, True, lambda: False)
