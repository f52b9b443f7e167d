"""The plain commands that read."""
