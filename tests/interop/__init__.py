"""Compares pitree with the real Pi on the same session files."""
