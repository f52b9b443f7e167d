"""Loading the list of sessions: many files at once, by threads and processes, and ahead of the screen."""
