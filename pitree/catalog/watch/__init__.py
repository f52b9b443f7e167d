"""Keeping the list of sessions up to date: file system events, and which files to look at."""
