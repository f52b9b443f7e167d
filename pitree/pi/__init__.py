"""Pi itself: its folders and settings, the command that continues a session, and picks for it."""
