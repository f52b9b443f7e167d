"""Search over all sessions: what a query means, an index of what is said, a plain scan it agrees with."""
