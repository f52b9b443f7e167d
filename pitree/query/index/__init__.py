"""Searching all sessions: the index, the plain scan that agrees with it, and the matches."""
