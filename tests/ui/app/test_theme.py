"""The themes: which one fits a terminal, and whether what they colour can be read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from pitree.ui.app import theme
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from tests.support.seeing import until

COLOURS = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("wanted", "env", "light", "name"),
    [
        ("auto", COLOURS, None, "pitree-dark"),
        ("auto", COLOURS, True, "pitree-light"),
        ("auto", COLOURS | {"COLORFGBG": "0;15"}, None, "pitree-light"),
        ("auto", COLOURS | {"COLORFGBG": "15;default;0"}, None, "pitree-dark"),
        ("auto", COLOURS | {"COLORFGBG": "0;default"}, None, "pitree-dark"),
        ("auto", COLOURS | {"COLORFGBG": "0;15"}, False, "pitree-dark"),
        ("auto", {"TERM": "linux"}, None, "ansi-dark"),
        ("auto", {"TERM": "xterm"}, True, "ansi-light"),
        ("auto", {"TERM": "xterm", "COLORTERM": "truecolor"}, None, "pitree-dark"),
        ("auto", {}, None, "pitree-dark"),
        ("dark", COLOURS, True, "pitree-dark"),
        ("light", {"TERM": "linux"}, None, "pitree-light"),
        ("ansi", COLOURS, True, "ansi-light"),
        ("nord", COLOURS, True, "nord"),
        ("nord", COLOURS | {"NO_COLOR": "1"}, None, "ansi-dark"),
        ("ansi-light", COLOURS | {"NO_COLOR": "1"}, None, "ansi-light"),
        ("auto", COLOURS | {"NO_COLOR": ""}, None, "pitree-dark"),
    ],
)
def test_the_theme_fits_the_terminal(
    wanted: str, env: Mapping[str, str], light: bool | None, name: str
) -> None:
    assert theme.fitting_theme(wanted, env, light) == name


def luminance(color: Color) -> float:
    """Relative luminance as WCAG 2 has it."""
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    """Contrast ratio as WCAG 2 has it, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def pairs(made: Theme) -> Iterator[tuple[str, str, float]]:
    """Colours that stand on one another, with the contrast that they need."""
    text = ("foreground", "primary", "secondary", "accent", "success", "warning", "error")
    for on, ground in itertools.product((*text, "foreground-muted"), ("background", "surface", "panel")):
        yield on, ground, 3.0 if ground != "background" and on != "foreground" else 4.5
    for on in (*text, "foreground-muted"):
        yield on, "primary-muted", 3.0 if on != "foreground" else 4.5


@pytest.mark.parametrize("made", [theme.DARK, theme.LIGHT], ids=lambda made: made.name)
def test_the_colours_can_be_read(made: Theme) -> None:
    colours = made.to_color_system().generate()
    for on, ground, needed in pairs(made):
        found = contrast(Color.parse(colours[on]), Color.parse(colours[ground]))
        assert found >= needed, f"{on} on {ground}: {found:.2f}"


def component_contrasts(app: PitreeApp) -> Iterator[tuple[str, float]]:
    """Each coloured class of the widgets on screen, with its contrast to the ground below it."""
    for widget in app.screen.walk_children():
        for name in sorted(widget._get_component_classes()):
            styles = widget.get_component_styles(name)
            ground, color = widget.background_colors[1], styles.color
            if styles.has_rule("background"):
                ground = ground + styles.background
            if styles.auto_color:
                color = ground.get_contrast_text(color.a)
            if styles.has_rule("color"):
                yield name, contrast(ground + color, ground)


FAINT = ("guides", "rule", "gutter", "ground", "gap", "ansi-black")
"""Lines, and what fills room: they need no contrast to be read by."""


@pytest.mark.parametrize("name", ["pitree-dark", "pitree-light"])
async def test_every_class_on_screen_can_be_read(name: str, agent: object) -> None:
    app = PitreeApp(AppOptions(theme=name))
    async with app.run_test(size=(140, 40)) as pilot:
        await until(pilot, lambda: app.screen.query("DetailPane"))
        measured = dict(component_contrasts(app))
    assert len(measured) > 60
    low = {
        name: round(found, 2)
        for name, found in measured.items()
        if found < (1.5 if name.rpartition("--")[2] in FAINT else 3)
    }
    assert not low


@pytest.mark.parametrize("name", sorted({*BUILTIN_THEMES, *(made.name for made in theme.THEMES)}))
def test_every_theme_has_what_the_style_sheets_name(name: str) -> None:
    made = next((made for made in theme.THEMES if made.name == name), None) or BUILTIN_THEMES[name]
    colours = made.to_color_system().generate()
    assert {"border", "border-blurred", "foreground-muted", "primary-muted"} <= set(colours)
