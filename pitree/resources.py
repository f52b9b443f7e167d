"""Files that come with the program but are no Python, and the folder for what it keeps."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_state_path

_PACKAGE = Path(__file__).parent


def styles_dir() -> Path:
    """The folder of the style sheets: inside the package when installed, beside it in a checkout."""
    installed = _PACKAGE / "styles"
    return installed if installed.is_dir() else _PACKAGE.parent / "styles"


def state_folder() -> Path:
    """Where pitree keeps what it remembers: `PITREE_STATE_DIR`, else the user's state folder.

    Raises:
        RuntimeError: there is no home folder.
    """
    chosen = os.environ.get("PITREE_STATE_DIR")
    return Path(chosen) if chosen else user_state_path("pitree", appauthor=False)


def docs_dir() -> Path:
    """The folder of the manual's topics."""
    return _PACKAGE / "docs"


FRAME_STYLES = ("picker.tcss", "screen.tcss", "tree.tcss")
"""The style sheets that the first frame needs; the others are read with the main screen."""


def style_sheets() -> list[Path]:
    """All style sheets."""
    return sorted(styles_dir().glob("*.tcss"))
