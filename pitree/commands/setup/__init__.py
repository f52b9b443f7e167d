"""The plain commands about pitree itself."""
