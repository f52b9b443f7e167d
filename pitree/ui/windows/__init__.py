"""The windows over the main screen."""
