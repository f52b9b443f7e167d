"""Searching: the query language, the texts of one session, and the index of all sessions."""
