"""What a reader looks at from the main screen: figures, comparisons, exports, all sessions."""
