"""Styling text: Markdown, code, diffs, terminal colors, images."""
