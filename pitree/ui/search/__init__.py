"""The window that searches all sessions: the query, its hits by session, a preview of the entry."""
