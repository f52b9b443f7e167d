"""The main screen while others write to the open session."""
