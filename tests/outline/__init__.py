"""Tests of the outline."""
