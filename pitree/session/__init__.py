"""Reading Pi's session files: no terminal, no screen."""
