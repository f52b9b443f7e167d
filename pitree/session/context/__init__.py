"""What the model sees of a branch, by Pi's rules: projection, system messages, token estimates."""
