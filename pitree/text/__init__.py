"""Text for a terminal: cells, wrapping, figures, and the border that makes text from outside harmless."""
