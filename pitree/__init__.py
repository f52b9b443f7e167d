"""pitree: a full-screen terminal browser for the sessions of Pi, the coding agent."""

__version__ = "0.1.0"
