"""A branch of a session as a file for people or for Pi: Markdown, one HTML page, or JSONL."""

from __future__ import annotations

from pitree.entry.export.formats import Format, export, suggested_name
from pitree.entry.export.saving import ExportError, save

__all__ = ["ExportError", "Format", "export", "save", "suggested_name"]
