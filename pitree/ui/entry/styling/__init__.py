"""Styling text: Markdown, code, diffs, terminal colours, images."""
