"""What the main screen does while others write to the session it shows."""
