"""The themes of pitree, and which one fits: Pi's colors, dark and light, or the terminal's own."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme


def _ground(background: str, thumb: str, thumb_hover: str, accent: str) -> dict[str, str]:
    """The scroll bars of a theme: on the ground itself, so that they are seen only where there is a thumb."""
    return {
        "scrollbar": thumb,
        "scrollbar-hover": thumb_hover,
        "scrollbar-active": accent,
        "scrollbar-background": background,
        "scrollbar-background-hover": background,
        "scrollbar-background-active": background,
        "scrollbar-corner-color": background,
    }


# Pi's dark and light themes say: violet leads, blue is what is selected or linked, green the assistant's and
# added, red wrong, ochre labels and warnings, and grey what is secondary. Pi has no ground of its own.
DARK = Theme(
    name="pitree-dark",
    dark=True,
    primary="#69add0",
    secondary="#5db3ba",
    accent="#a798d7",
    success="#68b78d",
    warning="#cd9a22",
    error="#ea7f81",
    foreground="#dee0e1",
    background="#17191d",
    surface="#1f2227",
    panel="#262a30",
    variables={
        "border": "#a08ed5",
        "border-blurred": "#484e52",
        "foreground-muted": "#9da5a9",
        "primary-muted": "#213b49",
        "block-cursor-background": "#a798d7",
        "block-cursor-foreground": "#17191d",
        "input-selection-background": "#213b49",
        **_ground("#17191d", "#484e52", "#768186", "#a798d7"),
    },
)

LIGHT = Theme(
    name="pitree-light",
    dark=False,
    primary="#2f7899",
    secondary="#287a81",
    accent="#7459b4",
    success="#337e58",
    warning="#8f6802",
    error="#c8253d",
    foreground="#3b3f41",
    background="#fbfbfa",
    surface="#f2f2f1",
    panel="#e9eaea",
    variables={
        "border": "#7459b4",
        "border-blurred": "#c2c8ca",
        "foreground-muted": "#677176",
        "primary-muted": "#dfe7ec",
        "block-cursor-background": "#7459b4",
        "block-cursor-foreground": "#ffffff",
        "input-selection-background": "#dfe7ec",
        **_ground("#fbfbfa", "#c2c8ca", "#96a0a4", "#7459b4"),
    },
)


def _own_colours(dark: bool) -> Theme:
    """The terminal's own colors: those of the sixteen that can be read on a dark or on a light ground.

    Lines are drawn in the color of text, for the greys of some palettes are the ground itself.
    """
    bright = "bright_" if dark else ""
    return Theme(
        name="ansi-dark" if dark else "ansi-light",
        ansi=True,
        dark=dark,
        primary=f"ansi_{bright}blue",
        secondary=f"ansi_{bright}cyan" if dark else "ansi_blue",
        accent=f"ansi_{bright}magenta",
        success="ansi_green",
        warning="ansi_yellow" if dark else "ansi_red",
        error=f"ansi_{bright}red",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        variables={
            "ansi-background": "ansi_black" if dark else "ansi_white",
            "ansi-foreground": "ansi_white" if dark else "ansi_black",
            "border": f"ansi_{bright}magenta",
            "border-blurred": "ansi_default",
            "foreground-muted": "ansi_default",
            "primary-muted": "ansi_default",
            "input-cursor-text-style": "reverse",
            **_ground("ansi_default", "ansi_default", f"ansi_{bright}magenta", f"ansi_{bright}magenta"),
        },
    )


ANSI_DARK = _own_colours(dark=True)
ANSI_LIGHT = _own_colours(dark=False)

THEMES = (DARK, LIGHT, ANSI_DARK, ANSI_LIGHT)

AUTO = "auto"
"""Asks for the theme that fits the terminal."""

BY_GROUND = {
    AUTO: (DARK.name, LIGHT.name),
    "dark": (DARK.name, DARK.name),
    "light": (LIGHT.name, LIGHT.name),
    "ansi": (ANSI_DARK.name, ANSI_LIGHT.name),
}
"""What can be asked for besides a theme's own name: the themes on a dark and on a light ground."""


def fitting_theme(wanted: str, env: Mapping[str, str], light: bool | None = None) -> str:
    """Name of the theme to show.

    Args:
        wanted: a theme's name, or one of `BY_GROUND`.
        env: `NO_COLOR` leaves only the terminal's own colors (none of which is then shown), and so does, if
            nothing is asked for, a terminal with 16 colors; `COLORFGBG` tells the ground.
        light: whether the ground is light, if the terminal itself has said so.
    """
    if env.get("NO_COLOR"):
        wanted = "ansi" if wanted not in {ANSI_DARK.name, ANSI_LIGHT.name} else wanted
    elif wanted == AUTO and few_colours(env):
        wanted = "ansi"
    if light is None:
        light = light_ground(env)
    return BY_GROUND[wanted][bool(light)] if wanted in BY_GROUND else wanted


def light_ground(env: Mapping[str, str]) -> bool | None:
    """Whether the ground is light, as `COLORFGBG` says; None if it says nothing."""
    ground = env.get("COLORFGBG", "").rpartition(";")[2]
    return ground in {"7", "9", "10", "11", "12", "13", "14", "15"} if ground.isdecimal() else None


def few_colours(env: Mapping[str, str]) -> bool:
    """Whether the terminal has but 16 colors, by the rule by which Rich picks what to send it."""
    if env.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"}:
        return False
    term = env.get("TERM", "").strip().lower()
    return bool(term) and term.rpartition("-")[2] not in {"256color", "kitty"}
