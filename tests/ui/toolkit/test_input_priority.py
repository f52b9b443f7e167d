"""Keys first: long work pauses while one is answered, and what it changes is drawn at once."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.toolkit.input_priority import InputPriority


def test_work_pauses_for_a_key_and_only_for_it() -> None:
    back = InputPriority()
    asked = back.while_asked(lambda: False)
    start = time.monotonic()
    assert not asked()
    assert not back.answering
    back.pressed()
    assert back.answering
    assert not asked()
    assert not back.answering
    assert time.monotonic() >= start + 0.03


def test_work_goes_on_though_a_key_is_held() -> None:
    back, done, ended = InputPriority(), 0, threading.Event()

    def hold() -> None:
        while not ended.wait(0.001):
            back.pressed()

    key = threading.Thread(target=hold)
    key.start()
    try:
        asked = back.while_asked(lambda: False)
        ends = time.monotonic() + 60
        while done < 50 and time.monotonic() < ends:
            done += not asked()
    finally:
        ended.set()
        key.join()
    assert done == 50


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
        while not isinstance(app.screen, MainScreen):
            await pilot.pause()
        waited = 0

        def resume() -> None:
            nonlocal waited
            waited += 1

        monkeypatch.setattr(app.screen._update_timer, "resume", resume)
        app.screen.query_one("#sessions").refresh()
        await pilot.pause()
        await pilot.pause()
        assert (waited == 0) is pressed
