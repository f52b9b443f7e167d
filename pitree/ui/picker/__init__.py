"""The pane that lists sessions."""
