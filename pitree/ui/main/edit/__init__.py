"""What a reader changes from the main screen."""
