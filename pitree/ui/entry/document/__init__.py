"""Documents: views stacked in a window that scrolls."""
