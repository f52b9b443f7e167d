"""Files that come with the program but are no Python."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def styles_dir() -> Path:
    """The folder of the style sheets: inside the package when installed, beside it in a checkout."""
    installed = _PACKAGE / "styles"
    return installed if installed.is_dir() else _PACKAGE.parent / "styles"


def docs_dir() -> Path:
    """The folder of the manual's topics."""
    return _PACKAGE / "docs"


FRAME_STYLES = ("picker.tcss", "screen.tcss", "tree.tcss")
"""The style sheets that the first frame needs; the others are read with the main screen."""


def style_sheets() -> list[Path]:
    """All style sheets."""
    return sorted(styles_dir().glob("*.tcss"))
