"""The query language: words, phrases, patterns, filters, and what counts as a word."""
