"""Images in the entry: drawn in half blocks when unfolded, refused in words, printed large on a key."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
from typing import Any

import pytest
from PIL import Image
from rich.style import Style

from pitree.text import cells
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.app.terminal_answers import TerminalName
from pitree.ui.entry.styling import image_drawing
from tests.support.seeing import text as screen
from tests.support.seeing import until, words
from tests.support.stories import Story as FileStory
from tests.support.taking_apart import Story
from tests.ui.entry.pane.test_entry_pane import Host, settled, show
from tests.ui.main.test_entry_requests import at_entry
from tests.ui.main.test_main_screen import Store, store  # noqa: F401 (a fixture)


def encoded(size: tuple[int, int] = (8, 4), form: str = "PNG", **more: Any) -> str:
    """An image, red at the left and half clear at the right."""
    image = Image.new("RGBA", size, (255, 0, 0, 255))
    image.paste((0, 0, 0, 0), (size[0] // 2, 0, *size))
    file = io.BytesIO()
    image.convert("RGB" if form in ("JPEG", "BMP") else "RGBA").save(file, form, **more)
    return base64.b64encode(file.getvalue()).decode()


def block(data: str) -> dict[str, Any]:
    return {"type": "image", "data": data, "mimeType": "image/png"}


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_images_of_known_kinds_are_drawn_within_the_width(form: str) -> None:
    rows = image_drawing.picture_rows(encoded((300, 100), form), 40, Style())
    assert 1 <= len(rows) <= image_drawing.MOST_ROWS
    for row in rows:
        assert {segment.text for segment in row} <= {"▀"}
        assert len(row) <= 40
        assert all(segment.style is not None and segment.style.link is None for segment in row)


def test_what_is_clear_shows_the_ground() -> None:
    image = image_drawing.decoded(encoded(), Style(bgcolor="#102030"))
    assert image.getpixel((0, 0)) == (255, 0, 0)
    assert image.getpixel((image.width - 1, image.height - 1)) == (0x10, 0x20, 0x30)


def test_an_image_that_is_none_or_too_much_is_refused() -> None:
    whole = encoded((64, 64))
    huge = base64.b64encode(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (60_000).to_bytes(4, "big") * 2 + bytes(40)
    ).decode()
    for data, why in [
        (base64.b64encode(b"%PDF-1.7").decode(), "it is not a PNG"),
        (whole[: len(whole) // 2 // 4 * 4], "it is damaged"),
        (huge, "it is too large"),
        ("", "it is not a PNG"),
    ]:
        assert why in "".join(segment.text for segment in image_drawing.picture_rows(data, 40, Style())[0])


async def test_an_image_is_drawn_when_it_is_unfolded() -> None:
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        await show(pilot, Story().say("u1", "user", [block(encoded((80, 40)))]).session(), 0)
        assert "▸ image  image/png" in screen(host)
        assert "▀" not in screen(host)
        await pilot.press("enter")
        await until(pilot, lambda: "▀▀▀▀" in screen(host))
        await settled(pilot)
        assert "v opens it in the system's viewer, V shows it large" in words(host)


async def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_drawing, "available", lambda: False)
    host = Host()
    async with host.run_test(size=(100, 30)) as pilot:
        await show(pilot, Story().say("u1", "user", [block(encoded())]).session(), 0)
        await pilot.press("enter")
        assert "pip install 'pitree[images]' draws it here" in screen(host)


def test_the_package_is_imported_for_an_image_only_and_does_not_see_the_terminal() -> None:
    code = (
        "import sys, base64; import pitree.ui.entry\n"
        "assert not [name for name in sys.modules if name.startswith(('textual_image', 'PIL'))]\n"
        "from rich.style import Style; from pitree.ui.entry.styling.image_drawing import picture_rows\n"
        "out = sys.__stdout__\n"
        f"assert len(picture_rows({encoded()!r}, 20, Style())[0]) > 1\n"
        "assert sys.__stdout__ is out\n"
        "import textual_image.renderable as r; assert r.Image is r.UnicodeImage"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("sixel", "kitty", "sign"), [(True, True, "\x1bP"), (False, True, "\x1b_G"), (False, False, "▀")]
)
def test_a_large_image_is_printed_as_well_as_the_terminal_can(
    sixel: bool,
    kitty: bool,
    sign: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    image_drawing.picture_rows(encoded(), 20, Style())
    monkeypatch.setattr("textual_image.renderable.sixel.query_terminal_support", lambda: sixel)
    monkeypatch.setattr("textual_image.renderable.tgp.query_terminal_support", lambda: kitty)
    monkeypatch.setattr(sys, "__stdout__", sys.stdout)
    image_drawing.show_large(encoded((200, 100)))
    assert sign in capsys.readouterr().out


async def test_a_damaged_image_is_said_to_be_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    from contextlib import nullcontext

    whole = encoded((64, 64))
    content = [block(whole[: len(whole) // 2 // 4 * 4])]
    story = FileStory().add("u1", "message", message={"role": "user", "content": content})
    app = store.app(store.add("s", story))
    monkeypatch.setattr(app, "suspend", nullcontext)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await at_entry(pilot, "image")
        await pilot.press("V")
        await until(pilot, lambda: "cannot be drawn: it is damaged" in words(app))


# -- Kitty's protocol -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "colours", "name", "has"),
    [
        ({}, "truecolor", "kitty(0.28.1)", True),
        ({}, "truecolor", "kitty(1.0.0)", True),
        ({}, "truecolor", "ghostty 1.1.0", True),
        ({}, "truecolor", "kitty(0.26.5)", False),
        ({}, "256", "kitty(0.40.0)", False),
        ({"TMUX": "/tmp/x"}, "truecolor", "kitty(0.40.0)", False),
        ({"NO_COLOR": "1"}, "truecolor", "kitty(0.40.0)", False),
        ({}, "truecolor", "XTerm(390)", False),
    ],
)
def test_kittys_protocol_is_used_where_it_is_sure(
    env: dict[str, str], colours: str, name: str, has: bool
) -> None:
    assert image_drawing.has_pixels(env, colours, name) is has


def test_by_kittys_protocol_an_image_is_sent_once_and_its_rows_are_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(image_drawing, "send", sent.append)
    rows = image_drawing.picture_rows(encoded((300, 120)), 60, Style(bgcolor="#102030"))
    (sequences,) = sent
    messages = re.findall(r"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\", sequences)
    assert "".join(f"\x1b_G{keys}{';' if data else ''}{data}\x1b\\" for keys, data in messages) == sequences
    image = Image.open(io.BytesIO(base64.b64decode("".join(data for _, data in messages))))
    assert image.size == (300, 120)
    (number,) = {dict(pair.split("=") for pair in keys.split(","))["i"] for keys, _ in messages}
    assert "U=1" in messages[-1][0]
    assert f"c=30,r={len(rows)}" in messages[-1][0]
    assert len(rows) == 6
    for (segment,) in rows:
        assert cells.cell_len(segment.text) == 30
        assert segment.text.count("\U0010eeee") == 30
        assert segment.style is not None
        assert segment.style.color is not None
        red, green, blue = segment.style.color.get_truecolor()
        assert red << 16 | green << 8 | blue == int(number) & 0xFFFFFF
    image_drawing.forget()
    assert sent[1:] == [f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"]
    image_drawing.forget()
    assert len(sent) == 2


async def test_the_screen_sends_images_to_such_a_terminal(
    store: Store,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(image_drawing, "send", sent.append)
    content = [{"type": "text", "text": "look"}, block(encoded((300, 120)))]
    story = FileStory().add("u1", "message", message={"role": "user", "content": content})
    app = store.app(store.add("s", story))
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, "look")
        app.screen.detail_pane.action_toggle_all()
        await until(pilot, lambda: "\U0010eeee" in screen(app), 60)
        app.app_resume_signal.publish(app)
        await until(pilot, lambda: len(sent) == 2, 60)
        await until(pilot, lambda: "\U0010eeee" in screen(app), 60)
    assert "a=d" in sent[-1]


async def test_a_terminal_that_tells_its_name_is_sent_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_drawing, "send", None)
    monkeypatch.setattr(image_drawing, "has_pixels", lambda env, colours, name: name == "kitty(0.28.1)")
    app = PitreeApp(AppOptions())
    async with app.run_test(size=(60, 20)) as pilot:
        app.post_message(TerminalName("XTerm(390)"))
        await pilot.pause()
        assert image_drawing.send is None
        app.post_message(TerminalName("kitty(0.28.1)"))
        await until(pilot, lambda: image_drawing.send is not None)
