"""The window that searches all sessions."""
