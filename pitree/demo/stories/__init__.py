"""The made-up sessions, one module a project or age."""
