"""Widgets and windows that all panes share."""
