"""The plain commands that write, or hand over to Pi."""
