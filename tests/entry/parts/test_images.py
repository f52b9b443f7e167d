"""What is told of an inline image without decoding it."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pitree.entry.parts import PartKind
from tests.support.taking_apart import Story, one

# -- images -------------------------------------------------------------------------------------------


def png(width: int, height: int, size: int) -> str:
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return base64.b64encode(head.ljust(size, b"\0")).decode()


def test_an_image_is_told_by_type_size_and_pixels_without_decoding_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decoded: list[int] = []
    decode = base64.b64decode

    def counting(data: str) -> bytes:
        decoded.append(len(data))
        return decode(data)

    monkeypatch.setattr(base64, "b64decode", counting)
    data = png(640, 480, 786_432)
    assert len(data) == 1024 * 1024
    block = {"type": "image", "data": data, "mimeType": "image/png"}
    part = one(Story().say("u1", "user", [block]).parts("u1"), PartKind.IMAGE)
    assert part.subject == "image/png 768 KB · 640 × 480 pixels"
    assert sum(decoded) < 1_000


@pytest.mark.parametrize(
    ("head", "pixels"),
    [
        (b"GIF89a" + bytes([5, 0, 7, 0]), "5 × 7 pixels"),
        (b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x20\0\x10", "16 × 32 pixels"),
        (b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + bytes([9, 0, 0, 3, 0, 0]), "10 × 4 pixels"),
        (b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (9 | 3 << 14).to_bytes(4, "little"), "10 × 4 pixels"),
        (b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + bytes([10, 0, 4, 0]), "10 × 4 pixels"),
        (
            b"BM" + bytes(16) + (8).to_bytes(4, "little") + (-6).to_bytes(4, "little", signed=True),
            "8 × 6 pixels",
        ),
        (b"\x89PNG\r\n\x1a\n", ""),
        (b"no image at all", ""),
    ],
)
def test_pixel_sizes_of_formats(head: bytes, pixels: str) -> None:
    data = base64.b64encode(head.ljust(120, b"\0")).decode() if pixels else base64.b64encode(head).decode()
    block = {"type": "image", "data": data, "mimeType": "image/x"}
    subject = one(Story().say("u1", "user", [block]).parts("u1"), PartKind.IMAGE).subject
    assert subject.partition(" · ")[2] == pixels


@pytest.mark.parametrize("data", ["", "####", "A", None, 5, "data:image/png;base64,"])
def test_broken_images_are_shown_all_the_same(data: Any) -> None:
    part = one(Story().say("u1", "user", [{"type": "image", "data": data}]).parts("u1"), PartKind.IMAGE)
    assert part.subject.startswith("unknown type")
