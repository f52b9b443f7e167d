"""Benchmarks: pitree and Pi side by side on the same file; they print figures and never fail on time."""
