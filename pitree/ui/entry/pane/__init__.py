"""The entry pane and the transcript."""
