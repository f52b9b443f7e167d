"""The manual: a Markdown file a topic, which `pitree help TOPIC` prints and the screen shows."""
