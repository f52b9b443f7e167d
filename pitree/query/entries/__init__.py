"""Searching one session: the texts of its entries and which of them match."""
