"""Drawing images in rows: by Kitty's protocol where the terminal has it, else in half blocks; or large.

By Kitty's protocol an image is sent once, under a number; then characters stand for its cells, coloured by
that number, which scroll and are covered as text is. Sixel has no such thing: its pixels stay where they were
painted, so it serves only where nothing else is on the screen. The package textual-image does all of it.

The package is an extra (`pitree[images]`) and imported when the first image is to be drawn. It asks the
terminal what it can do as soon as it is imported, and would take answers and keys from the running screen: so
it is kept away from the terminal until the screen stands aside.
"""

from __future__ import annotations

import base64
import binascii
import io
import os
import re
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment
from rich.style import Style

from pitree.entry.parts.images import file_ending, pixel_size
from pitree.ui.entry.document.lines import Row

try:
    import fcntl
    import termios
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 25_000_000
"""Pixels up to which an image is decoded: a second of work, and 100 MB."""
MOST_ROWS = 24
_USUAL_CELL = (10, 20)
_LEAST_SIDE = 40
"""Pixels below which an image is enlarged."""
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")


send: Callable[[str], object] | None = None
"""Writes to a terminal that has Kitty's protocol, from any thread; the screen sets it."""
_sent: set[str] = set()
_KITTY = re.compile(r"kitty\((\d{1,4})\.(\d{1,4})")
_NUMBER = re.compile(r"\x1b_G[^;]*\bi=(\d+)")


class NotDrawn(Exception):
    """An image cannot be drawn; says why."""


@lru_cache(maxsize=1)
def available() -> bool:
    """Whether images can be drawn: the extra is installed."""
    return find_spec("textual_image") is not None and find_spec("PIL") is not None


def has_pixels(env: Mapping[str, str], colours: str | None, name: str) -> bool:
    """Whether the terminal has Kitty's protocol with images among text, as Kitty has from 0.28 on.

    Args:
        env: the environment. Within tmux and screen images go astray.
        colors: the terminal's colors as Rich names them; only all of them can tell an image's number.
        name: the terminal's name and version, as it tells them itself.
    """
    if env.get("TMUX") or env.get("STY") or env.get("NO_COLOR") or colours != "truecolor":
        return False
    kitty = _KITTY.match(name)
    return name.startswith("ghostty") or (kitty is not None and (int(kitty[1]), int(kitty[2])) >= (0, 28))


def forget() -> None:
    """Have the terminal drop all images that were sent to it."""
    if send is not None and _sent:
        send("".join(f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\" for number in _sent))
        _sent.clear()


def picture_rows(data: str, width: int, ground: Style) -> list[Row]:
    """An image as large as it fits, or as it has pixels; or in words why there is none. For a thread.

    Args:
        data: base64, perhaps behind a `data:` prefix.
        width: cells a row may take.
        ground: style whose background shows through.
    """
    try:
        image = decoded(data, ground)
        with _away_from_terminal() as written:
            if send is None:
                from textual_image.renderable.halfcell import Image as Drawn

                width = min(width, image.width)
            else:
                from textual_image.renderable.tgp import Image as Drawn  # type: ignore[assignment]

                cell = _cell_size() or _USUAL_CELL
                width = min(width, -(-image.width // cell[0]))
            console = Console(
                file=io.StringIO(),
                width=width,
                height=MOST_ROWS,
                color_system="truecolor",
                force_terminal=True,
            )
            drawn = Drawn(image, width="auto", height="auto")
            lines = console.render_lines(drawn, console.options.update(width=width), pad=False)
        if send is not None:
            sequences = written.getvalue()
            _sent.update(_NUMBER.findall(sequences))
            send(sequences)
        return [[Segment(text, style) for text, style, _ in line if text] for line in lines if line]
    except ValueError:
        return [[Segment("not drawn: the window is too small")]]
    except NotDrawn as reason:
        return [[Segment(f"not drawn: {reason}")]]


def decoded(data: str, ground: Style | None = None) -> Image:
    """The pixels of an image, of an animation its first.

    Raises:
        NotDrawn: it is too large, damaged or none of the known kinds.
    """
    from PIL import Image, UnidentifiedImageError

    if file_ending(data) is None:
        raise NotDrawn("it is not a PNG, JPEG, GIF, WebP or BMP")
    size = pixel_size(data)
    if size is None or size[0] * size[1] > MOST_PIXELS:
        raise NotDrawn("it is too large" if size else "its size is unknown")
    try:
        content = base64.b64decode(data.partition(",")[2] if data.startswith("data:") else data)
        image = Image.open(io.BytesIO(content), formats=_FORMATS)
        if image.width * image.height > MOST_PIXELS:
            raise NotDrawn("it is too large")
        image.draft("RGB", (1_000, 1_000))
        shown = image.convert("RGBA")
    except (binascii.Error, ValueError, OSError, SyntaxError, EOFError, struct.error, UnidentifiedImageError):
        raise NotDrawn("it is damaged") from None
    triplet = ground.bgcolor.triplet if ground is not None and ground.bgcolor is not None else None
    under = Image.new("RGBA", shown.size, (*(triplet or (0, 0, 0)), 255))
    return _enlarged(Image.alpha_composite(under, shown).convert("RGB"))


def _enlarged(image: Image) -> Image:
    """A tiny image several times as large: of less than a cell nothing can be drawn."""
    factor = -(-_LEAST_SIDE // min(image.size))
    factor = min(factor, int((MOST_PIXELS / (image.width * image.height)) ** 0.5))
    return image.resize((image.width * factor, image.height * factor), 0) if factor > 1 else image


class _Kept(io.StringIO):
    """Takes what is written to the terminal, of which it is none."""

    def fileno(self) -> int:
        raise OSError("no terminal")


@contextmanager
def _away_from_terminal() -> Iterator[io.StringIO]:
    """Nothing that is imported or drawn within sees the terminal, but for the size of its cells.

    Gives what would have been written to it.
    """
    stdout, before, kept = sys.__stdout__, dict(os.environ), _Kept()
    os.environ["TEXTUAL_CELL_WIDTH"], os.environ["TEXTUAL_CELL_HEIGHT"] = map(
        str, _cell_size() or _USUAL_CELL
    )
    sys.__stdout__ = kept  # type: ignore[misc, assignment]
    try:
        yield kept
    finally:
        sys.__stdout__ = stdout  # type: ignore[misc]
        for name in ("TEXTUAL_CELL_WIDTH", "TEXTUAL_CELL_HEIGHT"):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


def _cell_size() -> tuple[int, int] | None:
    """Width and height of a cell in pixels, where the terminal tells without being asked."""
    if sys.platform == "win32" or fcntl is None:
        return None
    try:
        assert sys.__stdout__ is not None
        packed = fcntl.ioctl(sys.__stdout__.fileno(), termios.TIOCGWINSZ, bytes(8))
        rows, columns, width, height = struct.unpack("HHHH", packed)
        found = width // max(1, columns), height // max(1, rows)
        return found if all(found) else None
    except (OSError, ValueError, AssertionError):
        return None


def show_large(data: str) -> None:
    """Print an image as large and as well as this terminal can: Sixel, Kitty's protocol, else half blocks.

    For when the screen has stood aside, since it asks the terminal what it can do.

    Raises:
        NotDrawn: as `decoded`.
    """
    image = decoded(data)
    from textual_image.renderable import HalfcellImage, SixelImage, TGPImage
    from textual_image.renderable.sixel import query_terminal_support as has_sixel
    from textual_image.renderable.tgp import query_terminal_support as has_tgp

    form = SixelImage if has_sixel() else TGPImage if has_tgp() else HalfcellImage
    console = Console(force_terminal=True)
    console.clear()
    try:
        console.print(form(image, width="auto", height="auto"), height=max(1, console.height - 2))
    except ValueError:
        raise NotDrawn("the window is too small") from None
