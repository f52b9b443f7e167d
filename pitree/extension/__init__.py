"""The extension that opens pitree from inside a running Pi, and putting it where Pi finds it."""
