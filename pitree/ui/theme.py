"""The two themes of pitree: one accent, a colour for each role, everything else shades of the ground."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

DARK = Theme(
    name="pitree-dark",
    dark=True,
    primary="#7aa2d6",
    secondary="#a394d8",
    accent="#6cb2eb",
    success="#8fbf7f",
    warning="#dcaa5f",
    error="#e57878",
    foreground="#d4d7dd",
    background="#14161a",
    surface="#1a1d22",
    panel="#22262c",
    variables={
        "border": "#6cb2eb",
        "border-blurred": "#3a4049",
        "block-cursor-background": "#6cb2eb",
        "block-cursor-foreground": "#14161a",
        "scrollbar": "#3a4049",
        "scrollbar-hover": "#566070",
        "scrollbar-active": "#6cb2eb",
        "scrollbar-background": "#14161a",
        "scrollbar-background-hover": "#14161a",
        "scrollbar-background-active": "#14161a",
        "scrollbar-corner-color": "#14161a",
    },
)

LIGHT = Theme(
    name="pitree-light",
    dark=False,
    primary="#2f5f9e",
    secondary="#6a54a8",
    accent="#1767a8",
    success="#3a7a2c",
    warning="#8f5a00",
    error="#b3261e",
    foreground="#24292f",
    background="#fbfbfa",
    surface="#f2f2f0",
    panel="#e8e8e5",
    variables={
        "border": "#1767a8",
        "border-blurred": "#c5c8cc",
        "block-cursor-background": "#1767a8",
        "block-cursor-foreground": "#ffffff",
        "scrollbar": "#c5c8cc",
        "scrollbar-hover": "#9aa1a9",
        "scrollbar-active": "#1767a8",
        "scrollbar-background": "#fbfbfa",
        "scrollbar-background-hover": "#fbfbfa",
        "scrollbar-background-active": "#fbfbfa",
        "scrollbar-corner-color": "#fbfbfa",
    },
)

THEMES = (DARK, LIGHT)


def initial_theme(wanted: str, env: Mapping[str, str]) -> str:
    """Name of the theme to start with.

    Args:
        wanted: what was asked for: a theme's name, `dark` or `light` for pitree's own, `ansi` for the
            terminal's own colours, or `auto`.
        env: `NO_COLOR` chooses the terminal's own colours; `COLORFGBG`, where a terminal sets it,
            tells a light ground from a dark one.
    """
    light = env.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"}
    if wanted not in ("auto", "ansi"):
        return {"dark": DARK.name, "light": LIGHT.name}.get(wanted, wanted)
    if wanted == "ansi" or env.get("NO_COLOR"):
        return "ansi-light" if light else "ansi-dark"
    return LIGHT.name if light else DARK.name
