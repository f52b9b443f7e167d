"""The application and its terminal."""
