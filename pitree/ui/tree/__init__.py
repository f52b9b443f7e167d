"""The pane that shows the tree of a session."""
