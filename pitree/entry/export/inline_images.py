"""Inline images that may go into a page: those that are what they seem to be."""

from __future__ import annotations

import base64
import binascii

from pitree.entry.parts.model import Picture

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
