"""Windows that ask: one line, a choice, a branch summary, a bookmark."""
