"""The main screen when it picks for another program."""
