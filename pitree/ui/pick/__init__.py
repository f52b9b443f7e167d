"""The main screen for another program: what the reader decides is collected, and nothing is written."""
