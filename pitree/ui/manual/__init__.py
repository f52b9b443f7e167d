"""The manual on the screen: the list of its topics, and a page for each. Loaded when it is asked for."""
