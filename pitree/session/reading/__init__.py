"""From the bytes of a session file to its entries, and appending to it."""
