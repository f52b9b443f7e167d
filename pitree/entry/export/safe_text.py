"""Text of a session on its way into an export: harmless, but with its line breaks and tabs."""

from __future__ import annotations

import base64
import binascii
import re

from pitree.entry.parts.model import Body, Picture, Syntax
from pitree.text.sanitize import visible

LINKED = ("http://", "https://", "mailto:")
"""The only links that stay links."""

_LANGUAGE = re.compile(r"[A-Za-z0-9+#_-]{1,20}")
_SAID = {Syntax.DIFF: "diff", Syntax.JSON: "json"}


def clean(text: str) -> str:
    """A text as `visible` gives it, its line breaks and tabs as they are."""
    if "\t" not in text:
        return visible(text, keep_newlines=True)
    return "\t".join(visible(piece, keep_newlines=True) for piece in text.split("\t"))


def body_text(body: Body) -> str:
    """The whole text of a body, clean, without colors and without a line break at its end."""
    return clean(body.plain).rstrip("\n")


def language(body: Body) -> str:
    """The name of the language of a body's text, by the ending of its file; empty if it says none."""
    if body.syntax is not Syntax.CODE:
        return _SAID.get(body.syntax, "")
    ending = body.language.rpartition("/")[2].rpartition(".")[2]
    return ending.lower() if _LANGUAGE.fullmatch(ending) else ""


def is_live(url: str) -> bool:
    """Whether a link may stay one."""
    return url.lower().startswith(LINKED) and url.isprintable() and " " not in url


_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def data_uri(picture: Picture) -> str:
    """A `data:` URI of an image; empty if it is no PNG, JPEG, GIF or WebP, or no base64.

    The type is told by the image's first bytes, not by what the file says of it, and the base64 is made
    again.
    """
    data = picture.data
    if data.startswith("data:"):
        data = data[data.find(",", 0, 200) + 1 :]
    try:
        image = base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    kind = next((kind for magic, kind in _MAGIC if image.startswith(magic)), "")
    if image.startswith(b"RIFF") and image[8:12] == b"WEBP":
        kind = "image/webp"
    return f"data:{kind};base64,{base64.b64encode(image).decode()}" if kind else ""
