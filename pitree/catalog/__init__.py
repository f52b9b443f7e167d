"""The list of sessions: what it shows, in which order, which sessions match, their labels."""
