"""Records as other programs write them: another name of a field, a reference for data, a record too early."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.record_check import described, model_name
from tests.conftest import Run
from tests.support.records import HEADER, encode, message

Session = Callable[..., Path]


def change(**fields: Any) -> dict[str, Any]:
    return {
        "type": "model_change",
        "id": "m1",
        "parentId": "u1",
        "timestamp": "2026-01-01T00:00:02.000Z",
    } | fields


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"modelId": "opus"}, "opus"),
        ({"model": "opus"}, "opus"),
        ({"modelId": "opus", "model": "other"}, "opus"),
        ({"modelId": "", "model": "opus"}, "opus"),
        ({"modelId": 5, "model": "opus"}, 5),
        ({}, None),
    ],
)
def test_fault_23_a_model_has_two_names(fields: dict[str, Any], name: object) -> None:
    assert model_name(fields) == name


def test_fault_23_a_model_by_its_other_name_is_shown_and_found(run: Run, session: Session) -> None:
    path = session(message("u1", None), change(provider="p", model="opus-9"), message("u2", "m1"))
    assert "[model: opus-9]" in run("tree", path, "--filter", "all").out
    assert "model set to opus-9 of p" in run("show", path, "m1").out
    assert "opus-9" in run("tree", path, "--filter", "all", "--search", "opus-9").out


@pytest.mark.parametrize("data", ["blob:sha256:" + "ab" * 32, "https://host.example/a.png", "img/a.png"])
def test_fault_23_an_image_by_reference_is_named(
    run: Run, session: Session, data: str, tmp_path: Path
) -> None:
    image = {"type": "image", "mimeType": "image/png", "data": data}
    entry = message("u1", None)
    entry["message"]["content"] = [{"type": "text", "text": "see"}, image]
    path = session(entry)
    shown = run("show", path, "u1").out
    assert f"image/png by reference: {data}" in shown
    assert "bytes" not in shown
    page = tmp_path / "page.html"
    assert run("export", path, "-o", page).status == 0
    assert "<img" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"type": "title", "title": "My\nsession"}, 'of type title: "My session"'),
        ({"type": "meta", "value": 5}, "of type meta"),
        ({"type": "note", "text": "x" * 90}, f'of type note: "{"x" * 80}…"'),
        ({"a": 1}, ""),
        ({"type": 5}, ""),
    ],
)
def test_fault_23_a_record_is_described(record: dict[str, Any], words: str) -> None:
    assert described(record) == words


def test_fault_23_a_record_before_the_header_is_said(run: Run, session: Session) -> None:
    title = {"type": "title", "title": "My \x1b[2Jsession"}
    path = session(json.dumps(title).encode() + b"\n" + encode(HEADER, message("u1", None)))
    ran = run("check", path)
    assert ran.status == 1
    assert 'a record of type title: "My ␛session" comes before the header' in ran.out
    assert "user: hi" in run("tree", path).out
