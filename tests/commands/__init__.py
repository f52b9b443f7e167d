"""Tests of the plain commands."""
