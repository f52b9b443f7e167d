"""Screens: what is arranged side by side, and what happens when a pane says something."""
