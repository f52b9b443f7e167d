"""Keys first: long work pauses while one is answered, and what it changes is drawn at once."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.toolkit import input_priority
from pitree.ui.toolkit.input_priority import InputPriority
from tests.support.seeing import until as until_shown
from tests.support.waiting import until


def test_work_pauses_for_a_key_and_only_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = [0.0]
    clock = SimpleNamespace(monotonic=lambda: 100 + sum(pauses), sleep=pauses.append)
    monkeypatch.setattr(input_priority, "time", clock)
    back = InputPriority()
    asked = back.while_asked(lambda: False)
    assert not asked()
    assert not back.answering
    back.pressed()
    assert back.answering
    assert not asked()
    assert not back.answering
    assert pauses == [0.0, pytest.approx(0.03)]


def test_work_goes_on_though_a_key_is_held() -> None:
    back, ended = InputPriority(), threading.Event()
    answers: list[bool] = []

    def hold() -> None:
        while not ended.wait(0.001):
            back.pressed()

    key = threading.Thread(target=hold)
    key.start()
    try:
        asked = back.while_asked(lambda: False)
        until(lambda: answers.append(asked()) or len(answers) == 50)
    finally:
        ended.set()
        key.join()
    assert answers == [False] * 50


def test_who_is_cancelled_does_not_wait() -> None:
    back = InputPriority()
    back.pressed()
    assert back.while_asked(lambda: True)()


@pytest.mark.parametrize("pressed", [True, False])
async def test_what_a_key_changes_is_drawn_without_the_timer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pressed: bool
) -> None:
    monkeypatch.setattr(InputPriority, "answering", pressed)
    app = PitreeApp(AppOptions(agent_dir=tmp_path, cwd=tmp_path))
    async with app.run_test() as pilot:
        await until_shown(pilot, lambda: isinstance(app.screen, MainScreen))
        waited = 0

        def resume() -> None:
            nonlocal waited
            waited += 1

        monkeypatch.setattr(app.screen._update_timer, "resume", resume)
        app.screen.query_one("#sessions").refresh()
        await pilot.pause()
        await pilot.pause()
        assert (waited == 0) is pressed
