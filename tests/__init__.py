"""The tests of pitree; each folder mirrors one of the package."""
