"""What can be said of an inline image without decoding it: type, bytes, pixels.

Read by hand, since the library for it, imagesize, loads an HTTP client and an XML parser first.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Callable

_HEADER_CHARS = 64
_LONGEST_REFERENCE = 4096
_BASE64 = re.compile(r"[A-Za-z0-9+/=_\s-]*")
_SCHEME = re.compile(r"(?!data:)[a-z][a-z0-9+.-]*:")
_JPEG_CHARS = 256 * 1024
"""Base64 looked through for the size of a JPEG; a thumbnail or color profile may come before it."""


def base64_size(data: str) -> int:
    """Bytes that base64 text stands for, from its length alone.

    A `data:` prefix is left out of account; line breaks within the text are not (they would have to be looked
    for in all of it), which makes the figure too high by a few percent where there are some.
    """
    start = _payload_start(data)
    length = len(data) - start
    if not length:
        return 0
    tail = data[-2:]
    return max(0, length * 3 // 4 - (2 if tail == "==" else 1 if tail[-1] == "=" else 0))


def reference(data: str) -> str:
    """What image data names instead of holding it: an address, a hash, a path; empty where it is base64.

    Some programs store images apart (`blob:sha256:…`). What is named is never fetched or opened.
    """
    named = data.strip()
    if _SCHEME.match(named):
        return named[:_LONGEST_REFERENCE]
    if named.startswith("data:") or len(named) > _LONGEST_REFERENCE:
        return ""
    return "" if _BASE64.fullmatch(named) else named


def pixel_size(data: str) -> tuple[int, int] | None:
    """Width and height of a PNG, JPEG, GIF, WebP or BMP given in base64, from its first bytes."""
    head = _decode(data, _HEADER_CHARS)
    for magic, read in _READERS:
        if head.startswith(magic):
            try:
                found = read(head, data)
            except (struct.error, IndexError):
                return None
            return found if found and found[0] > 0 and found[1] > 0 else None
    return None


def file_ending(data: str) -> str | None:
    """The ending of an image's file, from the first bytes of its base64; None if it is no known image."""
    head = _decode(data, _HEADER_CHARS)
    for magic, ending in _ENDINGS:
        if head.startswith(magic) and (ending != ".webp" or head[8:12] == b"WEBP"):
            return ending
    return None


def _payload_start(data: str) -> int:
    if not data.startswith("data:"):
        return 0
    return data.find(",", 0, 200) + 1


def _decode(data: str, chars: int) -> bytes:
    start = _payload_start(data)
    text = data[start : start + chars]
    text = text[: len(text) - len(text) % 4]
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def _png(head: bytes, data: str) -> tuple[int, int]:
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def _gif(head: bytes, data: str) -> tuple[int, int]:
    width, height = struct.unpack("<HH", head[6:10])
    return width, height


def _bmp(head: bytes, data: str) -> tuple[int, int]:
    width, height = struct.unpack("<ii", head[18:26])
    return width, abs(height)


def _webp(head: bytes, data: str) -> tuple[int, int] | None:
    if head[8:12] != b"WEBP":
        return None
    form = head[12:16]
    if form == b"VP8 ":
        width, height = struct.unpack("<HH", head[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if form == b"VP8L":
        (bits,) = struct.unpack("<I", head[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8X":
        return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    return None


def _jpeg(head: bytes, data: str) -> tuple[int, int] | None:
    image = _decode(data, _JPEG_CHARS)
    at = 2
    while at + 9 <= len(image):
        if image[at] != 0xFF:
            return None
        marker = image[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", image[at + 5 : at + 9])
            return width, height
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        else:
            at += 2 + max(2, int.from_bytes(image[at + 2 : at + 4], "big"))
    return None


_READERS: tuple[tuple[bytes, Callable[[bytes, str], tuple[int, int] | None]], ...] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8\xff", _jpeg),
    (b"GIF8", _gif),
    (b"RIFF", _webp),
    (b"BM", _bmp),
)
_ENDINGS = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
    (b"RIFF", ".webp"),
    (b"BM", ".bmp"),
)
